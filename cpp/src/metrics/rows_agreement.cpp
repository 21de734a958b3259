// Metrics of the whole table: accuracy and its kin, chance-corrected agreement, means of classes.
#include <limits>

#include "confmat/metrics/row.hpp"
#include "confmat/metrics/suffixes.hpp"

namespace confmat::metrics {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr auto kLower = Better::kLower;
constexpr auto kNeither = Better::kNeither;

constexpr auto kWrong = [](const auto& t) { return t.wrong() / t.n; };

// Of two classes.
constexpr auto kMcc = [](auto c) {
  return (c.tp * c.tn - c.fp * c.fn) /
         root((c.tp + c.fp) * (c.tn + c.fn) * ((c.tp + c.fn) * (c.tn + c.fp)));
};

constexpr Param kHarmonicParams[] = {{.name = "p",
                                      .symbol = "p",
                                      .text = kExponentText,
                                      .value = -1.0,
                                      .least = -kInf,
                                      .most = kInf,
                                      .exponent = true}};
constexpr Param kArithmeticParams[] = {{.name = "p",
                                        .symbol = "p",
                                        .text = kExponentText,
                                        .value = 1.0,
                                        .least = -kInf,
                                        .most = kInf,
                                        .exponent = true}};

constexpr Row kRows[] = {
    overall({.name = "accuracy",
             .aliases = "accuracy_score acc overall_accuracy pixel_accuracy",
             .symbol = "\\mathrm{ACC}",
             .summary = "The share of rows that are predicted right.",
             .reference = "Grandini2020",
             .one_of_two = "accuracy_binary",
             .transpose = "="},
            [](const auto& t) { return t.trace / t.n; }),
    overall({.name = "error",
             .aliases = "error_rate misclassification_rate",
             .symbol = "\\mathrm{ERR}",
             .better = kLower,
             .summary = "The share of rows that are predicted wrong.",
             .reference = "Grandini2020",
             .one_of_two = "error_binary",
             .transpose = "="},
            kWrong),
    overall({.name = "hamming_loss",
             .symbol = "L_H",
             .better = kLower,
             .summary = "The share of labels that are wrong; with one label a row, the error.",
             .reference = "Hamming1950",
             .one_of_two = "error_binary",
             .transpose = "="},
            kWrong),
    overall({.name = "zero_one_loss",
             .symbol = "L_{01}",
             .better = kLower,
             .summary = "The mean loss when each wrong row costs one, which is the error.",
             .reference = "Grandini2020",
             .one_of_two = "error_binary",
             .transpose = "="},
            kWrong),
    averaged({.name = "balanced_accuracy",
              .aliases = "balanced_accuracy_score bal_accuracy mean_per_class_accuracy "
                         "mean_pixel_accuracy uar",
              .symbol = "\\mathrm{BA}",
              .summary = "The mean over classes of recall, so that every class weighs the same.",
              .reference = "Brodersen2010",
              .transpose = "precision_macro"},
             "recall", Average::kMacro),
    averaged({.name = "balanced_accuracy_adjusted",
              .symbol = "\\mathrm{BA}_{adj}",
              .lo = -1.0,
              .summary = "Balanced accuracy rescaled so that guessing is 0 and perfect is 1.",
              .undefined = "fewer than two classes have a recall",
              .reference = "Brodersen2010",
              .one_of_two = "informedness",
              .min_classes = 2},
             "recall", Average::kMacro,
             [](auto mean, auto used) { return (mean - 1 / used) / (1 - 1 / used); }),
    of_margins(
        {.name = "balanced_accuracy_weighted",
         .symbol = "\\mathrm{BA}_w",
         .summary = "Recalls weighted by class frequency, over the number of classes: accuracy "
                    "/ K, so at most 1 / K.",
         .reference = "Grandini2020",
         .transpose = "=",
         .perfect = false},
        [](const auto& t) { return t.trace / (t.n * t.k); }),
    overall(
        {.name = "mcc",
         .aliases = "matthews_corrcoef matthews_correlation_coefficient r_k matthews",
         .symbol = "R_K",
         .lo = -1.0,
         .summary = "The correlation of truth and prediction over all classes.",
         .undefined = "all rows are of one true class, or all are predicted as one class",
         .reference = "Gorodkin2004",
         .transpose = "="},
        [](const auto& t) {
          const auto chance = sum(t, [](auto k) { return k.row * k.col; });
          const auto rows = sum(t, [](auto k) { return k.row * k.row; });
          const auto cols = sum(t, [](auto k) { return k.col * k.col; });
          return (t.n * t.trace - chance) / root((t.n * t.n - rows) * (t.n * t.n - cols));
        },
        kMcc),
    overall(
        {.name = "extended_mcc",
         .aliases = "emcc",
         .symbol = "\\mathrm{EMCC}",
         .lo = -1.0,
         .summary = "The product over classes of what is right less that of what is wrong, each as "
                    "a share of the margins: -1 wherever no row is right, which R_K need not be.",
         .undefined = "a class is never true, or never predicted",
         .reference = "Stoica2024",
         .transpose = "=",
         .min_classes = 2},
        [](const auto& t) {
          const auto right =
              sum(t, [](auto k) { return log_ratio(k.diag, k.row) + log_ratio(k.diag, k.col); });
          const auto wrong = sum(t, [](auto k) {
            return log_ratio(k.row - k.diag, k.row) + log_ratio(k.col - k.diag, k.col);
          });
          return power_of_e(right / 2) - power_of_e(wrong / 2);
        },
        kMcc),
    of_margins({.name = "kappa",
                .aliases = "cohen_kappa cohen_kappa_score cohens_kappa kap",
                .symbol = "\\kappa",
                .lo = -1.0,
                .summary = "Agreement beyond what the margins alone would give.",
                .undefined = "truth and prediction are all of one and the same class",
                .reference = "Cohen1960",
                .transpose = "="},
               [](const auto& t) {
                 const auto chance = sum(t, [](auto k) { return k.row * k.col; });
                 return (t.n * t.trace - chance) / (t.n * t.n - chance);
               }),
    overall({.name = "kappa_linear",
             .symbol = "\\kappa_1",
             .lo = -1.0,
             .summary = "Kappa of ordered classes: an error costs its distance.",
             .undefined = "truth and prediction are all of one and the same class",
             .reference = "Cohen1968",
             .transpose = "=",
             .relabel = false,
             .ordered = true},
            [](const auto& t) {
              const auto chance = sum_gaps<1>(t);
              const auto seen = t.n * sum_filled(t, [](auto x) { return x.gap * x.cell; });
              return (chance - seen) / chance;
            }),
    overall({.name = "kappa_quadratic",
             .aliases = "quadratic_weighted_kappa qwk",
             .symbol = "\\kappa_2",
             .lo = -1.0,
             .summary = "Kappa of ordered classes: an error costs its distance squared.",
             .undefined = "truth and prediction are all of one and the same class",
             .reference = "Cohen1968",
             .transpose = "=",
             .relabel = false,
             .ordered = true},
            [](const auto& t) {
              const auto chance = sum_gaps<2>(t);
              const auto seen = t.n * sum_filled(t, [](auto x) { return square(x.gap) * x.cell; });
              return (chance - seen) / chance;
            }),
    of_margins({.name = "nir",
                .aliases = "no_information_rate",
                .symbol = "\\mathrm{NIR}",
                .better = kNeither,
                .summary = "The accuracy of always predicting the most frequent class.",
                .reference = "Kuhn2008",
                .perfect = false},
               [](const auto& t) { return max_of(t, [](auto k) { return k.row; }) / t.n; }),
    of_margins(
        {.name = "expected_accuracy",
         .aliases = "random_accuracy",
         .symbol = "p_e",
         .better = kNeither,
         .summary = "The accuracy that the margins alone would give by chance.",
         .reference = "Cohen1960",
         .transpose = "=",
         .perfect = false,
         .shape = Shape::kLinear},
        [](const auto& t) { return sum(t, [](auto k) { return k.row * k.col; }) / (t.n * t.n); }),
    of_margins({.name = "imbalance_ratio",
                .symbol = "\\mathrm{IR}",
                .better = kNeither,
                .summary = "The smallest true class over the largest.",
                .undefined = "there are no rows",
                .reference = "Orriols2009",
                .perfect = false},
               [](const auto& t) {
                 return min_of(t, [](auto k) { return k.row; }) /
                        max_of(t, [](auto k) { return k.row; });
               }),
    averaged({.name = "generalized_f1",
              .aliases = "gf1",
              .symbol = "\\mathrm{GF1}",
              .summary = "F1 of every class, combined by a power mean; harmonic unless told.",
              .reference = "Itai2022",
              .params = kHarmonicParams,
              .transpose = "="},
             "f1", Average::kPower),
    averaged({.name = "generalized_fowlkes_mallows",
              .aliases = "gfm",
              .symbol = "\\mathrm{GFM}",
              .summary = "The diagonal of the normalised matrix, averaged over the classes.",
              .reference = "Itai2022",
              .params = kArithmeticParams,
              .transpose = "="},
             "fowlkes_mallows", Average::kPower),
    overall({.name = "f1_of_macros",
             .symbol = "F_1^{PR}",
             .summary = "The harmonic mean of macro precision and macro recall.",
             .undefined = "no class has a precision, none has a recall, or both means are 0",
             .reference = "Opitz2019",
             .transpose = "=",
             .over_classes = true},
            [](const auto& t) {
              const auto precision = mean_of(t, [](auto k) { return k.diag / k.col; });
              const auto recall = mean_of(t, [](auto k) { return k.diag / k.row; });
              return 2 * precision * recall / (precision + recall);
            }),
};

}  // namespace

std::span<const Row> agreement_rows() { return kRows; }

}  // namespace confmat::metrics
