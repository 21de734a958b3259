// Names to asks, and facts.
#include <algorithm>

#include "confmat/base/error.hpp"
#include "confmat/metrics/nearest.hpp"
#include "confmat/metrics/regression.hpp"
#include "confmat/metrics/regression_row.hpp"
#include "confmat/metrics/unknown_metric.hpp"
#include "confmat/state/number_bins.hpp"
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
    {"exact_errors", {MomentTerm::kErrors, kAllBits}},
    {"exact_truths", {MomentTerm::kTruths, kAllBits}},
    {"density", {MomentTerm::kDensity}},
};

[[noreturn]] void unknown(std::string_view name) {
  std::vector<std::string_view> known;
  for (const KeptSums& sums : kKeptSums) known.push_back(sums.name);
  for (const auto& [each, index] : names()) known.push_back(each);
  refuse_name(name, MetricsOf::kNumbers, nearest_of(name, known));
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
  if (row.needs & kDigits) {
    say(row.least_loss ? "they lie too close together for their bins"
                       : "they differ by less than digits tell");
  }
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
    if (call.asked == sums.name) return {.name = std::string(call.asked), .terms = {sums.term}};
  }
  const auto found = names().find(call.name);
  if (found == names().end()) unknown(call.name);
  const RegressionRow& row = regression_rows()[static_cast<std::size_t>(found->second)];
  RegressionAsk ask{.row = found->second,
                    .param = param_in(call, row.params),
                    .name = std::string(call.asked),
                    .terms = {}};
  if (row.term) {
    const double of_huber = *row.term == MomentTerm::kHuber ? ask.param : 0.0;
    ask.terms.push_back({*row.term, is_in_bins(*row.term) ? kUsualBits : of_huber});
  }
  if (row.least_loss) ask.terms.push_back({MomentTerm::kTruths, kUsualBits});
  return ask;
}

std::vector<std::string> kept_exactly(const RegressionAsk& ask) {
  std::vector<std::string> out;
  for (const TermAsk& of : ask.terms) {
    for (const KeptSums& sums : kKeptSums) {
      if (is_in_bins(of.term) && sums.term.term == of.term) out.emplace_back(sums.name);
    }
  }
  return out;
}

bool holds(const Moments& of, const RegressionAsk& ask) {
  return std::ranges::all_of(ask.terms, [&](const TermAsk& one) {
    return is_in_bins(one.term) ? of.bits_of(one.term) >= 0
                                : std::ranges::find(of.terms, one) != of.terms.end();
  });
}

std::vector<TermAsk> terms_of(std::span<const RegressionAsk> asks) {
  std::vector<TermAsk> out;
  for (const RegressionAsk& ask : asks) out.insert(out.end(), ask.terms.begin(), ask.terms.end());
  return out;
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
