// Metrics of one class as the overlap of two sets of rows, those truly of it and those predicted.
#include <limits>

#include "confmat/metrics/row.hpp"

namespace confmat::metrics {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr auto kLower = Better::kLower;
constexpr Param kTverskyParams[] = {
    {.name = "alpha", .symbol = "\\alpha", .text = "the weight of fp", .value = 0.5, .most = 1e60},
    {.name = "beta",
     .symbol = "\\beta",
     .text = "the weight of fn; 1 - alpha where it is not given",
     .value = kRestOfOne,
     .most = 1e60}};

constexpr Row kRows[] = {
    binary({.name = "overlap_coefficient",
            .aliases = "szymkiewicz_simpson",
            .symbol = "\\mathrm{OC}",
            .summary = "Rows of the class predicted as it, over the smaller of the two sets.",
            .undefined = "tp + fp = 0 or tp + fn = 0",
            .reference = "Simpson1960",
            .transpose = "="},
           [](auto c) { return c.tp / smaller(c.tp + c.fp, c.tp + c.fn); }),
    binary({.name = "braun_blanquet",
            .symbol = "\\mathrm{BB}",
            .summary = "Rows of the class predicted as it, over the larger of the two sets.",
            .undefined = "tp + fp = 0 and tp + fn = 0",
            .reference = "BraunBlanquet1932",
            .transpose = "="},
           [](auto c) { return c.tp / larger(c.tp + c.fp, c.tp + c.fn); }),
    averaged({.name = "class_balance_accuracy",
              .aliases = "cba",
              .symbol = "\\mathrm{CBA}",
              .summary = "The mean over classes of the smaller of precision and recall.",
              .reference = "Mosley2013",
              .transpose = "="},
             "braun_blanquet", Average::kMacro),
    binary({.name = "class_success_index",
            .aliases = "icsi individual_classification_success_index",
            .symbol = "\\mathrm{ICSI}",
            .lo = -1.0,
            .summary = "Precision plus recall minus one.",
            .reference = "Labatut2011",
            .transpose = "="},
           [](auto c) { return (c.tp * c.tp - c.fp * c.fn) / ((c.tp + c.fp) * (c.tp + c.fn)); }),
    averaged({.name = "classification_success_index",
              .symbol = "\\mathrm{CSI}",
              .lo = -1.0,
              .summary = "The mean over classes of precision plus recall minus one.",
              .reference = "Labatut2011",
              .transpose = "="},
             "class_success_index", Average::kMacro),
    binary(
        {.name = "tversky",
         .aliases = "tversky_index",
         .symbol = "S_{\\alpha,\\beta}",
         .summary = "Rows of the class predicted as it, over these and the wrong ones, of which "
                    "fp weigh alpha and fn beta.",
         .reference = "Tversky1977",
         .params = kTverskyParams,
         .edges = true},
        [](auto c, auto alpha, auto beta) { return c.tp / (c.tp + alpha * c.fp + beta * c.fn); }),
    binary({.name = "lift",
            .aliases = "lift_score",
            .symbol = "\\mathrm{lift}",
            .hi = kInf,
            .summary = "How many times as frequent the class is among rows predicted as it.",
            .reference = "Brin1997",
            .transpose = "=",
            .perfect = false},
           [](auto c) {
             const auto n = c.tp + c.fp + c.fn + c.tn;
             return c.tp * n / ((c.tp + c.fp) * (c.tp + c.fn));
           }),
    binary({.name = "information_score",
            .symbol = "\\mathrm{IS}",
            .lo = -kInf,
            .hi = kInf,
            .summary = "The logarithm of the lift: how many bits a prediction of the class tells "
                       "of it; -inf where none is right.",
            .undefined = "tp + fp = 0 or tp + fn = 0",
            .reference = "Kononenko1991",
            .transpose = "=",
            .perfect = false,
            .averages = kUnpooled},
           [](auto c) {
             const auto n = c.tp + c.fp + c.fn + c.tn;
             return log_quotient(c.tp * n, (c.tp + c.fp) * (c.tp + c.fn)) / ln_two(c.tp);
           }),
    binary({.name = "bray_curtis",
            .aliases = "bray_curtis_dissimilarity",
            .symbol = "\\mathrm{BC}",
            .hi = 0.5,
            .better = kLower,
            .summary = "How far the sizes of the two sets are apart, over twice the number of "
                       "rows.",
            .reference = "Bray1957",
            .transpose = "=",
            .swap = "=",
            .shape = Shape::kFree,
            .averages = kUnpooled},
           [](auto c) { return magnitude(c.fp - c.fn) / (2 * (c.tp + c.fp + c.fn + c.tn)); }),
    binary({.name = "equitable_threat_score",
            .aliases = "ets gilbert_skill_score",
            .symbol = "\\mathrm{ETS}",
            .lo = -1.0 / 3.0,
            .summary = "Jaccard of what is right beyond chance.",
            .undefined = "nothing is wrong, and truth and prediction are all on one side",
            .reference = "Schaefer1990",
            .transpose = "=",
            .swap = "=",
            .fourfold = true,
            .averages = kUnpooled},
           [](auto c) {
             const auto beyond = c.tp * c.tn - c.fp * c.fn;
             return beyond / (beyond + (c.tp + c.fp + c.fn + c.tn) * (c.fp + c.fn));
           }),
};

}  // namespace

std::span<const Row> overlap_rows() { return kRows; }

}  // namespace confmat::metrics
