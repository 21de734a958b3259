// The score metrics. P and N are the weights of the positives and the negatives, p_i and n_i those
// at the distinct score s_i, tp_i and fp_i those at or above it.
#include <cmath>
#include <limits>

#include "confmat/metrics/score_row.hpp"
#include "score_passes.hpp"

namespace confmat::metrics {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

double gap(const ScoreBin& bin) { return std::fabs(bin.positives - bin.scores); }

constexpr Param kBinCount[] = {{.name = "bins",
                                .text = "number of bins of equal width",
                                .value = 10,
                                .least = 1,
                                .most = 65536,
                                .whole = true}};
constexpr Param kEarly[] = {{.name = "alpha",
                             .text = "how fast the weight of a row falls with its rank: the first "
                                     "1.6 / alpha of the rows have four fifths of it",
                             .value = 20,
                             .least = 0.001,
                             .most = 1000}};

constexpr ScoreRow kRows[] = {
    {.name = "roc_auc",
     .aliases = "auc auroc roc_auc_score",
     .symbol = "\\mathrm{AUC}",
     .formula = "\\frac{\\sum_i n_i (\\mathrm{tp}_{i-1} + p_i / 2)}{P N}",
     .summary = "The share of pairs of a positive and a negative where the positive has the higher "
                "score; ties count half.",
     .reference = "Hanley1982",
     .needs = kPairs,
     .needs_positives = true,
     .needs_negatives = true,
     .value = [](const ScoreSums& s) { return s.auc; }},
    {.name = "gini",
     .aliases = "accuracy_ratio",
     .symbol = "G",
     .formula = "2\\, \\mathrm{AUC} - 1",
     .lo = -1.0,
     .summary = "Pairs in the right order minus pairs in the wrong order, as a share of all pairs: "
                "twice the AUC minus one.",
     .reference = "Hand2001",
     .needs = kPairs,
     .needs_positives = true,
     .needs_negatives = true,
     .value = [](const ScoreSums& s) { return s.gini; }},
    {.name = "average_precision",
     .aliases = "ap average_precision_score",
     .symbol = "\\mathrm{AP}",
     .formula = "\\sum_i \\frac{p_i}{P} \\frac{\\mathrm{tp}_i}{\\mathrm{tp}_i + \\mathrm{fp}_i}",
     .summary = "The mean over the positives of the precision at their score: the area under the "
                "precision-recall curve drawn in steps.",
     .reference = "Davis2006",
     .needs = kSteps,
     .needs_positives = true,
     .value = [](const ScoreSums& s) { return s.steps / s.positives; }},
    {.name = "pr_auc_trapezoid",
     .aliases = "auprc_trapezoid",
     .symbol = "\\mathrm{AUPRC}",
     .formula = "\\sum_i \\frac{p_i}{P} \\frac{\\mathrm{prec}_{i-1} + \\mathrm{prec}_i}{2},\\ "
                "\\mathrm{prec}_0 = 1",
     .summary = "The area under the precision-recall curve drawn in straight lines, which is too "
                "high: average_precision is the usual one.",
     .reference = "Davis2006",
     .needs = kTrapezoids,
     .needs_positives = true,
     .value = [](const ScoreSums& s) { return s.trapezoids / s.positives; }},
    {.name = "ks",
     .aliases = "kolmogorov_smirnov ks_statistic",
     .symbol = "\\mathrm{KS}",
     .formula = "\\max_i \\left| \\frac{\\mathrm{tp}_i}{P} - \\frac{\\mathrm{fp}_i}{N} \\right|",
     .summary =
         "The largest distance between the score distributions of positives and negatives, as "
         "in the two-sided test of Kolmogorov and Smirnov.",
     .reference = "Smirnov1948",
     .needs = kDistance,
     .needs_positives = true,
     .needs_negatives = true,
     .value = [](const ScoreSums& s) { return s.distance; }},
    {.name = "eer",
     .aliases = "equal_error_rate",
     .symbol = "\\mathrm{EER}",
     .formula = "\\mathrm{fpr} = \\mathrm{fnr}\\ \\text{on the ROC curve}",
     .summary = "The rate of false positives where it equals that of false negatives, on the ROC "
                "curve drawn in straight lines.",
     .reference = "Martin1997",
     .needs = kCrossing,
     .higher = false,
     .needs_positives = true,
     .needs_negatives = true,
     .value = [](const ScoreSums& s) { return s.crossing; }},
    {.name = "h_measure",
     .aliases = "hand_h_measure",
     .symbol = "H",
     .formula = "1 - \\frac{\\int \\min_i \\left( c\\, \\mathrm{fp}_i + (1 - c)\\, \\mathrm{fn}_i "
                "\\right) "
                "c (1 - c)\\, dc}{\\int \\min \\left( c N, (1 - c) P \\right) c (1 - c)\\, dc}",
     .summary =
         "How much of the cost of deciding without scores they save, each threshold the best "
         "for its costs: c, the cost of a false positive as a share of that of both errors, "
         "is of the density Beta(2, 2).",
     .reference = "Hand2009",
     .needs_positives = true,
     .needs_negatives = true,
     .over = [](const SweepView& s, const ScoreSums&, double) { return saved_cost(s, 2, 2); }},
    {.name = "h_measure_prior",
     .symbol = "H_\\pi",
     .formula = "1 - \\frac{\\int \\min_i \\left( c\\, \\mathrm{fp}_i + (1 - c)\\, \\mathrm{fn}_i "
                "\\right) "
                "u(c)\\, dc}{\\int \\min \\left( c N, (1 - c) P \\right) u(c)\\, dc},\\ u(c) = "
                "c^{P / (P + N)} (1 - c)^{N / (P + N)}",
     .summary = "The same where c is of the density Beta(1 + p, 2 - p), p the share of the "
                "positives: most weight is on costs that make both errors as dear in all.",
     .reference = "Hand2014",
     .needs_positives = true,
     .needs_negatives = true,
     .over =
         [](const SweepView& s, const ScoreSums& sums, double) {
           return saved_cost(s, 1 + sums.positives / sums.n, 1 + sums.negatives / sums.n);
         }},
    {.name = "pr_gain_auc",
     .aliases = "auprg",
     .symbol = "\\mathrm{AUPRG}",
     .formula =
         "\\int_0^1 \\mathrm{precG}\\, d\\, \\mathrm{recG},\\ \\mathrm{precG} = 1 - \\frac{P\\, "
         "\\mathrm{fp}}{N\\, \\mathrm{tp}},\\ \\mathrm{recG} = 1 - \\frac{P\\, \\mathrm{fn}}{N\\, "
         "\\mathrm{tp}}",
     .lo = -kInf,
     .summary = "The area under the curve of precision gain and recall gain, which is 1 of perfect "
                "scores and 0 of scores that tell nothing.",
     .reference = "Flach2015",
     .needs = kGains,
     .needs_positives = true,
     .needs_negatives = true,
     .value = [](const ScoreSums& s) { return s.gains; }},
    {.name = "bedroc",
     .symbol = "\\mathrm{BEDROC}",
     .formula = "\\frac{\\mathrm{RIE} - \\mathrm{RIE}_{\\min}}{\\mathrm{RIE}_{\\max} - "
                "\\mathrm{RIE}_{\\min}}",
     .summary = "How early the positives come, the sum of exp(-alpha rank / rows) over them, from "
                "0, where all come last, to 1, where all come first; over ties the mean of all "
                "orders.",
     .reference = "Truchon2007",
     .needs_positives = true,
     .needs_negatives = true,
     .params = kEarly,
     .over = early_share},
    {.name = "rie",
     .aliases = "robust_initial_enhancement",
     .symbol = "\\mathrm{RIE}",
     .formula = "\\frac{P + N}{P} \\sum_{i : y_i = 1} e^{-\\alpha r_i / (P + N)} \\Big/ \\sum_{r = "
                "1}^{P + N} "
                "e^{-\\alpha r / (P + N)}",
     .hi = kInf,
     .summary = "The sum of exp(-alpha rank / rows) over the positives, as a multiple of that of "
                "rows in random order; over ties the mean of all orders.",
     .reference = "Truchon2007",
     .needs_positives = true,
     .params = kEarly,
     .over = early_enhancement},
    {.name = "brier",
     .aliases = "brier_score brier_score_loss",
     .symbol = "\\mathrm{BS}",
     .formula = "\\frac{\\sum_i p_i (1 - s_i)^2 + n_i s_i^2}{P + N}",
     .summary = "The mean squared difference of probability and outcome.",
     .reference = "Brier1950",
     .needs = kSquares,
     .higher = false,
     .needs_probability = true,
     .value = [](const ScoreSums& s) { return s.squares / s.n; }},
    {.name = "brier_skill",
     .aliases = "brier_skill_score",
     .symbol = "\\mathrm{BSS}",
     .formula = "1 - \\mathrm{BS} \\Big/ \\frac{P N}{(P + N)^2}",
     .lo = -kInf,
     .summary = "How much better the Brier score is than that of always giving the share of the "
                "positives: 1 is perfect, 0 is no better.",
     .reference = "Murphy1973",
     .needs = kSquares,
     .needs_positives = true,
     .needs_negatives = true,
     .needs_probability = true,
     .value =
         [](const ScoreSums& s) { return 1 - s.squares / (s.positives * (s.negatives / s.n)); }},
    {.name = "d2_log_loss",
     .aliases = "log_loss_skill d2_log_loss_score",
     .symbol = "D^2",
     .formula = "1 - \\mathrm{LL} \\Big/ \\mathrm{H}\\left(\\frac{P}{P + N}\\right)",
     .lo = -kInf,
     .summary = "How much better the log loss is than that of always giving the share of the "
                "positives, the entropy: 1 is perfect, 0 is no better.",
     .reference = "Good1952",
     .needs = kLogs,
     .needs_positives = true,
     .needs_negatives = true,
     .needs_probability = true,
     .value =
         [](const ScoreSums& s) {
           const double entropy = s.positives * std::log1p(s.negatives / s.positives) +
                                  s.negatives * std::log1p(s.positives / s.negatives);
           return 1 - s.logs / entropy;
         }},
    {.name = "log_loss",
     .aliases = "binary_cross_entropy",
     .symbol = "\\mathrm{LL}",
     .formula = "-\\frac{\\sum_i p_i \\ln s_i + n_i \\ln (1 - s_i)}{P + N},\\ "
                "\\varepsilon \\le s_i \\le 1 - \\varepsilon",
     .hi = kInf,
     .summary = "Minus the mean log-likelihood, in nats; probabilities are clipped at the "
                "resolution of their dtype, as in scikit-learn.",
     .reference = "Good1952",
     .needs = kLogs,
     .higher = false,
     .needs_probability = true,
     .value = [](const ScoreSums& s) { return s.logs / s.n; }},
    {.name = "hinge_loss",
     .symbol = "\\mathrm{HL}",
     .formula = "\\frac{\\sum_i p_i \\max(0, 1 - s_i) + n_i \\max(0, 1 + s_i)}{P + N}",
     .hi = kInf,
     .summary = "The mean by how far scores of positives fail to be 1 or above, and those of "
                "negatives -1 or below: scores are signed distances, not probabilities.",
     .reference = "Vapnik1995",
     .higher = false,
     .over = hinge},
    {.name = "ece",
     .aliases = "expected_calibration_error",
     .symbol = "\\mathrm{ECE}",
     .formula = "\\sum_b \\frac{|b|}{P + N} \\left| \\bar y_b - \\bar s_b \\right|",
     .summary = "The mean distance of probability and share of positives, over bins of equal "
                "width that are open below; every row weighs the same.",
     .reference = "Naeini2015",
     .needs = kBins,
     .higher = false,
     .needs_probability = true,
     .params = kBinCount,
     .value =
         [](const ScoreSums& s) {
           double total = 0.0;
           for (const ScoreBin& bin : s.bins) total += gap(bin);
           return total / s.n;
         }},
    {.name = "mce",
     .aliases = "maximum_calibration_error",
     .symbol = "\\mathrm{MCE}",
     .formula = "\\max_b \\left| \\bar y_b - \\bar s_b \\right|",
     .summary = "The largest distance of mean probability and share of positives, over bins of "
                "equal width that are open below.",
     .reference = "Naeini2015",
     .needs = kBins,
     .higher = false,
     .needs_probability = true,
     .params = kBinCount,
     .value =
         [](const ScoreSums& s) {
           double most = 0.0;
           for (const ScoreBin& bin : s.bins) most = std::fmax(most, gap(bin) / bin.n);
           return most;
         }},
    {.name = "rms_ce",
     .aliases = "rms_calibration_error",
     .symbol = "\\mathrm{RMSCE}",
     .formula = "\\sqrt{\\sum_b \\frac{|b|}{P + N} \\left( \\bar y_b - \\bar s_b \\right)^2}",
     .summary = "The root of the mean squared distance of probability and share of positives, over "
                "bins of equal width that are open below.",
     .reference = "Kumar2019",
     .needs = kBins,
     .higher = false,
     .needs_probability = true,
     .params = kBinCount,
     .value =
         [](const ScoreSums& s) {
           double total = 0.0;
           for (const ScoreBin& bin : s.bins) total += gap(bin) * (gap(bin) / bin.n);
           return std::sqrt(total / s.n);
         }},
    {.name = "smooth_ece",
     .aliases = "smece",
     .symbol = "\\mathrm{smECE}",
     .formula =
         "\\sigma :\\ \\int_0^1 \\left| \\frac{\\sum_i \\left( p_i (1 - s_i) - n_i s_i \\right) "
         "K_\\sigma(t, s_i)}{P + N} \\right| dt = \\sigma",
     .summary =
         "The calibration error without bins: rows are spread by a normal density K that the "
         "ends of [0, 1] reflect, as wide as the error itself.",
     .reference = "Blasiok2024",
     .higher = false,
     .needs_probability = true,
     .over = smooth_error},
};

}  // namespace

std::span<const ScoreRow> score_rows() { return kRows; }

}  // namespace confmat::metrics
