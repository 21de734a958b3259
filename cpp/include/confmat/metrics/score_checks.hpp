// What the numbers of a sweep must be before metrics are computed from them. Each throws InputError
// naming the argument, the number and its position.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include "confmat/base/error.hpp"
#include "confmat/base/interrupt.hpp"
#include "confmat/base/threads.hpp"

namespace confmat::metrics {

template <class T>
void check_sign(const T* values, std::size_t n, const char* argument) {
  for (const auto [first, last] : Strides(n)) {
    for (std::size_t i = first; i < last; ++i) {
      if (values[i] >= 0 && values[i] <= std::numeric_limits<T>::max()) continue;
      throw InputError("`" + std::string(argument) + "` holds " + std::to_string(values[i]) +
                       " at position " + std::to_string(i) + ": wanted finite numbers from 0 up");
    }
  }
}

template <class S>
void check_descending(const S* scores, std::size_t n) {
  constexpr std::int64_t kAtOnce = std::int64_t{1} << 16;
  const auto rows = static_cast<std::int64_t>(n);
  std::atomic<bool> good{n == 0 || !std::isnan(scores[0])};
  for_each_task((rows + kAtOnce - 1) / kAtOnce, thread_count(0, rows), [&] {
    return [&](std::int64_t part) {
      int wrong = 0;  // a sum, which vectors can do
      const std::int64_t last = std::min(rows, (part + 1) * kAtOnce);
      for (std::int64_t i = std::max<std::int64_t>(part * kAtOnce, 1); i < last; ++i) {
        wrong += scores[i] < scores[i - 1] ? 0 : 1;
      }
      if (wrong > 0) good = false;
    };
  });
  if (good) return;
  for (std::size_t i = 0; i < n; ++i) {
    if (i == 0 ? !std::isnan(scores[0]) : scores[i] < scores[i - 1]) continue;
    throw InputError("`scores` holds " + std::to_string(scores[i]) + " at position " +
                     std::to_string(i) + ": wanted distinct numbers that descend, and no nan");
  }
}

// A whole number that a double holds exactly: a weight that is a count.
inline bool is_whole(double value) noexcept {
  constexpr double kExact = 9007199254740992.0;  // 2^53
  return value == std::floor(value) && std::fabs(value) <= kExact;
}
inline bool are_whole(const double* values, std::size_t n) {
  bool whole = true;
  for (const auto [first, last] : Strides(n)) {
    for (std::size_t i = first; whole && i < last; ++i) {
      whole = is_whole(values[i]);
    }
  }
  return whole;
}

// Whether all values are from 0 to `most`: sums of bits, which vectors can do.
inline bool are_within(const std::int64_t* values, std::size_t n, std::int64_t most) {
  std::uint64_t beyond = 0;  // its sign is
  for (const auto [first, last] : Strides(n)) {
    for (std::size_t i = first; i < last; ++i) {
      const auto value = static_cast<std::uint64_t>(values[i]);
      beyond |= value | (static_cast<std::uint64_t>(most) - value);
    }
  }
  return beyond >> 63U == 0;
}
inline bool are_within(const double* values, std::size_t n, double most) {
  std::int64_t beyond = 0;
  for (const auto [first, last] : Strides(n)) {
    for (std::size_t i = first; i < last; ++i) {
      beyond |= (values[i] >= 0 ? 0 : 1) | (values[i] <= most ? 0 : 1);
    }
  }
  return beyond == 0;
}

// Needs: most is finite.
template <class T>
void check_most(const T* values, std::size_t n, T most, const char* argument) {
  if (are_within(values, n, most)) return;
  check_sign(values, n, argument);
  for (const auto [first, last] : Strides(n)) {
    for (std::size_t i = first; i < last; ++i) {
      if (values[i] <= most) continue;
      throw InputError("`" + std::string(argument) + "` holds " + std::to_string(values[i]) +
                       " at position " + std::to_string(i) + ": there are only " +
                       std::to_string(most) + " in all");
    }
  }
}

}  // namespace confmat::metrics
