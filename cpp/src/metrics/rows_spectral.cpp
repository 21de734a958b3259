// Metrics of the spectra of a table: the normalised matrix M and the symmetric part B of the
// row-stochastic matrix. With two classes all of the first are forms of the binary MCC, and EVE
// grows with det B / (trace B)^2, which neither recall lowers.
#include <limits>

#include "confmat/metrics/row.hpp"

namespace confmat::metrics {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

constexpr auto kMcc = [](auto c) {
  return (c.tp * c.tn - c.fp * c.fn) /
         root((c.tp + c.fp) * (c.tn + c.fn) * ((c.tp + c.fn) * (c.tn + c.fp)));
};
constexpr auto kMccSize = [](auto c) { return magnitude(kMcc(c)); };
// 1 - MCC^2 is a sum of positive terms over the product of the margins: no digit is lost near 1.
constexpr auto kMccLog = [](auto c) {
  const auto right = c.tp * c.tn, wrong = c.fp * c.fn;
  const auto margins = (c.tp + c.fp) * (c.tn + c.fn) * ((c.tp + c.fn) * (c.tn + c.fp));
  const auto rows = c.tp * c.fp + c.tn * c.fn, cols = c.tp * c.fn + c.tn * c.fp;
  const auto rest = 4 * (right * wrong) + (right + wrong) * (rows + cols) + rows * cols;
  return log_of_root((right - wrong) / root(margins), rest / margins);
};

constexpr std::string_view kTwoRule =
    "there are fewer than two classes, or one of just two is never true or never predicted";
constexpr std::string_view kDetRule =
    "there are fewer than two classes, or one of just two is never true or never predicted; with "
    "more classes such a one makes it 0, with the reason";

constexpr Param kGmccMeanParams[] = {
    {.name = "p",
     .symbol = "p",
     .text = "exponent of the mean, at most 1: -1 harmonic, 0 geometric",
     .value = -1.0,
     .least = -kInf,
     .most = 1.0,
     .exponent = true}};

constexpr Row kRows[] = {
    overall(
        {.name = "gmcc",
         .aliases = "generalized_mcc det_mcc",
         .symbol = "\\det M",
         .lo = -1.0,
         .summary = "The determinant of the normalised matrix, which is the MCC for two "
                    "classes.",
         .undefined = kDetRule,
         .reference = "Itai2022",
         .transpose = "=",
         .degenerate = true,
         .decomposed = true,
         .min_classes = 2},
        [](const auto& t) { return t.det(); }, kMcc),
    overall(
        {.name = "gmcc_root",
         .symbol = "\\sqrt[K-1]{\\det M}",
         .lo = -1.0,
         .summary = "The signed (K-1)-th root of gmcc, which can be compared across numbers "
                    "of classes.",
         .undefined = kDetRule,
         .reference = "Itai2022",
         .transpose = "=",
         .degenerate = true,
         .decomposed = true,
         .min_classes = 2},
        [](const auto& t) { return t.root_of_det(); }, kMcc),
    overall(
        {.name = "log_abs_gmcc",
         .symbol = "\\ln|\\det M|",
         .lo = -kInf,
         .hi = 0.0,
         .summary = "The logarithm of the size of gmcc; -inf where gmcc is 0, good to 1e-10 "
                    "for counts of up to 64 classes.",
         .undefined = kDetRule,
         .reference = "Itai2022",
         .transpose = "=",
         .degenerate = true,
         .decomposed = true,
         .min_classes = 2,
         .shape = Shape::kAssociation},
        [](const auto& t) { return t.log_abs_det(); }, kMccLog),
    overall({.name = "gmcc_mean",
             .symbol = "\\det M_p",
             .lo = -1.0,
             .summary = "gmcc with the power mean of the two conditional probabilities; harmonic "
                        "unless told.",
             .undefined = kDetRule,
             .reference = "Itai2022",
             .params = kGmccMeanParams,
             .transpose = "=",
             .degenerate = true,
             .decomposed = true,
             .min_classes = 2},
            [](const auto& t, auto p) { return t.power_det(p); }),
    overall(
        {.name = "canonical_correlation",
         .aliases = "sigma_2 maximal_correlation",
         .symbol = "\\sigma_2",
         .summary = "The largest correlation of truth and prediction under any scores for "
                    "the classes.",
         .undefined = kTwoRule,
         .reference = "Hirschfeld1935",
         .transpose = "=",
         .decomposed = true,
         .min_classes = 2,
         .shape = Shape::kAssociation},
        [](const auto& t) { return t.canonical_correlation(); }, kMccSize),
    overall(
        {.name = "cramer_v",
         .aliases = "cramers_v",
         .symbol = "\\varphi_c",
         .summary = "Association of truth and prediction, from the chi-squared statistic; |MCC| "
                    "for two classes.",
         .undefined = kTwoRule,
         .reference = "Cramer1946",
         .transpose = "=",
         .fourfold = true,
         .min_classes = 2,
         .shape = Shape::kAssociation},
        [](const auto& t) {
          const auto chi = sum_cells(
              t,
              [&t](auto x) {
                return term_ratio(square(t.n * x.cell - x.row * x.col), x.row * x.col);
              },
              [](auto margins) { return real(margins); });
          return root(chi / (t.n * t.n * (t.k - 1)));
        },
        kMccSize),
    overall({.name = "eve",
             .aliases = "eigenvalue_entropy",
             .symbol = "\\mathrm{EVE}",
             .summary = "The entropy of the positive eigenvalues of the symmetric part of the "
                        "row-stochastic matrix.",
             .undefined = "there are fewer than two classes or no rows",
             .reference = "Dembele2025",
             .decomposed = true,
             .min_classes = 2},
            [](const auto& t) {
              return -sum_shares(t, [](auto share) { return x_ln_x(share); }) / ln(t.k);
            }),
};

}  // namespace

std::span<const Row> spectral_rows() { return kRows; }

}  // namespace confmat::metrics
