// The bootstrap of a sweep: its rows are drawn again, with replacement, and metrics of scores are
// computed from each sweep that comes out.
// Cost: for each replicate a draw (base/multinomial.hpp) and a pass over the sweep (score.hpp):
// about 10 ms of 10^6 distinct scores.
#pragma once

#include <span>

#include "confmat/metrics/replicates.hpp"
#include "confmat/metrics/score.hpp"

namespace confmat::metrics {

// out[r * asks.size() + i] = asks[i] of replicate r, nan where undefined. Depends on the seed
// alone. `stratified`: positives and negatives are drawn apart, as many of each as there are.
// Weights at each score are drawn by themselves, as Poisson numbers of rows of equal weight.
// Throws InputError: weights, of which no squares are known; counts of more than 2^62 rows; a score
// outside [0, 1] where an ask needs probabilities.
void score_replicates(std::span<const ScoreAsk> asks, const SweepView& sweep, bool stratified,
                      const Resampling& resampling, double* out);

}  // namespace confmat::metrics
