// Where formulas read their parameters.
#pragma once

#include "confmat/metrics/evaluate.hpp"

namespace confmat::metrics {

inline constexpr double kNoParams[1] = {0.0};

inline const double* params_of(const Ask& ask) {
  return ask.params.empty() ? kNoParams : ask.params.data();
}

}  // namespace confmat::metrics
