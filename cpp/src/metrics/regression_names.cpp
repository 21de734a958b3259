// Names to asks, and facts.
#include <cmath>

#include "confmat/base/error.hpp"
#include "confmat/metrics/nearest.hpp"
#include "confmat/metrics/references.hpp"
#include "confmat/metrics/regression.hpp"
#include "confmat/metrics/regression_row.hpp"
#include "confmat/state/error_bins.hpp"
#include "name_text.hpp"

namespace confmat::metrics {
namespace {

const NamePlaces& names() {
  static const NamePlaces all = places_of(regression_rows());
  return all;
}

// Names of sums that are kept where they are named, and no metrics.
struct KeptSums {
  std::string_view name;
  TermAsk term;
};
constexpr KeptSums kKeptSums[] = {
    {"intervals", {MomentTerm::kPowers}},
    {"exact_errors", {MomentTerm::kErrors, kAllErrorBits}},
    {"density", {MomentTerm::kDensity}},
};

[[noreturn]] void unknown(std::string_view name) {
  std::string message = "unknown metric of numbers " + quoted(name);
  std::vector<std::string_view> known;
  for (const KeptSums& sums : kKeptSums) known.push_back(sums.name);
  for (const auto& [each, index] : names()) known.push_back(each);
  const std::string near = nearest_of(name, known);
  if (!near.empty()) message += "; did you mean " + near + "?";
  throw InputError(message);
}

double read_param(std::string_view text, const RegressionParam& of, std::string_view asked) {
  const auto value = number_in(value_of_param(text, of.name));
  const bool fits = value && *value >= of.least && *value <= of.most &&
                    (!of.is_whole || *value == std::floor(*value)) &&
                    !(of.above_least && *value == of.least);
  if (fits) return *value + 0.0;
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
        {std::string(row.param->name), row.param->value, std::string(row.param->text), false});
  }
  return fact;
}

}  // namespace

RegressionAsk parse_regression(std::string_view text) {
  const std::string_view asked = trimmed(text);
  const std::size_t open = asked.find('(');
  const std::string_view name = trimmed(asked.substr(0, open));
  for (const KeptSums& sums : kKeptSums) {
    if (asked == sums.name) return {.name = std::string(asked), .term = sums.term};
  }
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
    const bool is_of_errors = *row.term == MomentTerm::kErrors;
    const double of_huber = *row.term == MomentTerm::kHuber ? ask.param : 0.0;
    ask.term = TermAsk{*row.term, is_of_errors ? kUsualErrorBits : of_huber};
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
