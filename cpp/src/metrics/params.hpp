// Where formulas read their parameters.
#pragma once

#include "confmat/metrics/evaluate.hpp"

namespace confmat::metrics {

inline constexpr double kNoParams[1] = {0.0};

inline std::span<const double> params_of(const Ask& ask) {
  if (ask.params.empty()) return kNoParams;
  return ask.params;
}

}  // namespace confmat::metrics
