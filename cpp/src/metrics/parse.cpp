// Names to asks: "mcc", "f1_macro", "fbeta(2)", "fbeta_macro(beta=0.5)", "generalized_f1(min)".
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "confmat/base/error.hpp"
#include "confmat/base/shown.hpp"
#include "confmat/metrics/asks_positive.hpp"
#include "confmat/metrics/catalogue.hpp"
#include "confmat/metrics/nearest.hpp"
#include "confmat/metrics/pycm_names.hpp"
#include "confmat/metrics/unknown_metric.hpp"
#include "name_call.hpp"
#include "name_text.hpp"
#include "row_fact.hpp"

namespace confmat::metrics {
namespace {

// The ask for what PyCM calls so, if it does.
std::optional<Ask> parse_key(std::string_view key, std::string_view brackets) {
  for (const auto& [known, name] : pycm_names()) {
    if (known != key) continue;
    if (!brackets.empty() && name.ends_with(')')) {
      throw InputError(quoted(key) + " takes no parameter");
    }
    return parse(std::string(name) + std::string(brackets));
  }
  return std::nullopt;
}

}  // namespace

std::vector<ParamFact> params_of_name(std::string_view name) {
  const Ask ask = parse(name);
  const Row& row = catalogue().row(ask.row);
  std::vector<Param> taken = params_taken(row, static_cast<Average>(ask.average));
  const Entry* entry = catalogue().find(call_in(name).name);
  if (entry != nullptr && !entry->bound.empty()) {
    taken.erase(taken.begin(),
                taken.begin() + static_cast<std::ptrdiff_t>(row.facts.params.size()));
  }
  return param_facts(taken);
}

std::vector<std::pair<std::string_view, double>> fixed_params(std::string_view name) {
  std::vector<std::pair<std::string_view, double>> out;
  const Entry* entry = catalogue().find(name);
  if (entry == nullptr || entry->bound.empty()) return out;
  const Params params = catalogue().row(entry->row).facts.params;
  const std::vector<double> values = params_in({name, name, entry->bound}, params);
  for (std::size_t i = 0; i < params.size(); ++i) out.emplace_back(params[i].name, values[i]);
  return out;
}

Ask parse(std::string_view text) {
  if (auto own = parse_own(text)) return *std::move(own);
  Call call = call_in(text);
  const Entry* entry = catalogue().find(call.name);
  if (entry == nullptr) {
    if (auto ask = parse_key(call.name, call.brackets)) {
      ask->name = call.asked;
      return *ask;
    }
    refuse_name(call.name, MetricsOf::kClasses, nearest_names(call.name));
  }
  const Row& row = catalogue().row(entry->row);
  Ask ask;
  ask.row = entry->row;
  ask.average = static_cast<std::int32_t>(entry->average);
  ask.name = call.asked;
  ask.needs_positive = row.kind == Kind::kBinary && entry->average == Average::kNone;
  ask.ordered = row.facts.ordered;
  const std::vector<Param> taken = params_taken(row, entry->average);
  std::string both;
  if (!entry->bound.empty()) {
    // Of "f2_power(3)" the average takes what is given.
    const bool takes_more = taken.size() > row.facts.params.size();
    if (!call.brackets.empty() && !takes_more) {
      throw InputError(quoted(call.name) + " takes no parameter");
    }
    both = entry->bound;
    if (!call.brackets.empty()) both.replace(both.size() - 1, 1, ",").append(call.brackets, 1);
    call.brackets = both;
  }
  ask.params = params_in(call, taken);
  return ask;
}

void check(const Ask& ask, std::int64_t k, const Options& options,
           std::span<const std::string> labels) {
  if (!(options.smoothing >= 0.0) || std::isinf(options.smoothing)) {
    throw InputError("smoothing must be a number that is not negative, not " +
                     shown_number(options.smoothing));
  }
  if (options.pos >= k && options.pos >= 0 && ask.needs_positive) {
    throw InputError("the positive class is number " + std::to_string(options.pos) + " of " +
                     std::to_string(k));
  }
  if (!ask.needs_positive || options.pos >= 0 || k < 2) return;
  constexpr std::size_t kShown = 10;
  std::string names;
  for (std::size_t i = 0; i < std::min(kShown, labels.size()); ++i) {
    if (i > 0) names += ", ";
    names += labels[i];
  }
  if (labels.size() > kShown) names += ", ...";
  const Row& row = catalogue().row(ask.row);
  std::string message = quoted(ask.name);
  message += " is about one class; the classes are ";
  message += names.empty() ? std::to_string(k) + " unnamed ones" : names;
  message += "; give pos_label";
  std::string otherwise;
  if (k > 2 && allows(row, Average::kMacro)) {
    otherwise += " or ask for ";
    if (!row.facts.of_many.empty()) otherwise.append(quoted(row.facts.of_many)).append(" or ");
    otherwise += quoted(catalogue().name_of(row, Average::kMacro));
  }
  throw AsksPositive(message, otherwise);
}

}  // namespace confmat::metrics
