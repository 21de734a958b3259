// Metrics of one class that weigh recall against specificity, as tests of a condition are judged.
#include <limits>
#include <numbers>

#include "confmat/metrics/row.hpp"

namespace confmat::metrics {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr auto kLower = Better::kLower;

constexpr std::string_view kInfinite =
    "is infinite with either sign where a cell is 0, and so would a mean over the classes be";

constexpr Param kIbaParams[] = {{.name = "alpha",
                                 .symbol = "\\alpha",
                                 .text = "the weight of recall less specificity",
                                 .value = 1.0,
                                 .most = 1.0}};
constexpr Param kNetBenefitParams[] = {{.name = "threshold",
                                        .symbol = "\\tau",
                                        .text = "the probability from which on acting is worth it",
                                        .value = 0.5,
                                        .most = 0.999999}};

constexpr Row kRows[] = {
    binary({.name = "kappa_binary",
            .aliases = "heidke_skill_score hss",
            .symbol = "\\kappa_k",
            .lo = -1.0,
            .summary = "Agreement beyond chance for one class against the rest.",
            .undefined = "truth and prediction are all on one and the same side",
            .reference = "Cohen1960",
            .transpose = "=",
            .swap = "=",
            .fourfold = true,
            .averages = kUnpooled},
           [](auto c) {
             return 2 * (c.tp * c.tn - c.fp * c.fn) /
                    ((c.tp + c.fn) * (c.fn + c.tn) + (c.tp + c.fp) * (c.fp + c.tn));
           }),
    binary({.name = "yule_q",
            .symbol = "Q",
            .lo = -1.0,
            .summary = "The odds ratio less one over the odds ratio plus one.",
            .undefined = "fp * fn = 0 and tp * tn = 0",
            .reference = "Yule1900",
            .transpose = "=",
            .swap = "=",
            .averages = kUnpooled},
           [](auto c) { return (c.tp * c.tn - c.fp * c.fn) / (c.tp * c.tn + c.fp * c.fn); }),
    binary({.name = "discriminant_power",
            .symbol = "\\mathrm{DP}",
            .lo = -kInf,
            .hi = kInf,
            .summary = "The natural logarithm of the diagnostic odds ratio, times sqrt(3) / pi; "
                       "infinite where one cell is 0.",
            .undefined = "fp * fn = 0 and tp * tn = 0",
            .reference = "Sokolova2006",
            .unaveraged = kInfinite,
            .transpose = "=",
            .swap = "=",
            .averages = kNoAverage},
           [](auto c) {
             constexpr double kUnit = std::numbers::sqrt3 * std::numbers::inv_pi;
             return kUnit * log_quotient(c.tp * c.tn, c.fp * c.fn);
           }),
    binary({.name = "d_prime",
            .aliases = "sensitivity_index",
            .symbol = "d'",
            .lo = -kInf,
            .hi = kInf,
            .summary = "The distance of the two sides in standard deviations of scores that are "
                       "normal; infinite where a cell is 0.",
            .undefined = "(tp + fn) * (fp + tn) * (tp + fp) * (fn + tn) = 0",
            .reference = "Green1966",
            .unaveraged = kInfinite,
            .swap = "=",
            .averages = kNoAverage},
           [](auto c) { return normal_distance_of(c.tp, c.fn, c.fp, c.tn); }),
    binary({.name = "symmetric_extremal_dependence",
            .aliases = "sedi symmetric_extremal_dependence_index",
            .symbol = "\\mathrm{SEDI}",
            .lo = -1.0,
            .summary = "How far recall and fpr are apart on a logarithmic scale that does not fade "
                       "for rare classes.",
            .undefined = "fp * fn = 0 and tp * tn = 0",
            .reference = "Ferro2011",
            .swap = "=",
            .averages = kUnpooled},
           [](auto c) {
             return log_contrast(c.tp * c.tn, c.fp * c.fn, (c.tp + c.fn) * (c.fp + c.tn));
           }),
    binary(
        {.name = "roc_distance",
         .aliases = "distance_index closest_topleft",
         .symbol = "d_{ROC}",
         .hi = std::numbers::sqrt2,
         .better = kLower,
         .summary = "How far the point of the ROC curve is from its perfect corner.",
         .reference = "PerkinsSchisterman2006",
         .swap = "=",
         .averages = kUnpooled},
        [](auto c) { return root(square(c.fn / (c.tp + c.fn)) + square(c.fp / (c.fp + c.tn))); }),
    binary({.name = "roc_similarity",
            .aliases = "similarity_index",
            .symbol = "s_{ROC}",
            .summary = "One less the distance to the perfect corner of the ROC curve, over "
                       "sqrt(2).",
            .undefined = "tp + fn = 0 or fp + tn = 0",
            .reference = "PerkinsSchisterman2006",
            .swap = "=",
            .averages = kUnpooled},
           [](auto c) {
             const auto missed = c.fn / (c.tp + c.fn), alarmed = c.fp / (c.fp + c.tn);
             const auto found = c.tp / (c.tp + c.fn), quiet = c.tn / (c.fp + c.tn);
             return (found * (1 + missed) + quiet * (1 + alarmed)) /
                    (2 + root(2 * (square(missed) + square(alarmed))));
           }),
    binary({.name = "optimized_precision",
            .aliases = "optimisation_precision",
            .symbol = "\\mathrm{OP}",
            .lo = -1.0,
            .summary = "Accuracy less how far recall and specificity are apart, over their sum.",
            .undefined = "recall or specificity is undefined, or both are 0",
            .reference = "Ranawana2006",
            .swap = "=",
            .shape = Shape::kFree,
            .averages = kUnpooled},
           [](auto c) {
             const auto n = c.tp + c.fp + c.fn + c.tn;
             const auto recall = c.tp * (c.fp + c.tn), specificity = c.tn * (c.tp + c.fn);
             const auto apart = magnitude(specificity - recall);
             return difference_of_products(c.tp + c.tn, recall + specificity, n, apart) /
                    (n * (recall + specificity));
           }),
    binary({.name = "index_balanced_accuracy",
            .aliases = "iba",
            .symbol = "\\mathrm{IBA}_\\alpha",
            .summary = "Recall times specificity, more where recall is the larger of the two.",
            .reference = "Garcia2009",
            .params = kIbaParams,
            .shape = Shape::kFree,
            .averages = kUnpooled},
           [](auto c, auto alpha) {
             const auto recall = c.tp / (c.tp + c.fn), fpr = c.fp / (c.fp + c.tn);
             return ((1 - alpha) + alpha * (recall + fpr)) * recall * (c.tn / (c.fp + c.tn));
           }),
    binary({.name = "adjusted_gmean",
            .aliases = "agm adjusted_geometric_mean",
            .symbol = "\\mathrm{AGM}",
            .summary = "The geometric mean of recall and specificity, with specificity counted "
                       "again by the share of the rest; 0 where recall is.",
            .undefined = "tp + fn = 0 or fp + tn = 0",
            .reference = "Batuwita2012",
            .averages = kUnpooled},
           [](auto c) {
             const auto rest = (c.fp + c.tn) / (c.tp + c.fp + c.fn + c.tn);
             const auto gmean = root(c.tp * c.tn / ((c.tp + c.fn) * (c.fp + c.tn)));
             return sign(c.tp) * (gmean + c.tn / (c.fp + c.tn) * rest) / (1 + rest);
           }),
    binary({.name = "adjusted_f",
            .aliases = "agf adjusted_f_score",
            .symbol = "\\mathrm{AGF}",
            .summary = "The geometric mean of F2 of the class and F0.5 of the rest.",
            .undefined = "tp + fp + fn = 0 or tn + fp + fn = 0",
            .reference = "Maratea2014",
            .averages = kUnpooled},
           [](auto c) {
             const auto wrong = 4 * c.fn + c.fp;
             // Two quotients, as the product of the whole numbers may be beyond 128 bits.
             return 5 * root(c.tp / (5 * c.tp + wrong) * (c.tn / (5 * c.tn + wrong)));
           }),
    binary({.name = "prevalence_threshold",
            .symbol = "\\varphi_e",
            .better = kLower,
            .summary = "The prevalence below which the precision of this recall and specificity "
                       "falls fastest.",
            .undefined = "recall or fpr is undefined, or both are 0",
            .reference = "Balayla2020",
            .averages = kUnpooled},
           [](auto c) {
             const auto fpr = root(c.fp / (c.fp + c.tn));
             return fpr / (root(c.tp / (c.tp + c.fn)) + fpr);
           }),
    binary({.name = "net_benefit",
            .symbol = "\\mathrm{NB}",
            .lo = -kInf,
            .summary = "The share of rows rightly called positive, less that of false alarms times "
                       "the odds of the threshold.",
            .undefined = "there are no rows",
            .reference = "Vickers2006",
            .params = kNetBenefitParams,
            .unaveraged = "is of the class acted on, whose threshold weighs false alarms",
            .perfect = false,
            .averages = kNoAverage},
           [](auto c, auto threshold) {
             return ((1 - threshold) * c.tp - threshold * c.fp) /
                    ((1 - threshold) * (c.tp + c.fp + c.fn + c.tn));
           }),
};

}  // namespace

std::span<const Row> diagnostic_rows() { return kRows; }

}  // namespace confmat::metrics
