// Values of regressions: what cancels is computed exactly, and rounded once.
#include "confmat/metrics/regression.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "confmat/base/error.hpp"
#include "confmat/metrics/evaluate.hpp"
#include "confmat/metrics/regression_row.hpp"
#include "confmat/state/number_bins.hpp"
#include "expansion.hpp"
#include "name_text.hpp"
#include "nan.hpp"

namespace confmat::metrics {
namespace {

Expansion sum_in(const Moments& of, std::size_t i) {
  std::vector<double> parts{of.sums.leads[i]};
  for (const Tail& tail : of.sums.tails_of(i)) parts.push_back(tail.part);
  return Expansion(std::move(parts));
}

RegressionView view_of(const Moments& of) {
  RegressionView out;
  const Expansion n = sum_in(of, kSumWeight);
  const Expansion y = sum_in(of, kSumTruth), p = sum_in(of, kSumPrediction);
  const Expansion size = sum_in(of, kSumError);
  const Expansion yy = sum_in(of, kSumTruthSquared), pp = sum_in(of, kSumPredictionSquared);
  const Expansion yp = sum_in(of, kSumProduct);
  out.rows = static_cast<double>(of.rows.counted);
  out.n = n.value();
  if (out.n == 0) return out;
  const Expansion e = sum_of({{1, &p}, {-1, &y}});
  const Expansion ee = sum_of({{1, &yy}, {1, &pp}, {-2, &yp}});
  out.error = e.value();
  out.size = size.value();
  out.over = sum_of({{0.5, &size}, {0.5, &e}}).value();
  out.under = sum_of({{0.5, &size}, {-0.5, &e}}).value();
  // Of squares that were too small for all their digits.
  out.squared_error = std::fmax(ee.value(), 0.0);
  out.mean_truth = y.value() / out.n;
  // n times the central sums.
  const Expansion truth = determinant_of(n, yy, y, y);
  const Expansion prediction = determinant_of(n, pp, p, p);
  const Expansion both = determinant_of(n, yp, y, p);
  const Expansion error = determinant_of(n, ee, e, e);
  out.truth = truth.value() / out.n;
  out.prediction = prediction.value() / out.n;
  out.both = both.value() / out.n;
  ExactSum left;
  for (const double part : truth.parts()) left.add(part);
  add_product(left, n, ee, -1.0);
  out.r2 = left.value() / truth.value();
  out.explained = sum_of({{1, &truth}, {-1, &error}}).value() / truth.value();
  ExactSum apart;
  for (const Expansion* const one : {&truth, &prediction}) {
    for (const double part : one->parts()) apart.add(part);
  }
  add_product(apart, e, e);
  out.ccc = 2 * both.value() / apart.value();
  if (prediction.value() != 0) {
    const double scale = std::ldexp(1.0, std::min(-std::ilogb(prediction.value()), 1000));
    const Expansion slope_of = both.times(scale), slope_by = prediction.times(scale);
    out.intercept = determinant_of(y, slope_by, slope_of, p).value() / slope_by.value() / out.n;
  }
  out.least_truth = of.least_truth;
  out.largest_truth = of.largest_truth;
  out.largest_error = of.largest_error;
  return out;
}

// The sizes of errors, ascending, and the share of the rows that have at most each.
struct Sizes {
  std::vector<double> sizes, shares;
};

Sizes sizes_of(const Moments& of) {
  Sizes out;
  const int bits = of.bits_of(MomentTerm::kErrors);
  const std::vector<std::uint64_t>& bins = of.errors;
  const std::size_t below = static_cast<std::size_t>(std::ranges::lower_bound(bins, kSignOfBin) -
                                                     bins.begin());  // bins of errors above 0
  double total = 0;
  for (std::size_t i = 0, j = below; i < below || j < bins.size();) {
    const std::uint64_t one = i < below ? bins[i] : UINT64_MAX;
    const std::uint64_t two = j < bins.size() ? size_of_bin(bins[j]) : UINT64_MAX;
    if (one <= two) total += of.sums.leads[of.size() + i++];
    if (two <= one) total += of.sums.leads[of.size() + j++];
    out.sizes.push_back(middle_of_bin(std::min(one, two), bits));
    out.shares.push_back(total);
  }
  return out;
}

[[noreturn]] void not_kept(const RegressionAsk& ask) {
  throw InputError("the sums of '" + ask.name +
                   "' were not kept; name it in `metrics` when rows "
                   "are read, as in cm.regression(y, p, metrics=[\"" +
                   ask.name + "\"])");
}

// Where the sums of a term lie, which are there.
std::size_t place_of(const TermAsk& term, const Moments& of) {
  const auto found = std::ranges::find(of.terms, term);
  return of.place(static_cast<std::size_t>(found - of.terms.begin()));
}

// Sets the deviance of the mean of the truth, and says why there is none.
std::string_view set_null_deviance(RegressionView& view, MomentTerm term) {
  constexpr double kLeastShare = 1e-7;  // of the size of what is subtracted
  const double logarithm = std::log(view.mean_truth);
  const bool is_poisson = term == MomentTerm::kPoisson;
  const double mean = view.second / view.n;
  const double other = is_poisson ? view.mean_truth * logarithm : logarithm;
  const double half = is_poisson ? mean - other : other - mean;
  view.null_deviance = 2 * half * view.n;
  const double unit = is_poisson ? view.mean_truth : 1.0;
  const double size = std::fmax(std::fmax(std::fabs(mean), std::fabs(other)), unit);
  return half > kLeastShare * size ? "" : "the true values lie too close together";
}

// Sets the loss of the best number, and says why there is none.
std::string_view set_null_loss(RegressionView& view, const LeastLoss& least) {
  constexpr double kMostOff = 0.01;
  view.null_loss = least.sum;
  if (!(least.off > kMostOff * least.sum)) return "";
  return "the true values lie too close together for their bins; \"exact_truths\" keeps each";
}

std::string undefined_reason(const RegressionRow& row, const RegressionView& view, double param,
                             double none, std::string_view no_digits) {
  if (view.rows == 0) return "there are no rows";
  if (!(view.n > 0)) return "all weights are 0";
  if (none > 0) return std::string(row.none);
  const auto needs = [&row](RegressionNeed need) { return (row.needs & need) != 0; };
  if (needs(kVariedTruth) && !(view.truth > 0)) return "all true values are the same";
  if (needs(kVariedPrediction) && !(view.prediction > 0)) return "all predictions are the same";
  const bool lacks_truth = std::isnan(view.largest_truth) || std::isnan(view.least_truth);
  if ((needs(kErrorBound) && std::isnan(view.largest_error)) ||
      (needs(kTruthBounds) && lacks_truth)) {
    return "rows were taken away that may have had the extreme values";
  }
  if (needs(kSpareRows) && !(view.rows - param - 1 > 0)) return "there are too few rows";
  if (needs(kTruthMean) && view.mean_truth == 0) return "the mean of the true values is 0";
  if (needs(kDigits)) return std::string(no_digits);
  return "";
}

}  // namespace

void regression_values(std::span<const RegressionAsk> asks, const Moments& moments, double* out,
                       std::string* reasons) {
  RegressionView view = view_of(moments);
  Sizes sizes;
  if (moments.bits_of(MomentTerm::kErrors) >= 0) sizes = sizes_of(moments);
  view.sizes = sizes.sizes;
  view.shares = sizes.shares;
  std::optional<NumberRanges> truths;  // of all asks
  for (const RegressionAsk& ask : asks) {
    if (ask.row < 0) throw InputError(quoted(ask.name) + " names sums to keep, and is no metric");
    const RegressionRow& row = regression_rows()[static_cast<std::size_t>(ask.row)];
    if (!holds(moments, ask)) not_kept(ask);
    double none = 0;
    std::string_view no_digits;
    if (row.term && !is_in_bins(*row.term)) {
      const std::size_t at = place_of(ask.terms.front(), moments);
      view.first = moments.sums.leads[at];
      view.second = moments.sums.leads[at + 1];
      none = moments.sums.leads[at + 2];
      no_digits = set_null_deviance(view, *row.term);
    }
    if (row.least_loss && view.truth > 0) {
      if (!truths) truths = number_ranges(moments, MomentTerm::kTruths);
      no_digits = set_null_loss(view, row.least_loss(*truths, ask.param));
    }
    std::string why = undefined_reason(row, view, ask.param, none, no_digits);
    double value = why.empty() ? row.value(view, ask.param) : kNan;
    if (why.empty() && std::isnan(value)) why = row.none;
    if (why.empty()) value = tidy(value, row);
    *out++ = value;
    if (reasons != nullptr) *reasons++ = std::move(why);
  }
}

}  // namespace confmat::metrics
