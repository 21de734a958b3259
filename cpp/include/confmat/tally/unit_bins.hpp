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

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "confmat/tally/score_key.hpp"

namespace confmat {

// Where the bins of one octave begin, and how many bits of the mantissa do not tell them apart.
struct UnitOctave {
  std::uint32_t first;
  std::uint32_t shift;
};

// By sign and exponent; a second table follows, for what is near 1.
template <class Key>
const UnitOctave* unit_octaves() noexcept;
template <>
const UnitOctave* unit_octaves<std::uint32_t>() noexcept;
template <>
const UnitOctave* unit_octaves<std::uint64_t>() noexcept;

std::size_t unit_size() noexcept;
double unit_lower(std::size_t bin) noexcept;

// A score of float32 and the same of float64 lie in the same bin.
template <class KeyType>
class UnitBins {
 public:
  using Key = KeyType;

  [[nodiscard]] std::size_t size() const noexcept { return unit_size(); }
  [[nodiscard]] double lower(std::size_t bin) const noexcept { return unit_lower(bin); }

  // No branch, as no branch of it could be foreseen.
  [[nodiscard]] std::size_t bin(Key key) const noexcept {
    // Of s in [0.5, 1] 1 - s is exact. The negated bits of what is negative or near 1 ascend with
    // the score, and an octave of them is closed at the other end.
    const bool near_one = key - kHalf <= kOne - kHalf;
    const Key rest = Key{0} - std::bit_cast<Key>(Score{1} - std::bit_cast<Score>(key ^ kSign));
    const Key plain = key - kSign + 1 - (key >> (kBits - 1));
    const Key bits = near_one ? rest : plain;
    const UnitOctave octave =
        octaves_[static_cast<std::size_t>(bits >> kMantissa) + (near_one ? kTable : 0)];
    return octave.first + static_cast<std::size_t>((bits & kFraction) >> octave.shift);
  }

 private:
  using Score = std::conditional_t<sizeof(Key) == 4, float, double>;
  static constexpr unsigned kBits = 8 * sizeof(Key);
  static constexpr unsigned kMantissa = std::numeric_limits<Score>::digits - 1;
  static constexpr std::size_t kTable = std::size_t{1} << (kBits - kMantissa);
  static constexpr Key kSign = Key{1} << (kBits - 1);
  static constexpr Key kFraction = (Key{1} << kMantissa) - 1;
  static constexpr Key kHalf = score_key(Score{0.5});
  static constexpr Key kOne = score_key(Score{1});

  const UnitOctave* octaves_ = unit_octaves<Key>();
};

}  // namespace confmat
