// The bounds of the bins called "unit", from the highest down.
#include "confmat/scores/unit_bins.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "confmat/scores/score_key.hpp"

namespace confmat {
namespace {

// What the mantissa and the exponent belong to.
enum class Side : std::uint8_t { kScore, kRestToOne, kNegative };

struct Octave {
  Side side;
  int exponent;
  unsigned bits;  // of the mantissa, that tell its bins apart
  std::uint32_t first = 0;
};

constexpr int kLeast = -133;        // of bfloat16, as of scores at all: below it all are zero
constexpr int kLeastNormal = -126;  // of float32
constexpr int kMostOfUnit = 127;    // of float32
constexpr int kLeastRest = -54;     // 1 - s of the double before 1, which ends its octave

constexpr unsigned near_end(int exponent) {
  if (exponent < kUnitFine) return 8;
  return exponent < kUnitMiddle ? 11U : kUnitMiddleBits + static_cast<unsigned>(exponent);
}

constexpr unsigned above_zero(int exponent) {
  return exponent < kLeastNormal ? static_cast<unsigned>(exponent - kLeast) : near_end(exponent);
}

constexpr unsigned below_one(int exponent) {
  const int doubles = std::max(exponent - kLeastRest - 1, 0);  // these bits tell doubles apart
  return std::min(near_end(exponent), static_cast<unsigned>(doubles));
}

constexpr unsigned outside(int exponent) { return exponent < -4 ? 2U : exponent < 8 ? 7U : 3U; }

constexpr std::size_t kOctaves =
    (kMostOfUnit - kLeastNormal + 2) + (-1 - kLeast) + (-1 - kLeastRest) + kMostOfUnit + 1;

// Ascending. What is not of an octave comes before those it borders: zero, one and infinity.
struct Layout {
  std::array<Octave, kOctaves> octaves{};
  std::uint32_t zero = 0;
  std::uint32_t one = 0;
  std::uint32_t infinity = 0;
};

constexpr Layout layout_of() {
  Layout out;
  std::uint32_t bins = 0;
  std::size_t n = 0;
  const auto add = [&](Side side, int exponent, unsigned bits) {
    out.octaves[n++] = {side, exponent, bits, bins};
    bins += std::uint32_t{1} << bits;
  };
  for (int e = kMostOfUnit; e >= kLeastNormal; --e) add(Side::kNegative, e, outside(e));
  add(Side::kNegative, kLeastNormal - 1, 0);
  out.zero = bins++;
  for (int e = kLeast; e <= -2; ++e) add(Side::kScore, e, above_zero(e));
  for (int e = -2; e >= kLeastRest; --e) add(Side::kRestToOne, e, below_one(e));
  out.one = bins++;
  for (int e = 0; e <= kMostOfUnit; ++e) add(Side::kScore, e, outside(e));
  out.infinity = bins;
  return out;
}

constexpr Layout kLayout = layout_of();
static_assert(kLayout.octaves.back().exponent == kMostOfUnit);
static_assert(kLayout.infinity < 1U << 17U);

// Of what is negative or near 1 the kernel negates the bits: sign and exponent are those of the
// octave the other way round.
template <class Score>
class Octaves {
  static constexpr int kBias = std::numeric_limits<Score>::max_exponent - 1;
  static constexpr std::size_t kHalf = 2 * (std::size_t{kBias} + 1);   // those without the sign
  static constexpr unsigned kFraction = sizeof(Score) == 4 ? 23 : 20;  // of the upper 32 bits

 public:
  Octaves() noexcept {
    const auto all = [&](std::size_t from, std::size_t n, std::uint32_t bin) {
      std::fill_n(table_.begin() + from, n, of(bin, 0));
    };
    all(0, kHalf, kLayout.zero);
    all(kHalf, kHalf, kLayout.zero - 1);
    all(2 * kHalf, 2 * kHalf, kLayout.one);
    for (int e = kMostOfUnit + 1; e <= kBias; ++e) {  // of doubles
      table_[at(Side::kScore, e)] = of(kLayout.infinity - 1, 0);
      table_[at(Side::kNegative, e)] = of(0, 0);
    }
    table_[kHalf - 1] = of(kLayout.infinity, 0);
    for (const Octave& octave : kLayout.octaves) {
      if (octave.exponent <= -kBias) continue;  // of float32: all of them together
      table_[at(octave.side, octave.exponent)] = of(octave.first, octave.bits);
    }
    if constexpr (sizeof(Score) == 4) table_[0] = of(kLayout.zero, kLeastNormal - kLeast);
  }
  [[nodiscard]] const std::uint32_t* data() const noexcept { return table_.data(); }

 private:
  static constexpr std::uint32_t of(std::uint32_t first, unsigned bits) noexcept {
    return first << kUnitShiftBits | (kFraction - bits);
  }
  static constexpr std::size_t at(Side side, int exponent) noexcept {
    const auto field = static_cast<std::size_t>(std::int64_t{exponent} + kBias);
    if (side == Side::kScore) return field;
    return 2 * kHalf - 1 - field + (side == Side::kRestToOne ? 2 * kHalf : 0);
  }

  std::array<std::uint32_t, 4 * kHalf> table_{};
};

// Where the bins begin: a table, as all of them are asked for where a sweep ends.
class Bounds {
 public:
  Bounds() noexcept {
    for (const Octave& octave : kLayout.octaves) {
      const std::uint32_t n = std::uint32_t{1} << octave.bits;
      const double step = std::ldexp(1.0, octave.exponent - static_cast<int>(octave.bits));
      for (std::uint32_t i = 0; i < n; ++i) {
        const std::uint32_t steps = octave.side == Side::kScore ? n + i : 2 * n - i;
        const double size = steps * step;
        lower_[octave.first + i] = octave.side == Side::kScore      ? size
                                   : octave.side == Side::kNegative ? -size
                                                                    : 1 - size;
      }
    }
    lower_[0] = -std::numeric_limits<double>::infinity();
    lower_[kLayout.zero] = 0.0;
    lower_[kLayout.one] = 1.0;
    lower_[kLayout.one + 1] = 1.0 + std::numeric_limits<double>::epsilon();
    lower_[kLayout.infinity] = std::numeric_limits<double>::infinity();
    lower_[kLayout.infinity + 1] = lower_[kLayout.infinity];  // the end of the last one
  }
  [[nodiscard]] double of(std::size_t bin) const noexcept { return lower_[bin]; }

 private:
  std::array<double, kLayout.infinity + 2> lower_{};
};

}  // namespace

const std::uint32_t* unit_octaves(std::uint32_t /*key*/) noexcept {
  static const Octaves<float> octaves;
  return octaves.data();
}

const std::uint32_t* unit_octaves(std::uint64_t /*key*/) noexcept {
  static const Octaves<double> octaves;
  return octaves.data();
}

UnitLevel unit_level(unsigned level) noexcept {
  static constexpr auto kLevels = [] {
    std::array<UnitLevel, kMostUnitLevel + 1> out{};
    for (unsigned k = 0; k <= kMostUnitLevel; ++k) {
      const auto joined = [k](std::uint32_t bins) { return ((bins - 1) >> k) + 1; };
      const std::uint32_t zero = joined(kLayout.zero);
      const std::uint32_t one = zero + joined(kLayout.one - kLayout.zero);
      out[k] = {zero, one, one + joined(kLayout.infinity + 1 - kLayout.one)};
    }
    return out;
  }();
  return kLevels[level];
}

std::size_t unit_size() noexcept { return unit_level(0).size; }

double unit_lower(std::size_t bin) noexcept {
  static const Bounds bounds;
  return bounds.of(bin);
}

void unit_bins(std::span<const double> scores, unsigned level, std::span<std::uint32_t> out) {
  const UnitBins<std::uint64_t> bins(level);
  std::array<std::uint64_t, 1024> keys{};
  for (std::size_t first = 0; first < scores.size(); first += keys.size()) {
    const auto block = scores.subspan(first, std::min(keys.size(), scores.size() - first));
    std::ranges::transform(block, keys.begin(), [](double score) {
      return score_key(std::isnan(score) ? std::numeric_limits<double>::infinity() : score);
    });
    bins.bins(keys.data(), block.size(), out.data() + first);
  }
}

}  // namespace confmat
