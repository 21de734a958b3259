// The metrics of regressions: here those of the sums that each state has, and of bins of errors. y
// is the truth, p the prediction, e = p - y; sums are over rows, each with its weight, and n is the
// sum of the weights.
#include "regression_rows.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <vector>

namespace confmat::metrics {
namespace {

constexpr Param kFeatures[] = {{.name = "n_features",
                                .text = "how many features the model has",
                                .value = 1,
                                .least = 0,
                                .most = 1e9,
                                .whole = true}};
constexpr Param kQuantile[] = {{.name = "quantile",
                                .text = "the quantile that is predicted, from 0 to 1",
                                .value = 0.5,
                                .least = 0,
                                .most = 1}};
constexpr Param kNaive[] = {{.name = "naive_error",
                             .text = "the mean absolute error of the naive forecast, as of the "
                                     "value before, over the rows of the training",
                             .value = kNoDefault,
                             .least = 0,
                             .most = kMostNumber,
                             .above_least = true}};

double rmse(const RegressionView& s) { return std::sqrt(s.squared_error / s.n); }
double deviation(const RegressionView& s) { return std::sqrt(s.truth / s.n); }
double correlation(const RegressionView& s) {
  const double product = s.truth * s.prediction;  // the root of a square loses nothing
  return s.both / (std::isnormal(product) ? std::sqrt(product)
                                          : std::sqrt(s.truth) * std::sqrt(s.prediction));
}

constexpr Param kShare[] = {{.name = "q",
                             .text = "the share of the rows with a smaller error, from 0 to 1",
                             .value = 0.9,
                             .least = 0,
                             .most = 1}};

// The size that a share of the rows does not exceed; between two where it is exactly theirs.
double quantile(const RegressionView& s, double share) {
  const double wanted = share * s.n;
  const auto at = std::ranges::lower_bound(s.shares, wanted) - s.shares.begin();
  const auto i = std::min<std::size_t>(static_cast<std::size_t>(at), s.sizes.size() - 1);
  if (s.shares[i] == wanted && i + 1 < s.sizes.size()) return (s.sizes[i] + s.sizes[i + 1]) / 2;
  return s.sizes[i];
}

constexpr RegressionRow kRows[] = {
    {.name = "mean_error",
     .aliases = "bias mean_bias_error",
     .symbol = "\\mathrm{ME}",
     .formula = "\\frac{1}{n} \\sum (p - y)",
     .lo = -kUnbounded,
     .hi = kUnbounded,
     .better = "neither",
     .summary = "The mean of the errors, prediction minus truth: above 0 where predictions are too "
                "high.",
     .reference = "Willmott1982",
     .value = [](const RegressionView& s, double) { return s.error / s.n; }},
    {.name = "mae",
     .aliases = "mean_absolute_error",
     .symbol = "\\mathrm{MAE}",
     .formula = "\\frac{1}{n} \\sum |y - p|",
     .hi = kUnbounded,
     .better = "lower",
     .summary = "The mean of the sizes of the errors.",
     .reference = "Willmott1982",
     .value = [](const RegressionView& s, double) { return s.size / s.n; }},
    {.name = "mse",
     .aliases = "mean_squared_error",
     .symbol = "\\mathrm{MSE}",
     .formula = "\\frac{1}{n} \\sum (y - p)^2",
     .hi = kUnbounded,
     .better = "lower",
     .summary = "The mean of the squared errors.",
     .reference = "Willmott1982",
     .value = [](const RegressionView& s, double) { return s.squared_error / s.n; }},
    {.name = "rmse",
     .aliases = "root_mean_squared_error",
     .symbol = "\\mathrm{RMSE}",
     .formula = "\\sqrt{\\frac{1}{n} \\sum (y - p)^2}",
     .hi = kUnbounded,
     .better = "lower",
     .summary = "The square root of the mean squared error: an error in the unit of the truth.",
     .reference = "Willmott1982",
     .value = [](const RegressionView& s, double) { return rmse(s); }},
    share_of_best(
        {.name = "r2",
         .aliases = "r2_score coefficient_of_determination nash_sutcliffe nse",
         .symbol = "R^2",
         .formula = "1 - \\frac{\\sum (y - p)^2}{\\sum (y - \\bar y)^2}",
         .summary =
             "The share of the variation of the truth that predictions account for: 0 for the "
             "mean as the only prediction, and below 0 for worse ones.",
         .reference = "Kvalseth1985",
         .value = [](const RegressionView& s, double) { return s.r2; }}),
    {.name = "r2_correlation",
     .aliases = "squared_correlation",
     .symbol = "r^2",
     .formula = "\\frac{\\left( \\sum (y - \\bar y)(p - \\bar p) \\right)^2}"
                "{\\sum (y - \\bar y)^2 \\sum (p - \\bar p)^2}",
     .summary = "The square of the correlation of truth and prediction, which bias and scale of "
                "the predictions do not change: r2 is the other one.",
     .reference = "Kvalseth1985",
     .needs = kVariedTruth | kVariedPrediction,
     .value =
         [](const RegressionView& s, double) {
           const double r = correlation(s);
           return r * r;
         }},
    share_of_best(
        {.name = "adjusted_r2",
         .symbol = "\\bar R^2",
         .formula = "1 - (1 - R^2) \\frac{N - 1}{N - k - 1}",
         .summary =
             "The R2 of N rows, whatever they weigh, lowered for each of the k features of a "
             "linear model.",
         .reference = "Theil1961",
         .needs = kSpareRows,
         .params = kFeatures,
         .value =
             [](const RegressionView& s, double features) {
               return 1 - (1 - s.r2) * (s.rows - 1) / (s.rows - features - 1);
             }}),
    share_of_best({.name = "explained_variance",
                   .aliases = "explained_variance_score",
                   .symbol = "\\mathrm{EV}",
                   .formula = "1 - \\frac{\\sum (e - \\bar e)^2}{\\sum (y - \\bar y)^2}",
                   .summary = "The R2 that predictions would have without their bias.",
                   .reference = "Kvalseth1985",
                   .value = [](const RegressionView& s, double) { return s.explained; }}),
    {.name = "pearson_r",
     .aliases = "pearson_correlation",
     .symbol = "r",
     .formula = "\\frac{\\sum (y - \\bar y)(p - \\bar p)}"
                "{\\sqrt{\\sum (y - \\bar y)^2 \\sum (p - \\bar p)^2}}",
     .lo = -1.0,
     .summary = "The correlation of truth and prediction.",
     .reference = "Pearson1896",
     .needs = kVariedTruth | kVariedPrediction,
     .value = [](const RegressionView& s, double) { return correlation(s); }},
    {.name = "ccc",
     .aliases = "concordance_correlation lin_ccc",
     .symbol = "\\rho_c",
     .formula = "\\frac{2 \\sum (y - \\bar y)(p - \\bar p)}{\\sum (y - \\bar y)^2 + "
                "\\sum (p - \\bar p)^2 + n (\\bar y - \\bar p)^2}",
     .lo = -1.0,
     .summary = "How closely pairs of truth and prediction lie to the line of equal ones: the "
                "correlation, lowered for bias and scale.",
     .reference = "Lin1989",
     .none = "truth and prediction are all one and the same number",
     .value = [](const RegressionView& s, double) { return s.ccc; }},
    {.name = "slope",
     .symbol = "b",
     .formula = "\\frac{\\sum (y - \\bar y)(p - \\bar p)}{\\sum (p - \\bar p)^2}",
     .lo = -kUnbounded,
     .hi = kUnbounded,
     .better = "neither",
     .summary = "The slope of the line of truth on prediction, 1 for the best: below it where "
                "predictions are too extreme.",
     .reference = "Mincer1969",
     .needs = kVariedPrediction,
     .value = [](const RegressionView& s, double) { return s.both / s.prediction; }},
    {.name = "intercept",
     .symbol = "a",
     .formula = "\\bar y - b\\, \\bar p",
     .lo = -kUnbounded,
     .hi = kUnbounded,
     .better = "neither",
     .summary = "The intercept of the line of truth on prediction, 0 for the best.",
     .reference = "Mincer1969",
     .needs = kVariedPrediction,
     .value = [](const RegressionView& s, double) { return s.intercept; }},
    {.name = "max_error",
     .symbol = "\\mathrm{max}",
     .formula = "\\max |y - p|",
     .hi = kUnbounded,
     .better = "lower",
     .summary = "The size of the largest error.",
     .reference = "Willmott1982",
     .needs = kErrorBound,
     .value = [](const RegressionView& s, double) { return s.largest_error; }},
    {.name = "nrmse",
     .aliases = "nrmse_range",
     .symbol = "\\mathrm{NRMSE}",
     .formula = "\\frac{\\mathrm{RMSE}}{\\max y - \\min y}",
     .hi = kUnbounded,
     .better = "lower",
     .summary = "The root mean squared error as a share of the range of the truth.",
     .reference = "Willmott1982",
     .needs = kVariedTruth | kTruthBounds,
     .value = [](const RegressionView& s,
                 double) { return rmse(s) / (s.largest_truth - s.least_truth); }},
    {.name = "nrmse_mean",
     .aliases = "cv_rmse",
     .symbol = "\\mathrm{CV(RMSE)}",
     .formula = "\\frac{\\mathrm{RMSE}}{|\\bar y|}",
     .hi = kUnbounded,
     .better = "lower",
     .summary = "The root mean squared error as a share of the mean of the truth.",
     .reference = "Willmott1982",
     .needs = kTruthMean,
     .value = [](const RegressionView& s, double) { return rmse(s) / std::fabs(s.mean_truth); }},
    {.name = "nrmse_std",
     .aliases = "rsr",
     .symbol = "\\mathrm{RSR}",
     .formula = "\\frac{\\mathrm{RMSE}}{\\sqrt{\\sum (y - \\bar y)^2 / n}}",
     .hi = kUnbounded,
     .better = "lower",
     .summary = "The root mean squared error as a share of the standard deviation of the truth.",
     .reference = "Moriasi2007",
     .needs = kVariedTruth,
     .value = [](const RegressionView& s, double) { return rmse(s) / deviation(s); }},
    {.name = "mase",
     .aliases = "mean_absolute_scaled_error",
     .symbol = "\\mathrm{MASE}",
     .formula = "\\frac{\\mathrm{MAE}}{\\mathrm{MAE}_{\\text{naive}}}",
     .hi = kUnbounded,
     .better = "lower",
     .summary = "The mean absolute error as a share of that of a naive forecast, which is given: "
                "below 1 is better than it.",
     .reference = "Hyndman2006",
     .params = kNaive,
     .value = [](const RegressionView& s, double naive) { return s.size / s.n / naive; }},
    {.name = "pinball",
     .aliases = "mean_pinball_loss quantile_loss",
     .symbol = "L_q",
     .formula = "\\frac{1}{n} \\left( q \\sum_{y > p} |e| + (1 - q) \\sum_{y < p} |e| \\right)",
     .hi = kUnbounded,
     .better = "lower",
     .summary = "The loss of predicting a quantile: errors of too low predictions count q, those "
                "of too high ones 1 - q.",
     .reference = "Koenker1978",
     .params = kQuantile,
     .value = [](const RegressionView& s, double q) { return pinball(s, q) / s.n; }},
    {.name = "median_absolute_error",
     .aliases = "median_ae",
     .symbol = "\\mathrm{MedAE}",
     .formula = "\\mathrm{median} |y - p|",
     .hi = kUnbounded,
     .better = "lower",
     .summary = "The median of the sizes of the errors, which a few large ones do not change.",
     .reference = "Hyndman2006",
     .term = MomentTerm::kErrors,
     .value = [](const RegressionView& s, double) { return quantile(s, 0.5); }},
    {.name = "error_quantile",
     .symbol = "|e|_q",
     .formula = "\\min \\{ t : \\textstyle \\sum [|y - p| \\le t] \\ge q\\, n \\}",
     .hi = kUnbounded,
     .better = "lower",
     .summary = "The size of error that a share q of the rows does not exceed.",
     .reference = "Hyndman2006",
     .term = MomentTerm::kErrors,
     .params = kShare,
     .value = [](const RegressionView& s, double q) { return quantile(s, q); }},
};

}  // namespace

std::span<const RegressionRow> regression_rows() {
  static const auto all = [] {
    std::vector<RegressionRow> out(std::begin(kRows), std::end(kRows));
    for (const RegressionRow& row : regression_loss_rows()) out.push_back(row);
    return out;
  }();
  return all;
}

}  // namespace confmat::metrics
