// Names to asks, and facts.
#include <charconv>
#include <cmath>
#include <map>

#include "confmat/base/error.hpp"
#include "confmat/base/shown.hpp"
#include "confmat/metrics/nearest.hpp"
#include "confmat/metrics/references.hpp"
#include "confmat/metrics/regression.hpp"
#include "confmat/metrics/regression_row.hpp"

namespace confmat::metrics {
namespace {

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    out.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

const std::map<std::string, std::int32_t, std::less<>>& names() {
  static const auto all = [] {
    std::map<std::string, std::int32_t, std::less<>> out;
    std::int32_t index = 0;
    for (const RegressionRow& row : regression_rows()) {
      out.emplace(row.name, index);
      for (std::string& alias : words_of(row.aliases)) out.emplace(std::move(alias), index);
      ++index;
    }
    return out;
  }();
  return all;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

std::string quoted(std::string_view text) {
  constexpr std::size_t kLongest = 200;
  std::string out = "'";
  out += text.size() <= kLongest ? shown_text(text) : "...";
  out += '\'';
  return out;
}

[[noreturn]] void unknown(std::string_view name) {
  std::string message = "unknown metric of numbers " + quoted(name);
  std::vector<std::string_view> known;
  for (const auto& [each, index] : names()) known.push_back(each);
  const std::string near = nearest_of(name, known);
  if (!near.empty()) message += "; did you mean " + near + "?";
  throw InputError(message);
}

double read_param(std::string_view text, const RegressionParam& of, std::string_view asked) {
  text = trimmed(text);
  const std::size_t equals = text.find('=');
  bool read = true;
  if (equals != std::string_view::npos) {
    read = trimmed(text.substr(0, equals)) == of.name;
    text = trimmed(text.substr(equals + 1));
  }
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  read = read && error == std::errc{} && end == text.data() + text.size();
  const bool fits =
      value >= of.least && value <= of.most && (!of.is_whole || value == std::floor(value));
  if (read && fits && !(of.above_least && value == of.least)) return value + 0.0;
  throw InputError(quoted(asked) + ": the parameter must be " + std::string(of.name) + ", " +
                   std::string(of.text));
}

std::string undefined_of(const RegressionRow& row) {
  std::string out;
  const auto say = [&out](std::string_view why) {
    if (!out.empty()) out += ", or ";
    out += why;
  };
  if (row.needs & kVariedTruth) say("all true values are the same");
  if (row.needs & kVariedPrediction) say("all predictions are the same");
  if (row.needs & kSpareRows) say("there are too few rows");
  if (row.needs & kTruthMean) say("the mean of the true values is 0");
  if (row.needs & kDigits) say("they differ by less than digits tell");
  if (!row.none.empty()) say(row.none);
  if (out.empty()) out = "there are no rows";
  return out;
}

ScoreFact fact_of(const RegressionRow& row) {
  ScoreFact fact;
  fact.name = row.name;
  fact.aliases = words_of(row.aliases);
  fact.symbol = row.symbol;
  fact.formula = row.formula;
  fact.lo = row.lo;
  fact.hi = row.hi;
  fact.better = row.better;
  fact.summary = row.summary;
  fact.undefined = undefined_of(row);
  fact.reference = reference_text(row.reference);
  if (row.param != nullptr) {
    fact.params.push_back(
        {std::string(row.param->name), row.param->value, std::string(row.param->text)});
  }
  return fact;
}

}  // namespace

RegressionAsk parse_regression(std::string_view text) {
  const std::string_view asked = trimmed(text);
  const std::size_t open = asked.find('(');
  const std::string_view name = trimmed(asked.substr(0, open));
  const auto found = names().find(name);
  if (found == names().end()) unknown(name);
  const RegressionRow& row = regression_rows()[static_cast<std::size_t>(found->second)];
  RegressionAsk ask{.row = found->second,
                    .param = row.param == nullptr ? 0.0 : row.param->value,
                    .name = std::string(asked),
                    .term = {}};
  if (open != std::string_view::npos) {
    if (asked.back() != ')') throw InputError(quoted(asked) + ": a closing ')' is missing");
    if (row.param == nullptr) throw InputError(quoted(name) + " takes no parameter");
    ask.param = read_param(asked.substr(open + 1, asked.size() - open - 2), *row.param, asked);
  }
  if (row.term) {
    ask.term = TermAsk{*row.term, *row.term == MomentTerm::kHuber ? ask.param : 0.0};
  }
  return ask;
}

const std::vector<ScoreFact>& regression_facts() {
  static const auto all = [] {
    std::vector<ScoreFact> out;
    for (const RegressionRow& row : regression_rows()) out.push_back(fact_of(row));
    return out;
  }();
  return all;
}

}  // namespace confmat::metrics
