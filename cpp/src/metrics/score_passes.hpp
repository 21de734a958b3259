// Metrics of scores with a pass of their own: no sum over the distinct scores gives them. Needs:
// both classes have weight; of early_enhancement() the positives.
// Cost: 11 to 38 ns a distinct score, unless it is said.
#pragma once

#include "confmat/metrics/score.hpp"
#include "confmat/metrics/score_row.hpp"

namespace confmat::metrics {

// 1 less the least expected cost over that of deciding without scores. c has the density
// Beta(a, b), an error costs c for a negative and 1 - c for a positive. a and b lie in [1, 2].
double saved_cost(const SweepView& sweep, double a, double b);

// How early the positives come, of the best and the worst order, and of all orders alike.
double early_share(const SweepView& sweep, const ScoreSums& sums, double alpha);
double early_enhancement(const SweepView& sweep, const ScoreSums& sums, double alpha);

// The mean by how far scores fail to be 1 or above, of negatives -1 or below.
double hinge(const SweepView& sweep, const ScoreSums& sums, double);

// The width of the normal densities at which the residuals of probabilities, spread by them, add up
// to that width. Needs: rows, whatever their class. Good to 1e-6 of itself; below 1e-5 to 1e-5.
double smooth_error(const SweepView& sweep, const ScoreSums& sums, double);

}  // namespace confmat::metrics
