// Entropies, mutual information and confusion entropies. Entropies are in bits.
#include <limits>
#include <numbers>

#include "confmat/metrics/row.hpp"

namespace confmat::metrics {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr auto kLower = Better::kLower;
constexpr auto kNeither = Better::kNeither;

// Shapes of two classes: x ln(x / a) is convex in x and a together, so entropies and CEN are
// concave (domes with a factor of 2) and mutual information is convex, 0 at independence. Over
// concave entropies it still grows away from there. MCEN divides what is concave by 3 n plus the
// errors, which differ by at most 4/3 (a factor of 8/3).

// In nats; the base cancels in normalised measures.
constexpr auto kTruth = [](const auto& t) {
  return -sum(t, [&t](auto k) { return weighted_log(k.row, k.row, t.n); }) / t.n;
};
constexpr auto kPrediction = [](const auto& t) {
  return -sum(t, [&t](auto k) { return weighted_log(k.col, k.col, t.n); }) / t.n;
};
constexpr auto kJoint = [](const auto& t) {
  return once(t, [&t] {
    return -sum_filled(t, [&t](auto x) { return weighted_log(x.cell, x.cell, t.n); }) / t.n;
  });
};
constexpr auto kMutual = [](const auto& t) {
  return once(t, [&t] {
    const auto total = sum_cells(
        t, [&t](auto x) { return surprise(x.cell, t.n, x.row * x.col); },
        [&t](auto margins) { return margins / t.n; });
    return total / t.n;
  });
};
// The shares q of class k, in cells and margins: sum of x ln(x / size of the class).
constexpr auto kSpread = [](auto x, auto i, auto j) {
  return weighted_log(x, x, i) + weighted_log(x, x, j);
};

// Confusion entropy is concave in the cells and the same under any order of the classes, so most
// where diagonal cells are equal, and others: with a share u of rows wrong it is
// u log(2 (K - 1) / u) / log(2 (K - 1)), most at u = 1 but for two classes.
constexpr double kMostOfTwo = 2 / (std::numbers::e * std::numbers::ln2);

constexpr Row kRows[] = {
    overall({.name = "entropy_true",
             .symbol = "H(T)",
             .hi = kInf,
             .better = kNeither,
             .summary = "The entropy of the true classes, in bits.",
             .reference = "Shannon1948",
             .transpose = "entropy_pred",
             .perfect = false},
            [](const auto& t) { return kTruth(t) / t.ln2; }),
    overall({.name = "entropy_pred",
             .symbol = "H(P)",
             .hi = kInf,
             .better = kNeither,
             .summary = "The entropy of the predicted classes, in bits.",
             .reference = "Shannon1948",
             .transpose = "entropy_true",
             .perfect = false,
             .shape = Shape::kDome},
            [](const auto& t) { return kPrediction(t) / t.ln2; }),
    overall({.name = "entropy_joint",
             .symbol = "H(T, P)",
             .hi = kInf,
             .better = kNeither,
             .summary = "The entropy of the pairs of true and predicted class, in bits.",
             .reference = "Shannon1948",
             .transpose = "=",
             .perfect = false,
             .shape = Shape::kDome},
            [](const auto& t) { return kJoint(t) / t.ln2; }),
    overall({.name = "entropy_true_given_pred",
             .symbol = "H(T | P)",
             .hi = kInf,
             .better = kLower,
             .summary = "How many bits of the true class are left when the prediction is known.",
             .reference = "Shannon1948",
             .transpose = "entropy_pred_given_true",
             .shape = Shape::kDome},
            [](const auto& t) {
              const auto left =
                  -sum_filled(t, [](auto x) { return weighted_log(x.cell, x.cell, x.col); });
              return left / (t.n * t.ln2);
            }),
    overall({.name = "entropy_pred_given_true",
             .aliases = "conditional_entropy",
             .symbol = "H(P | T)",
             .hi = kInf,
             .better = kLower,
             .summary = "How many bits of the prediction are left when the true class is known.",
             .reference = "Shannon1948",
             .transpose = "entropy_true_given_pred",
             .shape = Shape::kDome},
            [](const auto& t) {
              const auto left =
                  -sum_filled(t, [](auto x) { return weighted_log(x.cell, x.cell, x.row); });
              return left / (t.n * t.ln2);
            }),
    overall({.name = "cross_entropy",
             .aliases = "entropy_cross",
             .symbol = "H(T, \\hat{P})",
             .hi = kInf,
             .better = kNeither,
             .summary = "How many bits the true classes cost in a code made for the predicted "
                        "frequencies; infinite where a true class is never predicted.",
             .reference = "Good1952",
             .perfect = false,
             .shape = Shape::kFree},
            [](const auto& t) {
              const auto cost = -sum(t, [&t](auto k) { return weighted_log(k.row, k.col, t.n); });
              return cost / (t.n * t.ln2);
            }),
    overall({.name = "kl_divergence",
             .aliases = "kullback_leibler_divergence",
             .symbol = "D(T \\| P)",
             .hi = kInf,
             .better = kLower,
             .summary = "How many bits of that cost are due to predicted frequencies that are not "
                        "the true ones; infinite where a true class is never predicted.",
             .reference = "Kullback1951",
             .shape = Shape::kFree},
            [](const auto& t) {
              return sum(t, [](auto k) { return divergence(k.row, k.col); }) / (t.n * t.ln2);
            }),
    overall({.name = "mutual_information",
             .aliases = "mutual_info",
             .symbol = "I(T; P)",
             .hi = kInf,
             .summary = "How many bits the prediction tells about the truth.",
             .reference = "Shannon1948",
             .transpose = "=",
             .perfect = false,
             .shape = Shape::kAssociation},
            [](const auto& t) { return kMutual(t) / t.ln2; }),
    overall({.name = "homogeneity",
             .aliases = "homogeneity_score theil_u uncertainty_coefficient "
                        "relative_classifier_information rci",
             .symbol = "U(T | P)",
             .summary = "Mutual information over the entropy of the truth.",
             .undefined = "truth has one class only",
             .reference = "Rosenberg2007",
             .transpose = "completeness",
             .shape = Shape::kAssociation},
            [](const auto& t) { return kMutual(t) / kTruth(t); }),
    overall({.name = "completeness",
             .aliases = "completeness_score",
             .symbol = "U(P | T)",
             .summary = "Mutual information over the entropy of the prediction.",
             .undefined = "prediction has one class only",
             .reference = "Rosenberg2007",
             .transpose = "homogeneity",
             .shape = Shape::kAssociation},
            [](const auto& t) { return kMutual(t) / kPrediction(t); }),
    overall({.name = "nmi_joint",
             .symbol = "\\mathrm{NMI}_{joint}",
             .summary = "Mutual information over the joint entropy.",
             .undefined = "all rows are in one cell",
             .reference = "Yao2003",
             .transpose = "=",
             .shape = Shape::kAssociation},
            [](const auto& t) { return kMutual(t) / kJoint(t); }),
    overall({.name = "nmi_min",
             .symbol = "\\mathrm{NMI}_{min}",
             .summary = "Mutual information over the smaller entropy.",
             .undefined = "truth or prediction has one class only",
             .reference = "Kvalseth1987",
             .transpose = "=",
             .shape = Shape::kAssociation},
            [](const auto& t) { return kMutual(t) / smaller(kTruth(t), kPrediction(t)); }),
    overall({.name = "nmi_max",
             .symbol = "\\mathrm{NMI}_{max}",
             .summary = "Mutual information over the larger entropy.",
             .undefined = "truth and prediction have one class each",
             .reference = "Kvalseth1987",
             .transpose = "=",
             .shape = Shape::kAssociation},
            [](const auto& t) { return kMutual(t) / larger(kTruth(t), kPrediction(t)); }),
    overall({.name = "nmi_arithmetic",
             .aliases = "normalized_mutual_info_score nmi v_measure",
             .symbol = "\\mathrm{NMI}_{arith}",
             .summary = "Mutual information over the mean of the two entropies.",
             .undefined = "truth and prediction have one class each",
             .reference = "Kvalseth1987",
             .transpose = "=",
             .shape = Shape::kAssociation},
            [](const auto& t) { return 2 * kMutual(t) / (kTruth(t) + kPrediction(t)); }),
    overall({.name = "nmi_geometric",
             .symbol = "\\mathrm{NMI}_{geom}",
             .summary = "Mutual information over the geometric mean of the two entropies.",
             .undefined = "truth or prediction has one class only",
             .reference = "Strehl2002",
             .transpose = "=",
             .shape = Shape::kAssociation},
            [](const auto& t) { return kMutual(t) / root(kTruth(t) * kPrediction(t)); }),
    overall({.name = "cen",
             .aliases = "confusion_entropy",
             .symbol = "\\mathrm{CEN}",
             .hi = kMostOfTwo,
             .better = kLower,
             .summary = "The entropy of the errors of each class, weighted by its size; above 1, "
                        "at most 2 / (e ln 2), only for two classes.",
             .undefined = "there are fewer than two classes or no rows",
             .reference = "Wei2010",
             .transpose = "=",
             .min_classes = 2,
             .shape = Shape::kDome},
            [](const auto& t) {
              const auto spread = sum_off(
                  t, [](auto x) { return kSpread(x.cell, x.i.row + x.i.col, x.j.row + x.j.col); });
              return -spread / (2 * t.n * ln(2 * (t.k - 1)));
            }),
    overall(
        {.name = "mcen",
         .aliases = "modified_confusion_entropy",
         .symbol = "\\mathrm{MCEN}",
         .better = kLower,
         .summary =
             "Confusion entropy with the diagonal counted once: within 1 for two classes, too.",
         .of_two = "2\\, N - \\frac{1}{2} \\operatorname{tr} C \\text{ in place of } "
                   "2\\, N - \\operatorname{tr} C",
         .undefined = "there are fewer than two classes or no rows",
         .reference = "Delgado2019",
         .transpose = "=",
         .min_classes = 2,
         .shape = Shape::kDome},
        [](const auto& t) {
          const auto spread = sum_off(t, [](auto x) {
            return kSpread(x.cell, x.i.row + x.i.col - x.i.diag, x.j.row + x.j.col - x.j.diag);
          });
          return -spread / ((2 * t.n - t.trace) * ln(2 * (t.k - 1)));
        },
        [](auto c) {
          const auto wrong = c.fp + c.fn;
          const auto spread =
              kSpread(c.fp, c.tp + wrong, c.tn + wrong) + kSpread(c.fn, c.tp + wrong, c.tn + wrong);
          return -2 * spread / ((4 * wrong + 3 * (c.tp + c.tn)) * ln(2));
        }),
};

}  // namespace

std::span<const Row> information_rows() { return kRows; }

}  // namespace confmat::metrics
