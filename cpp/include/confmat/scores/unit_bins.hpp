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
//
// Level k of the map joins 2^k neighbours, counted from 0 down, from 1 down and from 1 up: so 0, 1
// and each power of two from 2^-126 to 1/2 begin a bin at every level, and only the lowest bins of
// the first two and the highest of all may have joined fewer. Each k / 255 has a bin of its own up
// to level 7.
//
//   level   0        1       2       3       4      5      6      7      8
//   bins    131,051  65,526  32,764  16,383  8,192  4,097  2,049  1,025  513
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "confmat/kernels/table.hpp"
#include "confmat/kernels/wide_loop.hpp"

namespace confmat {

// Of each octave, by sign and exponent of the score, where its bins begin, and how many bits of the
// upper 32 that are fraction do not tell them apart (see kUnitShiftBits); a second table follows,
// for what is near 1.
const std::uint32_t* unit_octaves(std::uint32_t) noexcept;
const std::uint32_t* unit_octaves(std::uint64_t) noexcept;

inline constexpr unsigned kMostUnitLevel = 8;
// Of a key each; what callers of kernels take at a time.
inline constexpr std::size_t kBinsAtOnce = 512;

// How the bins of one level lie: below 0, in [0, 1), and from 1 on.
struct UnitLevel {
  std::uint32_t zero = 0;  // the bin that begins at 0
  std::uint32_t one = 0;   // the bin that begins at 1
  std::uint32_t size = 0;
};
// Needs: level <= kMostUnitLevel.
UnitLevel unit_level(unsigned level) noexcept;
std::size_t unit_size() noexcept;
// Needs: bin <= unit_size(), where it is infinity.
double unit_lower(std::size_t bin) noexcept;

// From the bins of a level to those of a coarser one.
class UnitJoin {
 public:
  // Needs: from <= to <= kMostUnitLevel.
  UnitJoin(unsigned from, unsigned to) noexcept
      : fine_(unit_level(from)), coarse_(unit_level(to)), shift_(to - from) {}

  [[nodiscard]] std::uint32_t operator()(std::uint32_t bin) const noexcept {
    if (bin >= fine_.one) return coarse_.one + ((bin - fine_.one) >> shift_);
    if (bin >= fine_.zero) return coarse_.one - 1 - ((fine_.one - 1 - bin) >> shift_);
    return coarse_.zero - 1 - ((fine_.zero - 1 - bin) >> shift_);
  }
  // Of bins in place; most often all lie in [0, 1), which is found out first.
  void all(std::uint32_t* bins, std::size_t n) const noexcept {
    std::uint32_t outside = 0;
    for (std::size_t i = 0; i < n; ++i) {
      outside |= static_cast<std::uint32_t>(bins[i] - fine_.zero >= fine_.one - fine_.zero);
    }
    if (outside != 0) {
      for (std::size_t i = 0; i < n; ++i) bins[i] = (*this)(bins[i]);
    } else {
      for (std::size_t i = 0; i < n; ++i) {
        bins[i] = coarse_.one - 1 - ((fine_.one - 1 - bins[i]) >> shift_);
      }
    }
  }
  // The lowest bin that becomes this one; of the bin behind the last, that behind the last.
  [[nodiscard]] std::uint32_t first(std::uint32_t bin) const noexcept {
    if (bin >= coarse_.size) return fine_.size;
    if (bin >= coarse_.one) return fine_.one + ((bin - coarse_.one) << shift_);
    const bool is_negative = bin < coarse_.zero;
    const std::uint32_t end = is_negative ? fine_.zero : fine_.one;
    const std::uint32_t start = is_negative ? 0 : fine_.zero;
    const std::uint32_t size = ((is_negative ? coarse_.zero : coarse_.one) - bin) << shift_;
    return size > end - start ? start : end - size;
  }

 private:
  UnitLevel fine_;
  UnitLevel coarse_;
  unsigned shift_;
};

// A score of float32 and the same of float64 lie in the same bin.
template <class KeyType>
class UnitBins {
 public:
  using Key = KeyType;
  static constexpr bool kFindsTogether = true;  // sooner than one by one
  // Needs: level <= kMostUnitLevel.
  explicit UnitBins(unsigned level = 0) noexcept : level_(level), join_(0, level) {}

  [[nodiscard]] std::size_t size() const noexcept { return unit_level(level_).size; }
  [[nodiscard]] double lower(std::size_t bin) const noexcept {
    return unit_lower(join_.first(static_cast<std::uint32_t>(bin)));
  }
  [[nodiscard]] std::size_t bin(Key key) const noexcept {
    std::uint32_t found = 0;
    bins(&key, 1, &found);
    return found;
  }
  void bins(const Key* keys, std::size_t n, std::uint32_t* out) const noexcept {
    bins_(keys, n, octaves_, out);
    if (level_ == 0) return;
    wide_loop([join = join_, n, out] { join.all(out, n); });
  }

 private:
  unsigned level_;
  UnitJoin join_;
  Kernels::UnitBins bins_ = sizeof(Key) == 4 ? kernels().unit_bins32 : kernels().unit_bins64;
  const std::uint32_t* octaves_ = unit_octaves(Key{});
};

// The bin of each score, of nan that of infinity. Needs: `out` is as long; level <= kMostUnitLevel.
void unit_bins(std::span<const double> scores, unsigned level, std::span<std::uint32_t> out);

}  // namespace confmat
