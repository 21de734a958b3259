// The bins called "unit": fine everywhere in [0, 1], and coarse for any other score.
//
//   scores s                 bins
//   [0, 2^-133)              1: zero
//   [2^-133, 2^-126)         width 2^-133
//   [2^-126, 2^-20)          256 an octave
//   [2^-20, 2^-5)            2,048 an octave
//   [2^-5, 1 - 2^-5)         width 2^-15
//   1 - s in (2^-20, 2^-5]   2,048 an octave of 1 - s
//   1 - s in (0, 2^-20]      256 an octave of 1 - s, while doubles tell so many apart
//   1                        1
//   s > 1                    128 an octave up to 256, then 8; 1: infinity
//   s < 0                    128 an octave of -s from 2^-4 to 256; beyond 8, below 4; the lowest
//                            of all holds -infinity
//
// Each bin is [lower, upper), so a bin of 1 - s or -s is open at the end near 0. Each float16,
// bfloat16 and k / 255 of [0, 1] has a bin of its own, and so has each integer from -255 to 255.
// Neighbours join: the map of `index >> k` has the lower bounds of every 2^k-th bin.
#pragma once

#include <cstddef>
#include <cstdint>

#include "confmat/kernels/table.hpp"

namespace confmat {

// Of each octave, by sign and exponent of the score, where its bins begin, and how many bits of the
// upper 32 that are fraction do not tell them apart (see kUnitShiftBits); a second table follows,
// for what is near 1.
const std::uint32_t* unit_octaves(std::uint32_t) noexcept;
const std::uint32_t* unit_octaves(std::uint64_t) noexcept;

std::size_t unit_size() noexcept;
// Needs: bin <= unit_size(), where it is infinity.
double unit_lower(std::size_t bin) noexcept;

// A score of float32 and the same of float64 lie in the same bin.
template <class KeyType>
class UnitBins {
 public:
  using Key = KeyType;

  [[nodiscard]] std::size_t size() const noexcept { return unit_size(); }
  [[nodiscard]] double lower(std::size_t bin) const noexcept { return unit_lower(bin); }
  [[nodiscard]] std::size_t bin(Key key) const noexcept {
    std::uint32_t found = 0;
    bins(&key, 1, &found);
    return found;
  }
  void bins(const Key* keys, std::size_t n, std::uint32_t* out) const noexcept {
    bins_(keys, n, octaves_, out);
  }

 private:
  Kernels::UnitBins bins_ = sizeof(Key) == 4 ? kernels().unit_bins32 : kernels().unit_bins64;
  const std::uint32_t* octaves_ = unit_octaves(Key{});
};

}  // namespace confmat
