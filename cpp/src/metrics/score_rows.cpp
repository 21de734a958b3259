// The score metrics. P and N are the weights of the positives and the negatives, p_i and n_i those
// at the distinct score s_i, tp_i and fp_i those at or above it.
#include <cmath>
#include <limits>

#include "confmat/metrics/score_row.hpp"

namespace confmat::metrics {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

double gap(const ScoreBin& bin) { return std::fabs(bin.positives - bin.scores); }

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
     .higher = false,
     .summary = "The rate of false positives where it equals that of false negatives, on the ROC "
                "curve drawn in straight lines.",
     .reference = "Martin1997",
     .needs = kCrossing,
     .needs_positives = true,
     .needs_negatives = true,
     .value = [](const ScoreSums& s) { return s.crossing; }},
    {.name = "brier",
     .aliases = "brier_score brier_score_loss",
     .symbol = "\\mathrm{BS}",
     .formula = "\\frac{\\sum_i p_i (1 - s_i)^2 + n_i s_i^2}{P + N}",
     .higher = false,
     .summary = "The mean squared difference of probability and outcome.",
     .reference = "Brier1950",
     .needs = kSquares,
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
    {.name = "log_loss",
     .aliases = "binary_cross_entropy",
     .symbol = "\\mathrm{LL}",
     .formula = "-\\frac{\\sum_i p_i \\ln s_i + n_i \\ln (1 - s_i)}{P + N},\\ "
                "\\varepsilon \\le s_i \\le 1 - \\varepsilon",
     .hi = kInf,
     .higher = false,
     .summary = "Minus the mean log-likelihood, in nats; probabilities are clipped at the "
                "resolution of their dtype, as in scikit-learn.",
     .reference = "Good1952",
     .needs = kLogs,
     .needs_probability = true,
     .value = [](const ScoreSums& s) { return s.logs / s.n; }},
    {.name = "ece",
     .aliases = "expected_calibration_error",
     .symbol = "\\mathrm{ECE}",
     .formula = "\\sum_b \\frac{|b|}{P + N} \\left| \\bar y_b - \\bar s_b \\right|",
     .higher = false,
     .summary = "The mean distance of probability and share of positives, over bins of equal "
                "width that are open below; every row weighs the same.",
     .reference = "Naeini2015",
     .needs = kBins,
     .needs_probability = true,
     .binned = true,
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
     .higher = false,
     .summary = "The largest distance of mean probability and share of positives, over bins of "
                "equal width that are open below.",
     .reference = "Naeini2015",
     .needs = kBins,
     .needs_probability = true,
     .binned = true,
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
     .higher = false,
     .summary = "The root of the mean squared distance of probability and share of positives, over "
                "bins of equal width that are open below.",
     .reference = "Kumar2019",
     .needs = kBins,
     .needs_probability = true,
     .binned = true,
     .value =
         [](const ScoreSums& s) {
           double total = 0.0;
           for (const ScoreBin& bin : s.bins) total += gap(bin) * (gap(bin) / bin.n);
           return std::sqrt(total / s.n);
         }},
};

}  // namespace

std::span<const ScoreRow> score_rows() { return kRows; }

}  // namespace confmat::metrics
