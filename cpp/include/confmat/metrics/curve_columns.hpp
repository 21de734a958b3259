// The columns of the curves of a sweep: one entry a threshold, from the highest down.
#pragma once

#include <cstdint>
#include <variant>

#include "confmat/state/shared_array.hpp"
#include "confmat/state/sweep.hpp"

namespace confmat::metrics {

// Counts of rows, or sums of float weights.
using TotalArray = std::variant<SharedArray<std::int64_t>, SharedArray<double>>;

struct CurveColumns {
  ScoreArray thresholds;     // of bins that hold several scores: where they begin
  TotalArray tp, fp;         // of the rows at or above the threshold, added up in their order
  SharedArray<double> x, y;  // nan: 0/0
};

// False against true positive rate, from the threshold +inf, at which no row is positive.
CurveColumns roc_columns(const Sweep& sweep);

// Recall and precision.
CurveColumns pr_columns(const Sweep& sweep);

}  // namespace confmat::metrics
