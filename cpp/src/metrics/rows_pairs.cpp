// Agreement of two partitions, by counting pairs of rows: tp together in both, fn together in truth
// only, fp together in prediction only, tn apart in both.
#include "confmat/metrics/row.hpp"

namespace confmat::metrics {
namespace {

constexpr Row kRows[] = {
    pairs({.name = "rand",
           .aliases = "rand_score rand_index",
           .symbol = "\\mathrm{RI}",
           .summary = "The share of pairs of rows that both partitions treat alike.",
           .undefined = "there are fewer than two rows",
           .reference = "Rand1971",
           .transpose = "=",
           .scale = false,
           .shape = Shape::kFree},
          [](auto c) { return (c.tp + c.tn) / (c.tp + c.fp + c.fn + c.tn); }),
    pairs(
        {.name = "adjusted_rand",
         .aliases = "adjusted_rand_score adjusted_rand_index ari",
         .symbol = "\\mathrm{ARI}",
         .lo = -1.0,
         .summary =
             "The Rand index corrected for chance: kappa of the pairs, of counts at least -1 / 2.",
         .undefined = "both partitions put all rows together, or all apart",
         .reference = "Hubert1985",
         .transpose = "=",
         .scale = false,
         .shape = Shape::kFree},
        [](auto c) {
          return 2 * (c.tp * c.tn - c.fn * c.fp) /
                 ((c.tp + c.fn) * (c.fn + c.tn) + (c.tp + c.fp) * (c.fp + c.tn));
        }),
    pairs({.name = "pair_jaccard",
           .symbol = "J_{pair}",
           .summary = "Pairs together in both partitions, over pairs together in either.",
           .undefined = "no two rows are together in either partition",
           .reference = "Jaccard1912",
           .transpose = "=",
           .scale = false,
           .shape = Shape::kFree},
          [](auto c) { return c.tp / (c.tp + c.fp + c.fn); }),
    pairs({.name = "pair_fowlkes_mallows",
           .aliases = "fowlkes_mallows_score",
           .symbol = "\\mathrm{FM}_{pair}",
           .summary = "The geometric mean of pair precision and pair recall.",
           .undefined = "no two rows are together in one of the partitions",
           .reference = "Fowlkes1983",
           .transpose = "=",
           .scale = false,
           .shape = Shape::kFree},
          [](auto c) { return c.tp / root((c.tp + c.fp) * (c.tp + c.fn)); }),
};

}  // namespace

std::span<const Row> pair_rows() { return kRows; }

}  // namespace confmat::metrics
