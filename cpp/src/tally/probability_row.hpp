// What one row of probabilities adds to sums: inlined, so that loops over few columns are unrolled.
// Sums run side by side in lanes, and lanes are put together in one order, whatever the compiler.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "confmat/tally/probabilities.hpp"

namespace confmat {

inline constexpr std::size_t kRowLanes = 8;

inline double sum_of_lanes(const std::array<double, kRowLanes>& lanes) noexcept {
  return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) +
         ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
}

struct RowSum {
  double sum = 0;
  bool in_range = true;
};

[[gnu::always_inline]] inline RowSum sum_of_row(const double* p, std::size_t k) noexcept {
  std::array<double, kRowLanes> sums{};
  std::array<double, kRowLanes> lows{};
  std::array<double, kRowLanes> highs{};
  const auto add = [&](std::size_t lane, double value) noexcept {
    sums[lane] += value;
    lows[lane] = value < lows[lane] ? value : lows[lane];
    highs[lane] = value > highs[lane] ? value : highs[lane];
  };
  std::size_t j = 0;
  for (; j + kRowLanes <= k; j += kRowLanes) {
    for (std::size_t lane = 0; lane < kRowLanes; ++lane) add(lane, p[j + lane]);
  }
  for (; j < k; ++j) add(j % kRowLanes, p[j]);
  RowSum out{.sum = sum_of_lanes(sums)};  // nan if there is one
  for (std::size_t lane = 0; lane < kRowLanes; ++lane) {
    out.in_range = out.in_range && lows[lane] >= 0 && highs[lane] <= 1;
  }
  return out;
}

[[gnu::always_inline]] inline double sum_of_squares(const double* p, std::size_t k) noexcept {
  std::array<double, kRowLanes> sums{};
  std::size_t j = 0;
  for (; j + kRowLanes <= k; j += kRowLanes) {
    for (std::size_t lane = 0; lane < kRowLanes; ++lane) sums[lane] += p[j + lane] * p[j + lane];
  }
  for (; j < k; ++j) sums[j % kRowLanes] += p[j] * p[j];
  return sum_of_lanes(sums);
}

struct Rank {
  std::size_t above = 0;   // columns with a larger probability than the true class
  std::size_t before = 0;  // with the same one, to its left
  std::size_t after = 0;   // and to its right
  [[nodiscard]] std::size_t of(Ties ties) const noexcept {
    return above + (ties == Ties::kFirst || ties == Ties::kWorst ? before : 0) +
           (ties == Ties::kLast || ties == Ties::kWorst ? after : 0);
  }
};

[[gnu::always_inline]] inline Rank rank_of(const double* p, std::size_t k,
                                           std::size_t truth) noexcept {
  const double own = p[truth];
  std::int64_t above = 0;
  std::int64_t before = 0;
  std::int64_t same = 0;
  for (std::size_t j = 0; j < k; ++j) {
    above += p[j] > own ? 1 : 0;
    same += p[j] == own ? 1 : 0;
  }
  if (same == 1) return {.above = static_cast<std::size_t>(above)};
  for (std::size_t j = 0; j < truth; ++j) before += p[j] == own ? 1 : 0;
  return {.above = static_cast<std::size_t>(above),
          .before = static_cast<std::size_t>(before),
          .after = static_cast<std::size_t>(same - before - 1)};
}

}  // namespace confmat
