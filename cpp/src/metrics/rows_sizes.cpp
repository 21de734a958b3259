// Sizes that the four cells of one class make, and shares of rows that they make by chance.
#include <limits>

#include "confmat/metrics/row.hpp"

namespace confmat::metrics {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr auto kLower = Better::kLower;
constexpr auto kNeither = Better::kNeither;

constexpr Row kRows[] = {
    binary({.name = "population",
            .symbol = "N",
            .hi = kInf,
            .better = kNeither,
            .summary = "How many rows (or how much weight) there are, the same for every class.",
            .undefined = "never",
            .reference = "Powers2011",
            .transpose = "=",
            .swap = "=",
            .perfect = false,
            .scale = false,
            .averages = kNoAverage},
           [](auto c) { return c.tp + c.fp + c.fn + c.tn; }),
    binary({.name = "support_negative",
            .aliases = "condition_negative",
            .symbol = "N - r",
            .hi = kInf,
            .better = kNeither,
            .summary = "How many rows (or how much weight) truly are of other classes.",
            .undefined = "never",
            .reference = "Powers2011",
            .transpose = "predicted_support_negative",
            .swap = "support",
            .perfect = false,
            .scale = false,
            .averages = kNoAverage},
           [](auto c) { return c.fp + c.tn; }),
    binary({.name = "predicted_support",
            .aliases = "predicted_positives test_outcome_positive",
            .symbol = "c",
            .hi = kInf,
            .better = kNeither,
            .summary = "How many rows (or how much weight) are predicted as the class.",
            .undefined = "never",
            .reference = "Powers2011",
            .transpose = "support",
            .swap = "predicted_support_negative",
            .perfect = false,
            .scale = false,
            .shape = Shape::kLinear,
            .averages = kNoAverage},
           [](auto c) { return c.tp + c.fp; }),
    binary({.name = "predicted_support_negative",
            .aliases = "predicted_negatives test_outcome_negative",
            .symbol = "N - c",
            .hi = kInf,
            .better = kNeither,
            .summary = "How many rows (or how much weight) are not predicted as the class.",
            .undefined = "never",
            .reference = "Powers2011",
            .transpose = "support_negative",
            .swap = "predicted_support",
            .perfect = false,
            .scale = false,
            .shape = Shape::kLinear,
            .averages = kNoAverage},
           [](auto c) { return c.fn + c.tn; }),
    binary({.name = "prediction_excess",
            .aliases = "automatic_manual",
            .symbol = "c - r",
            .lo = -kInf,
            .hi = kInf,
            .better = kNeither,
            .summary = "How many more rows are predicted as the class than truly are of it.",
            .undefined = "never",
            .reference = "Haghighi2018",
            .perfect = false,
            .scale = false,
            .shape = Shape::kLinear,
            .averages = kNoAverage},
           [](auto c) { return c.fp - c.fn; }),
    binary({.name = "hamming_distance",
            .symbol = "d_H",
            .hi = kInf,
            .better = kLower,
            .summary = "How many rows are on one side of the class in truth and on the other in "
                       "prediction.",
            .undefined = "never",
            .reference = "Hamming1950",
            .transpose = "=",
            .swap = "=",
            .scale = false,
            .averages = kNoAverage},
           [](auto c) { return c.fp + c.fn; }),
    binary({.name = "detection_rate",
            .symbol = "\\mathrm{DR}",
            .summary = "The share of all rows that are of the class and predicted as it.",
            .reference = "Kuhn2008",
            .transpose = "=",
            .perfect = false},
           [](auto c) { return c.tp / (c.tp + c.fp + c.fn + c.tn); }),
    binary({.name = "chance_agreement",
            .aliases = "racc",
            .symbol = "p_{e,k}",
            .better = kNeither,
            .summary = "The share of rows that would be of the class and predicted as it by "
                       "chance, from its two shares.",
            .reference = "Cohen1960",
            .unaveraged = "adds up over the classes, to expected_accuracy",
            .transpose = "=",
            .perfect = false,
            .fourfold = true,
            .shape = Shape::kLinear,
            .averages = kNoAverage},
           [](auto c) {
             const auto n = c.tp + c.fp + c.fn + c.tn;
             return (c.tp + c.fp) * (c.tp + c.fn) / (n * n);
           }),
    binary({.name = "chance_agreement_unbiased",
            .aliases = "raccu",
            .symbol = "p_{u,k}",
            .better = kNeither,
            .summary = "The same where truth and prediction are taken to have one share of the "
                       "class, the mean of the two.",
            .reference = "Scott1955",
            .unaveraged = "adds up over the classes, to expected_accuracy_unbiased",
            .transpose = "=",
            .perfect = false,
            .fourfold = true,
            .shape = Shape::kFree,
            .averages = kNoAverage},
           [](auto c) {
             const auto n = c.tp + c.fp + c.fn + c.tn;
             return square(2 * c.tp + c.fp + c.fn) / (4 * (n * n));
           }),
};

}  // namespace

std::span<const Row> size_rows() { return kRows; }

}  // namespace confmat::metrics
