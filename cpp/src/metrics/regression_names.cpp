// Names to asks, and facts.
#include "confmat/base/error.hpp"
#include "confmat/metrics/nearest.hpp"
#include "confmat/metrics/regression.hpp"
#include "confmat/metrics/regression_row.hpp"
#include "confmat/state/error_bins.hpp"
#include "name_call.hpp"
#include "name_text.hpp"
#include "row_fact.hpp"

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

CommonFact fact_of(const RegressionRow& row) {
  auto fact = row_fact<CommonFact>(row);
  fact.better = row.better;
  fact.undefined = undefined_of(row);
  return fact;
}

}  // namespace

RegressionAsk parse_regression(std::string_view text) {
  const Call call = call_in(text);
  for (const KeptSums& sums : kKeptSums) {
    if (call.asked == sums.name) return {.name = std::string(call.asked), .term = sums.term};
  }
  const auto found = names().find(call.name);
  if (found == names().end()) unknown(call.name);
  const RegressionRow& row = regression_rows()[static_cast<std::size_t>(found->second)];
  RegressionAsk ask{.row = found->second,
                    .param = param_in(call, row.params),
                    .name = std::string(call.asked),
                    .term = {}};
  if (row.term) {
    const bool is_of_errors = *row.term == MomentTerm::kErrors;
    const double of_huber = *row.term == MomentTerm::kHuber ? ask.param : 0.0;
    ask.term = TermAsk{*row.term, is_of_errors ? kUsualErrorBits : of_huber};
  }
  return ask;
}

const std::vector<CommonFact>& regression_facts() {
  static const auto all = [] {
    std::vector<CommonFact> out;
    for (const RegressionRow& row : regression_rows()) out.push_back(fact_of(row));
    return out;
  }();
  return all;
}

}  // namespace confmat::metrics
