// The quotient of two 128-bit integers, rounded once to the nearest double (ties to even).
// Cost: one division where both are below 2^53, else some 60 steps.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "confmat/base/wide.hpp"

namespace confmat {

// Needs: |over| and |under| are below 2^126. 0/0 is nan and x/0 is infinite, as in doubles.
inline double quotient(Int128 over, Int128 under) {
  const bool negative = (over < 0) != (under < 0);
  if (over < 0) over = -over;
  if (under < 0) under = -under;
  constexpr Int128 kWhole = Int128{1} << 53;
  const double sign = negative ? -1.0 : 1.0;
  if ((over < kWhole && under < kWhole) || over == 0 || under == 0) {
    return sign * (static_cast<double>(over) / static_cast<double>(under));
  }
  // Shift until 1 <= over / under < 2; `power` is the exponent of the result.
  int power = 0;
  for (; over >= 2 * under; ++power) under *= 2;
  for (; over < under; --power) over *= 2;
  std::uint64_t bits = 0;  // 54 of them: one more than a double has
  for (int i = 0; i < 54; ++i) {
    bits <<= 1U;
    if (over >= under) {
      over -= under;
      bits |= 1U;
    }
    over *= 2;  // stays below 2 * under, and so below 2^127
  }
  const bool rest = over != 0;
  const bool half = (bits & 1U) != 0;
  bits >>= 1U;
  if (half && (rest || (bits & 1U) != 0)) ++bits;
  return sign * std::ldexp(static_cast<double>(bits), power - 52);
}

}  // namespace confmat
