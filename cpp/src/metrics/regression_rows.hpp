// What the rows of several files share.
#pragma once

#include <limits>
#include <span>

#include "confmat/metrics/regression_row.hpp"

namespace confmat::metrics {

inline constexpr double kUnbounded = std::numeric_limits<double>::infinity();

// The share of the loss of the best constant that predictions account for: 1 at the most, and
// undefined where all constants are as good as the truth.
constexpr RegressionRow share_of_best(RegressionRow row) {
  row.lo = -kUnbounded;
  row.needs |= kVariedTruth;
  return row;
}

// n times the mean.
inline double pinball(const RegressionView& s, double q) { return q * s.under + (1 - q) * s.over; }

// The last of regression_rows().
std::span<const RegressionRow> regression_loss_rows();

}  // namespace confmat::metrics
