// The sums of weights that metrics of scores can take: products of two of them are doubles.
#pragma once

#include <cstdio>
#include <string>

#include "confmat/base/error.hpp"

namespace confmat {

// Of one class. Throws InputError.
inline void require_weight_sum(double sum) {
  constexpr double kMost = 1e150;
  constexpr double kLeast = 1e-150;
  if (sum == 0.0 || (sum >= kLeast && sum <= kMost)) return;
  char text[32];
  std::snprintf(text, sizeof text, "%g", sum);
  throw InputError("the weights of a class in `sample_weight` sum to " + std::string(text) +
                   "; wanted 0, or a sum from 1e-150 to 1e150");
}

}  // namespace confmat
