// The metrics of regressions over sums of losses that are kept where they are named, and over bins
// of true numbers: see regression_rows.cpp.
#include <cmath>

#include "regression_rows.hpp"

namespace confmat::metrics {
namespace {

constexpr Param kInnerQuantile[] = {{.name = "quantile",
                                     .text = "the quantile that is predicted, between 0 and 1",
                                     .value = 0.5,
                                     .least = 0,
                                     .most = 1,
                                     .above_least = true,
                                     .below_most = true}};
constexpr Param kDelta[] = {{.name = "delta",
                             .text = "the size of errors from which on the loss is linear",
                             .value = 1,
                             .least = 0,
                             .most = kMostNumber,
                             .above_least = true}};

constexpr RegressionRow kLossRows[] = {
    {.name = "mape",
     .aliases = "mean_absolute_percentage_error",
     .symbol = "\\mathrm{MAPE}",
     .formula = "\\frac{1}{n} \\sum \\frac{|y - p|}{|y|}",
     .hi = kUnbounded,
     .better = "lower",
     .summary = "The mean of the sizes of the errors as shares of the truth, 0.1 being 10 %.",
     .reference = "Hyndman2006",
     .term = MomentTerm::kPercentage,
     .none = "a true value is 0",
     .value = [](const RegressionView& s, double) { return s.first / s.n; }},
    {.name = "smape",
     .aliases = "symmetric_mape",
     .symbol = "\\mathrm{SMAPE}",
     .formula = "\\frac{1}{n} \\sum \\frac{2 |y - p|}{|y| + |p|}",
     .hi = 2.0,
     .better = "lower",
     .summary = "The mean of the sizes of the errors as shares of the mean size of truth and "
                "prediction; 0 where both are 0.",
     .reference = "Hyndman2006",
     .term = MomentTerm::kSymmetric,
     .value = [](const RegressionView& s, double) { return s.first / s.n; }},
    {.name = "msle",
     .aliases = "mean_squared_log_error",
     .symbol = "\\mathrm{MSLE}",
     .formula = "\\frac{1}{n} \\sum \\left( \\log(1 + y) - \\log(1 + p) \\right)^2",
     .hi = kUnbounded,
     .better = "lower",
     .summary = "The mean squared error of the logarithms of 1 + y and 1 + p.",
     .reference = "Hyndman2006",
     .term = MomentTerm::kLogarithms,
     .none = "a value is not above -1",
     .value = [](const RegressionView& s, double) { return s.first / s.n; }},
    {.name = "rmsle",
     .aliases = "root_mean_squared_log_error",
     .symbol = "\\mathrm{RMSLE}",
     .formula = "\\sqrt{\\frac{1}{n} \\sum \\left( \\log(1 + y) - \\log(1 + p) \\right)^2}",
     .hi = kUnbounded,
     .better = "lower",
     .summary = "The square root of the mean squared error of logarithms.",
     .reference = "Hyndman2006",
     .term = MomentTerm::kLogarithms,
     .none = "a value is not above -1",
     .value = [](const RegressionView& s, double) { return std::sqrt(s.first / s.n); }},
    {.name = "huber",
     .aliases = "huber_loss",
     .symbol = "L_\\delta",
     .formula = "\\frac{1}{n} \\sum \\begin{cases} e^2 / 2 & |e| \\le \\delta \\\\ "
                "\\delta (|e| - \\delta / 2) & \\text{else} \\end{cases}",
     .hi = kUnbounded,
     .better = "lower",
     .summary = "The mean of a loss that is quadratic for small errors and linear for large ones.",
     .reference = "Huber1964",
     .term = MomentTerm::kHuber,
     .params = kDelta,
     .value = [](const RegressionView& s, double) { return s.first / s.n; }},
    {.name = "poisson_deviance",
     .aliases = "mean_poisson_deviance",
     .symbol = "D_{\\mathrm{Poisson}}",
     .formula = "\\frac{2}{n} \\sum \\left( y \\log(y / p) - y + p \\right)",
     .hi = kUnbounded,
     .better = "lower",
     .summary = "The mean deviance of a Poisson distribution, of counts.",
     .reference = "McCullagh1989",
     .term = MomentTerm::kPoisson,
     .none = "a true value is below 0, or a prediction not above 0",
     .value = [](const RegressionView& s, double) { return s.first / s.n; }},
    {.name = "gamma_deviance",
     .aliases = "mean_gamma_deviance",
     .symbol = "D_{\\mathrm{Gamma}}",
     .formula = "\\frac{2}{n} \\sum \\left( \\log(p / y) + y / p - 1 \\right)",
     .hi = kUnbounded,
     .better = "lower",
     .summary = "The mean deviance of a gamma distribution, of amounts: errors count as shares.",
     .reference = "McCullagh1989",
     .term = MomentTerm::kGamma,
     .none = "a value is not above 0",
     .value = [](const RegressionView& s, double) { return s.first / s.n; }},
    share_of_best(
        {.name = "d2_poisson",
         .symbol = "D^2_{\\mathrm{Poisson}}",
         .formula = "1 - \\frac{D(y, p)}{D(y, \\bar y)}",
         .summary = "The share of the Poisson deviance from the mean that predictions account for.",
         .reference = "Hastie2015",
         .needs = kDigits,
         .term = MomentTerm::kPoisson,
         .none = "a true value is below 0, or a prediction not above 0",
         .value = [](const RegressionView& s, double) { return 1 - s.first / s.null_deviance; }}),
    share_of_best(
        {.name = "d2_gamma",
         .symbol = "D^2_{\\mathrm{Gamma}}",
         .formula = "1 - \\frac{D(y, p)}{D(y, \\bar y)}",
         .summary = "The share of the gamma deviance from the mean that predictions account for.",
         .reference = "Hastie2015",
         .needs = kDigits,
         .term = MomentTerm::kGamma,
         .none = "a value is not above 0",
         .value = [](const RegressionView& s, double) { return 1 - s.first / s.null_deviance; }}),
    share_of_best(
        {.name = "d2_absolute_error",
         .aliases = "d2_absolute_error_score",
         .symbol = "D^2_{\\mathrm{abs}}",
         .formula = "1 - \\frac{\\sum |y - p|}{\\min_c \\sum |y - c|}",
         .summary = "The share of the absolute errors of the median of the truth that predictions "
                    "account for: 0 for the median as the only prediction.",
         .reference = "Koenker1999",
         .needs = kDigits,
         .least_loss = [](const NumberRanges& truths,
                          double) { return least_pinball(truths, 0.5); },
         .value = [](const RegressionView& s, double) { return 1 - s.size / 2 / s.null_loss; }}),
    share_of_best(
        {.name = "d2_pinball",
         .aliases = "d2_pinball_score",
         .symbol = "D^2_q",
         .formula = "1 - \\frac{\\sum \\rho_q(y - p)}{\\min_c \\sum \\rho_q(y - c)}, \\quad "
                    "\\rho_q(e) = \\max(q e, (q - 1) e)",
         .summary = "The share of the pinball loss of the quantile of the truth that predictions "
                    "account for: 0 for that quantile as the only prediction.",
         .reference = "Koenker1999",
         .needs = kDigits,
         .params = kInnerQuantile,
         .least_loss = least_pinball,
         .value = [](const RegressionView& s,
                     double q) { return 1 - pinball(s, q) / s.null_loss; }}),
    share_of_best(
        {.name = "d2_huber",
         .symbol = "D^2_\\delta",
         .formula = "1 - \\frac{\\sum \\rho_\\delta(y - p)}{\\min_c \\sum \\rho_\\delta(y - c)}, "
                    "\\quad \\rho_\\delta(e) = \\begin{cases} e^2 / 2 & |e| \\le \\delta \\\\ "
                    "\\delta (|e| - \\delta / 2) & \\text{else} \\end{cases}",
         .summary = "The share of the Huber loss of the best single prediction that predictions "
                    "account for.",
         .reference = "Huber1964",
         .needs = kDigits,
         .term = MomentTerm::kHuber,
         .params = kDelta,
         .least_loss = least_huber,
         .value = [](const RegressionView& s, double) { return 1 - s.first / s.null_loss; }}),
};

}  // namespace

std::span<const RegressionRow> regression_loss_rows() { return kLossRows; }

}  // namespace confmat::metrics
