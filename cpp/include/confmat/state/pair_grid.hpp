// How pairs of numbers lie: in squares whose side is a power of two, the least that leaves at most
// kMostCells of them with pairs. Each square is made of those of the sizes below, so that the size
// follows from the pairs alone, in whatever order and parts they came.
#pragma once

#include <bit>
#include <cmath>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace confmat {

// The lower corner of a square: its least truth, and its least prediction.
struct PairCell {
  double truth = 0, prediction = 0;
  auto operator<=>(const PairCell&) const = default;
};

inline constexpr std::size_t kMostCells = 4096;
// A side is 2^level; at the least level each pair of numbers is a cell of its own.
inline constexpr int kEachPair = -801, kLeastLevel = kEachPair + 1, kMostLevel = 200;

constexpr double power_of_two(int level) noexcept {
  return std::bit_cast<double>(static_cast<std::uint64_t>(1023 + level) << 52U);
}

// The largest multiple of 2^level that is not above x. Needs: |x| < 2^kMostLevel.
inline double corner_of(double x, int level) noexcept {
  if (level == kEachPair) return x + 0.0;  // no -0
  const double units = x * power_of_two(-level);
  const double below = units == 0 && x < 0 ? -1.0 : std::floor(units);  // tiny ones vanish
  return below * power_of_two(level) + 0.0;
}

inline PairCell cell_of(const PairCell& pair, int level) noexcept {
  return {corner_of(pair.truth, level), corner_of(pair.prediction, level)};
}

// The least level from the given one on where pairs lie in at most kMostCells cells.
int fitting_level(std::span<const PairCell> pairs, int level);

}  // namespace confmat
