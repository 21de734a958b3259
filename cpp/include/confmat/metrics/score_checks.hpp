// What the numbers of a sweep must be before metrics are computed from them. Each throws InputError
// naming the argument, the number and its position.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <string>

#include "confmat/base/error.hpp"

namespace confmat::metrics {

template <class T>
void check_sign(const T* values, std::size_t n, const char* argument) {
  for (std::size_t i = 0; i < n; ++i) {
    if (values[i] >= 0 && values[i] <= std::numeric_limits<T>::max()) continue;
    throw InputError("`" + std::string(argument) + "` holds " + std::to_string(values[i]) +
                     " at position " + std::to_string(i) + ": wanted finite numbers from 0 up");
  }
}

template <class S>
void check_descending(const S* scores, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    if (i == 0 ? !std::isnan(scores[0]) : scores[i] < scores[i - 1]) continue;
    throw InputError("`scores` holds " + std::to_string(scores[i]) + " at position " +
                     std::to_string(i) + ": wanted distinct numbers that descend, and no nan");
  }
}

template <class T>
void check_most(const T* values, std::size_t n, T most, const char* argument) {
  check_sign(values, n, argument);
  for (std::size_t i = 0; i < n; ++i) {
    if (values[i] <= most) continue;
    throw InputError("`" + std::string(argument) + "` holds " + std::to_string(values[i]) +
                     " at position " + std::to_string(i) + ": there are only " +
                     std::to_string(most) + " in all");
  }
}

}  // namespace confmat::metrics
