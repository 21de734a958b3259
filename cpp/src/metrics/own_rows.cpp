// The rows of callers' formulas: each definition once, in a table that only grows, without locks.
#include "confmat/metrics/own_rows.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "confmat/base/error.hpp"
#include "confmat/metrics/catalogue.hpp"
#include "confmat/metrics/own_formula.hpp"
#include "name_call.hpp"
#include "name_text.hpp"

namespace confmat::metrics {
namespace {

constexpr std::string_view kBrings = " := ";
constexpr std::size_t kMostBytes = std::size_t{1} << 15;  // of a definition

std::string_view next_word(std::string_view& text) {
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return word;
}

bool is_name(std::string_view word) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  return !word.empty() && word.size() <= 64 && std::ranges::all_of(word, fits);
}

[[noreturn]] void refuse(std::string_view what, std::string_view word) {
  std::string message = "the definition of a metric has the ";
  message += what;
  throw InputError(message + " " + quoted(word));
}

double end_in(std::string_view word) {
  const auto value = number_in(word);
  if (!value || std::isnan(*value)) refuse("end of a range", word);
  return *value;
}

Better better_in(std::string_view word) {
  if (word == "higher") return Better::kHigher;
  if (word == "lower") return Better::kLower;
  if (word != "neither") refuse("direction", word);
  return Better::kNeither;
}

std::string latex_name(std::string_view name) {
  std::string out = "\\mathrm{";
  for (const char c : name) {
    if (c == '_') out += '\\';
    out += c;
  }
  return out += '}';
}

struct OwnRow {
  std::string definition, name, symbol;
  std::unique_ptr<OwnFormula> formula;
  Row row;

  explicit OwnRow(std::string_view text) : definition(text) {
    if (text.size() > kMostBytes) {
      throw InputError("the definition of a metric has " + std::to_string(text.size()) +
                       " bytes; wanted at most " + std::to_string(kMostBytes));
    }
    name = next_word(text);
    if (!is_name(name)) refuse("name", name);
    symbol = latex_name(name);
    RowFacts& facts = row.facts;
    facts.name = name;
    facts.symbol = symbol;
    facts.lo = end_in(next_word(text));
    facts.hi = end_in(next_word(text));
    if (!(facts.lo < facts.hi)) refuse("range up to", std::to_string(facts.hi));
    facts.better = better_in(next_word(text));
    formula = std::make_unique<OwnFormula>(text);
    facts.own = true;
    facts.edges = true;
    facts.scale = formula->is_of_shares();
    facts.rational = formula->is_rational();
    facts.perfect = false;
    facts.shape = Shape::kFree;
    const OwnFormula* const of = formula.get();
    row.column = {[](const OwnFormula& own, Columns<double> cells, std::size_t count, const double*,
                     double* out) { own.values(cells, count, out); },
                  of};
    row.column_counts = {[](const OwnFormula& own, Columns<std::int64_t> cells, std::size_t count,
                            const double*, double* out) { own.values(cells, count, out); },
                         of};
    row.class_slopes = {[](const OwnFormula& own, Columns<double> cells, std::size_t count,
                           const double*, ClassSlope* out) { own.slopes(cells, count, out); },
                        of};
    row.text = {[](const OwnFormula& own) { return own.text(); }, of};
  }
};

constexpr std::size_t kPlaces = std::size_t{1} << 14;
std::array<std::atomic<const OwnRow*>, kPlaces> places;

}  // namespace

std::int32_t own_row_of(std::string_view definition) {
  std::unique_ptr<const OwnRow> made;
  const std::size_t start = std::hash<std::string_view>()(definition);
  for (std::size_t step = 0; step < kPlaces; ++step) {
    const std::size_t at = (start + step) % kPlaces;
    const OwnRow* held = places[at].load(std::memory_order_acquire);
    if (held == nullptr) {
      if (made == nullptr) made = std::make_unique<const OwnRow>(definition);
      if (places[at].compare_exchange_strong(held, made.get(), std::memory_order_acq_rel)) {
        held = made.release();
      }
    }
    if (held->definition == definition) return static_cast<std::int32_t>(at);
  }
  throw InputError("this process has seen " + std::to_string(kPlaces) +
                   " formulas of metrics, the most that it keeps");
}

const Row& own_row(std::int32_t index) {
  return places[static_cast<std::size_t>(index)].load(std::memory_order_acquire)->row;
}

std::optional<Ask> parse_own(std::string_view text) {
  const std::size_t at = text.find(kBrings);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view asked = trimmed(text.substr(0, at));
  const std::int32_t index = own_row_of(text.substr(at + kBrings.size()));
  const Row& row = own_row(index);
  Ask ask;
  ask.row = static_cast<std::int32_t>(catalogue().rows().size()) + index;
  ask.name = asked;
  if (asked == row.facts.name) {
    ask.needs_positive = true;
    return ask;
  }
  const Call call = call_in(asked);
  for (const Suffix& suffix : suffixes()) {
    if (call.name != catalogue().name_of(row, suffix.average)) continue;
    if (!allows(row, suffix.average)) {
      throw InputError("there is no " + ask.name + ": " + std::string(row.facts.name) +
                       " can be negative, and this mean needs values that are not");
    }
    ask.average = static_cast<std::int32_t>(suffix.average);
    ask.params = params_in(call, params_taken(row, suffix.average));
    return ask;
  }
  if (call.name != asked) throw InputError(quoted(call.name) + " takes no parameter");
  throw InputError(quoted(asked) + " is no average of " + quoted(row.facts.name));
}

}  // namespace confmat::metrics
