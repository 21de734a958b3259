// The sums of weights that sweeps hold: products of two sums of floats are doubles, and sums of
// integers are counts.
#pragma once

#include <cstdint>
#include <cstdio>
#include <span>
#include <string>

#include "confmat/base/error.hpp"

namespace confmat {

// What a sum of integer weights beyond 2^63 - 1 is kept as.
inline constexpr std::uint64_t kBeyondCounts = std::uint64_t{1} << 63U;

// Adds counts to a total. Throws InputError where it passes 2^63 - 1.
inline void add_counts(std::span<const std::uint64_t> counts, std::int64_t& total) {
  for (const std::uint64_t count : counts) {
    if (count > static_cast<std::uint64_t>(INT64_MAX - total)) {
      throw InputError("the weights of `sample_weight` sum to more than 2^63 - 1");
    }
    total += static_cast<std::int64_t>(count);
  }
}

// Throws InputError. `of`: whose weights they are.
inline void require_weight_sum(double sum, const char* of = "of a class ") {
  constexpr double kMost = 1e150;
  constexpr double kLeast = 1e-150;
  if (sum == 0.0 || (sum >= kLeast && sum <= kMost)) return;
  char text[32];
  std::snprintf(text, sizeof text, "%g", sum);
  throw InputError("the weights " + std::string(of) + "in `sample_weight` sum to " + text +
                   "; wanted 0, or a sum from 1e-150 to 1e150");
}

}  // namespace confmat
