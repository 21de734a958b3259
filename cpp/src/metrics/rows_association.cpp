// Agreement under other models of chance, and association of truth and prediction.
#include <limits>

#include "confmat/metrics/covariances.hpp"
#include "confmat/metrics/gaps.hpp"
#include "confmat/metrics/row.hpp"

namespace confmat::metrics {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr auto kLower = Better::kLower;
constexpr auto kNeither = Better::kNeither;

constexpr std::string_view kOneClass = "truth and prediction are all of one and the same class";
constexpr std::string_view kOneSide = "truth or prediction has one class only";

// Of rows and columns taken together, what is not chance: 4 n^2 less the squares of their sums.
constexpr auto kUnlike = [](const auto& t) {
  return 4 * (t.n * t.n) - sum(t, [](auto k) { return square(k.row + k.col); });
};
// n^2 phi^2.
constexpr auto kChi = [](const auto& t) {
  return once(t, [&t] {
    return sum_cells(
        t, [&t](auto x) { return term_ratio(square(t.n * x.cell - x.row * x.col), x.row * x.col); },
        [](auto margins) { return real(margins); });
  });
};

constexpr Row kRows[] = {
    of_margins({.name = "expected_accuracy_unbiased",
                .symbol = "p_u",
                .better = kNeither,
                .summary = "The accuracy by chance where truth and prediction share their class "
                           "frequencies.",
                .reference = "Scott1955",
                .transpose = "=",
                .perfect = false,
                .fourfold = true,
                .shape = Shape::kFree},
               [](const auto& t) {
                 return sum(t, [](auto k) { return square(k.row + k.col); }) / (4 * (t.n * t.n));
               }),
    of_margins({.name = "scott_pi",
                .aliases = "kappa_unbiased",
                .symbol = "\\pi_S",
                .lo = -1.0,
                .summary = "Agreement beyond what class frequencies shared by both sides give.",
                .undefined = kOneClass,
                .reference = "Scott1955",
                .transpose = "=",
                .fourfold = true},
               [](const auto& t) {
                 const auto chance = sum(t, [](auto k) { return square(k.row + k.col); });
                 return (4 * (t.n * t.trace) - chance) / (4 * (t.n * t.n) - chance);
               }),
    overall({.name = "krippendorff_alpha",
             .symbol = "\\alpha_K",
             .lo = -1.0,
             .summary = "Agreement beyond chance of two raters of nominal classes, corrected for "
                        "small samples.",
             .undefined = kOneClass,
             .reference = "Hayes2007",
             .transpose = "=",
             .scale = false,
             .fourfold = true},
            [](const auto& t) {
              const auto unlike = kUnlike(t);
              return (unlike - 2 * not_negative(2 * t.n - t.single) * t.wrong()) / unlike;
            }),
    overall({.name = "krippendorff_alpha_linear",
             .symbol = "\\alpha_{K,1}",
             .lo = -1.0,
             .summary = "Krippendorff's alpha of ordered classes: an error costs its distance.",
             .undefined = kOneClass,
             .reference = "Hayes2007",
             .transpose = "=",
             .scale = false,
             .relabel = false,
             .ordered = true,
             .fourfold = true},
            [](const auto& t) {
              const auto chance = gaps_of_ratings<1>(t);
              return (chance - 2 * not_negative(2 * t.n - t.single) * gaps_seen<1>(t)) / chance;
            }),
    overall(
        {.name = "krippendorff_alpha_quadratic",
         .aliases = "krippendorff_alpha_interval",
         .symbol = "\\alpha_{K,2}",
         .lo = -1.0,
         .summary = "Krippendorff's alpha of ordered classes: an error costs its distance squared.",
         .undefined = kOneClass,
         .reference = "Hayes2007",
         .transpose = "=",
         .scale = false,
         .relabel = false,
         .ordered = true,
         .fourfold = true},
        [](const auto& t) {
          const auto chance = gaps_of_ratings<2>(t);
          return (chance - 2 * not_negative(2 * t.n - t.single) * gaps_seen<2>(t)) / chance;
        }),
    of_margins({.name = "gwet_ac1",
                .symbol = "\\mathrm{AC}_1",
                .lo = -1.0,
                .summary = "Agreement beyond chance that stays high where one class prevails.",
                .undefined = "there are fewer than two classes or no rows",
                .reference = "Gwet2008",
                .transpose = "=",
                .fourfold = true,
                .min_classes = 2},
               [](const auto& t) {
                 const auto unlike = kUnlike(t);
                 return ((t.k - 1) * (4 * (t.n * t.trace)) - unlike) /
                        ((t.k - 1) * (4 * (t.n * t.n)) - unlike);
               }),
    overall({.name = "gwet_ac2_linear",
             .symbol = "\\mathrm{AC}_{2,1}",
             .lo = -2.0,
             .summary = "AC1 of ordered classes, all of which count: an error costs its distance; "
                        "at least (1 - 2 K) / (K + 1), and so above -2.",
             .undefined = "there are fewer than two classes or no rows",
             .reference = "Gwet2014",
             .transpose = "=",
             .relabel = false,
             .ordered = true,
             .fourfold = true,
             .min_classes = 2},
            [](const auto& t) {
              const auto below = 12 * (t.k - 1) * (t.n * t.n) - (2 * t.k - 1) * kUnlike(t);
              return (below - 12 * (t.n * gaps_seen<1>(t))) / below;
            }),
    overall({.name = "gwet_ac2_quadratic",
             .symbol = "\\mathrm{AC}_{2,2}",
             .lo = -5.0,
             .summary =
                 "AC1 of ordered classes, all of which count: an error costs its distance squared; "
                 "at least (7 - 5 K) / (K + 1), and so above -5.",
             .undefined = "there are fewer than two classes or no rows",
             .reference = "Gwet2014",
             .transpose = "=",
             .relabel = false,
             .ordered = true,
             .fourfold = true,
             .min_classes = 2},
            [](const auto& t) {
              const auto below =
                  24 * square(t.k - 1) * (t.n * t.n) - t.k * (5 * t.k - 7) * kUnlike(t);
              return (below - 24 * (t.n * gaps_seen<2>(t))) / below;
            }),
    of_margins({.name = "bennett_s",
                .aliases = "brennan_prediger pabak",
                .symbol = "S",
                .lo = -1.0,
                .summary = "Agreement beyond that of classes drawn evenly.",
                .undefined = "there are fewer than two classes or no rows",
                .reference = "Bennett1954",
                .transpose = "=",
                .min_classes = 2},
               [](const auto& t) { return (t.k * t.trace - t.n) / ((t.k - 1) * t.n); }),
    of_margins({.name = "kappa_no_prevalence",
                .symbol = "2p_o - 1",
                .lo = -1.0,
                .summary = "Twice the accuracy less one: kappa of two classes of even size.",
                .undefined = "there are no rows",
                .reference = "Byrt1993",
                .transpose = "="},
               [](const auto& t) { return (2 * t.trace - t.n) / t.n; }),
    of_margins({.name = "bangdiwala_b",
                .symbol = "B",
                .summary = "The squares of the diagonal over the products of the margins.",
                .undefined = "no class is both true and predicted",
                .reference = "Munoz1997",
                .transpose = "=",
                .shape = Shape::kFree},
               [](const auto& t) {
                 return sum(t, [](auto k) { return square(k.diag); }) /
                        sum(t, [](auto k) { return k.row * k.col; });
               }),
    overall({.name = "phi_squared",
             .aliases = "mean_square_contingency",
             .symbol = "\\phi^2",
             .hi = kInf,
             .summary = "The chi-squared statistic of independence over the number of rows.",
             .undefined = "there are no rows",
             .reference = "Cramer1946",
             .transpose = "=",
             .perfect = false,
             .shape = Shape::kAssociation},
            [](const auto& t) { return kChi(t) / (t.n * t.n); }),
    overall({.name = "contingency_coefficient",
             .aliases = "pearson_c",
             .symbol = "C",
             .summary = "The root of phi squared over one plus phi squared.",
             .undefined = "there are no rows",
             .reference = "Pearson1904",
             .transpose = "=",
             .perfect = false,
             .shape = Shape::kAssociation},
            [](const auto& t) {
              const auto chi = kChi(t);
              return root(chi / (chi + t.n * t.n));
            }),
    overall({.name = "tschuprow_t",
             .symbol = "T",
             .summary = "Phi over the root of what it could be, from how many classes truth and "
                        "prediction have.",
             .undefined = kOneSide,
             .reference = "Tschuprow1939",
             .transpose = "=",
             .shape = Shape::kAssociation},
            [](const auto& t) {
              const auto rows = sum(t, [](auto k) { return sign(k.row); });
              const auto cols = sum(t, [](auto k) { return sign(k.col); });
              return root(kChi(t) / (t.n * t.n * root((rows - 1) * (cols - 1))));
            }),
    overall(
        {.name = "rv_coefficient",
         .aliases = "escoufier_rv",
         .symbol = "\\mathrm{RV}",
         .summary = "The squared correlation of truth and prediction as vectors of classes, which "
                    "need not be the same classes; MCC squared for two.",
         .undefined = kOneSide,
         .reference = "RobertEscoufier1976",
         .transpose = "=",
         .shape = Shape::kAssociation},
        [](const auto& t) {
          const auto rows = squared_own_covariances(t, [](auto k) { return k.row; });
          const auto cols = squared_own_covariances(t, [](auto k) { return k.col; });
          return squared_covariances(t) / (root(rows) * root(cols));
        },
        [](auto c) {
          return square(c.tp * c.tn - c.fp * c.fn) /
                 ((c.tp + c.fp) * (c.tn + c.fn) * ((c.tp + c.fn) * (c.tn + c.fp)));
        }),
    overall({.name = "lambda_true_given_pred",
             .aliases = "goodman_kruskal_lambda",
             .symbol = "\\lambda(T|P)",
             .summary = "The share of wrong guesses of the true class that knowing the prediction "
                        "avoids.",
             .undefined = "truth has one class only",
             .reference = "Goodman1954",
             .transpose = "lambda_pred_given_true",
             .shape = Shape::kAssociation},
            [](const auto& t) {
              const auto most = max_of(t, [](auto k) { return k.row; });
              return (most_of_cols(t) - most) / (t.n - most);
            }),
    overall({.name = "lambda_pred_given_true",
             .symbol = "\\lambda(P|T)",
             .summary = "The share of wrong guesses of the prediction that knowing the true class "
                        "avoids.",
             .undefined = "prediction has one class only",
             .reference = "Goodman1954",
             .transpose = "lambda_true_given_pred",
             .shape = Shape::kAssociation},
            [](const auto& t) {
              const auto most = max_of(t, [](auto k) { return k.col; });
              return (most_of_rows(t) - most) / (t.n - most);
            }),
    overall(
        {.name = "ordinal_mae",
         .symbol = "\\mathrm{MAE}",
         .hi = kInf,
         .better = kLower,
         .summary = "How many classes the prediction is off, for ordered classes, on average.",
         .undefined = "there are no rows",
         .reference = "Baccianella2009",
         .transpose = "=",
         .relabel = false,
         .ordered = true},
        [](const auto& t) { return sum_filled(t, [](auto x) { return x.gap * x.cell; }) / t.n; }),
    overall({.name = "macro_averaged_mae",
             .aliases = "macro_averaged_mean_absolute_error",
             .symbol = "\\mathrm{MAE}^M",
             .hi = kInf,
             .better = kLower,
             .summary = "The same for each true class, averaged over those that occur.",
             .undefined = "there are no rows",
             .reference = "Baccianella2009",
             .relabel = false,
             .ordered = true},
            [](const auto& t) {
              return sum_filled(t, [](auto x) { return term_ratio(x.gap * x.cell, x.row); }) /
                     sum(t, [](auto k) { return sign(k.row); });
            }),
};

}  // namespace

std::span<const Row> association_rows() { return kRows; }

}  // namespace confmat::metrics
