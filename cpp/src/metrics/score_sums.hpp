// The pass over a sweep that gives every sum that score metrics need.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "confmat/base/wide.hpp"
#include "confmat/metrics/score.hpp"
#include "confmat/metrics/score_row.hpp"

namespace confmat::metrics {

// Sums of the bits of ScoreNeed but kBins. `threads` as for core_count().
ScoreSums sum_scores(const SweepView& sweep, unsigned needs, int threads);

// The non-empty bins ((b / bins), (b + 1) / bins], the first closed at 0, from the highest down.
// Needs: scores in [0, 1].
void sum_bins(const SweepView& sweep, std::int64_t bins, int threads, std::vector<ScoreBin>& out);

// Twice the pairs in the right order, ties as one, and twice all pairs. Needs: counts.
std::pair<Int128, Int128> ordered_pairs(const SweepView& sweep);

// As area_variance(). Needs: counts, or squares.
AreaVariance variance_of_area(const SweepView& sweep, int threads);

}  // namespace confmat::metrics
