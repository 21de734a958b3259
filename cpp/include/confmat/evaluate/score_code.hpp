// One row of a label and a score as it travels through a plan, where order is not kept and every
// group must find its own classes:
//   UInt64 (short scores and labels): key 32 bits, label 29, kind 3;
//   Int128: key 64, label 61, kind 3;
//   Int128 (weights; the two classes are known): key 64, weight 64 with the class as its sign;
//   Binary of 24 bytes (weights, classes not known): key 64, label 61, kind 3, weight 64.
// The label is carried by negative rows, to see that there is only one class beside the positive
// one. 29 bits hold every integer of 16 bits, 61 bits every integer below 2^59 in size; other
// integers, and texts, are hashed to 60 bits: two of them that meet in a group pass for one class
// with a probability of 2^-60.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>

#include "confmat/scores/score_key.hpp"

namespace confmat {

struct Int128Bits {
  std::uint64_t low;
  std::uint64_t high;
};

enum class ScoredKind : std::uint8_t {
  kNegative,  // 0, and the next 1
  kPositive,
  kDropped,    // a null
  kNan,        // `key` is the row
  kBadLabel,   // `key` is the label, neither 0 nor 1
  kHugeLabel,  // `key` is an eighth of such a label, where its code has no room for more
};

// Keys of float scores, and of float16 ones, are the bits of no double score's key: those of a nan.
inline constexpr std::uint64_t kFloatKey = std::uint64_t{0xFFFFFFFF} << 32U;
inline constexpr std::uint64_t kHalfKey = std::uint64_t{0xFFFFFFFE} << 32U;
constexpr bool is_float_key(std::uint64_t key) noexcept { return key >= kHalfKey; }
constexpr bool is_half_key(std::uint64_t key) noexcept { return key >> 32U == kHalfKey >> 32U; }

struct HalfScore {  // a float16
  float value;
};
constexpr std::uint64_t wide_key(float score) noexcept { return kFloatKey | score_key(score); }
constexpr std::uint64_t wide_key(double score) noexcept { return score_key(score); }
constexpr std::uint64_t wide_key(HalfScore score) noexcept {
  return kHalfKey | score_key(score.value);
}

inline constexpr std::uint64_t kHashedLabel = std::uint64_t{1} << 60U;

constexpr std::uint64_t label_bits(std::int64_t label) noexcept {
  constexpr std::int64_t kHalf = std::int64_t{1} << 59U;
  if (label >= -kHalf && label < kHalf) return static_cast<std::uint64_t>(label + kHalf);
  const auto mixed = static_cast<std::uint64_t>(label) * 0x9E3779B97F4A7C15U;
  return kHashedLabel | (mixed ^ (mixed >> 32U)) >> 4U;
}
// The integer that was packed. Needs: it is not hashed.
constexpr std::int64_t label_of_bits(std::uint64_t bits) noexcept {
  // Of short codes, the lowest 29 bits are left; they hold labels of 16 bits with their sign.
  if (bits < (std::uint64_t{1} << 29U)) return static_cast<std::int64_t>(bits << 35U) >> 35U;
  return static_cast<std::int64_t>(bits) - (std::int64_t{1} << 59U);
}
inline std::uint64_t label_bits(std::string_view text) noexcept {
  std::uint64_t hash = 0x9E3779B97F4A7C15U ^ text.size();
  for (const char c : text) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0xD6E8FEB86659FD93U;
    hash ^= hash >> 32U;
  }
  return kHashedLabel | hash >> 4U;
}

struct ScoredRow {
  ScoredKind kind = ScoredKind::kDropped;
  std::uint64_t key = 0;
  std::uint64_t label = 0;
  double weight = 1.0;
};

struct NarrowScore {  // UInt64
  using Bits = std::uint64_t;
  static constexpr std::uint64_t kHalves = 6;  // added to the kinds of rows with a float16
  static Bits pack(const ScoredRow& row) noexcept {
    const auto kind = static_cast<std::uint64_t>(row.kind);
    if (row.kind > ScoredKind::kPositive) {
      const Bits bits = row.key << 3U | kind;
      if (row.kind != ScoredKind::kBadLabel || unpack(bits).key == row.key) return bits;
      return (row.key & ~Bits{7}) | static_cast<std::uint64_t>(ScoredKind::kHugeLabel);
    }
    return row.key << 32U | (row.label & ((std::uint64_t{1} << 29U) - 1)) << 3U |
           (is_half_key(row.key) ? kind + kHalves : kind);
  }
  static ScoredRow unpack(Bits bits) noexcept {
    const bool half = (bits & 7U) >= kHalves;
    const auto kind = static_cast<ScoredKind>((bits & 7U) - (half ? kHalves : 0));
    // Signed, so that a label shows as it was.
    const auto payload = static_cast<std::uint64_t>(static_cast<std::int64_t>(bits) >> 3U);
    if (kind > ScoredKind::kPositive) return {kind, payload};
    return {kind, (half ? kHalfKey : kFloatKey) | bits >> 32U, (bits & 0xFFFFFFFFU) >> 3U};
  }
  // 0 of a positive row, and of a negative one of this label, with a float of this width.
  static Bits unlike(Bits bits, std::uint64_t label, bool half) noexcept {
    const Bits negative = half ? kHalves : 0;
    const bool other_kind = (bits & 7U) != (negative | 1U);
    const bool other_label = (bits & 0xFFFFFFFFU) != (label << 3U | negative);
    return static_cast<Bits>(other_kind) & static_cast<Bits>(other_label);
  }
  // Of such a row, without a branch.
  static std::uint32_t float_key(Bits bits) noexcept {
    return static_cast<std::uint32_t>(bits >> 32U);
  }
  static std::uint8_t positive(Bits bits) noexcept { return static_cast<std::uint8_t>(bits & 1U); }
};

struct WideScore {  // Int128
  using Bits = Int128Bits;
  static Bits pack(const ScoredRow& row) noexcept {
    return {row.label << 3U | static_cast<std::uint64_t>(row.kind), row.key};
  }
  static ScoredRow unpack(const Bits& bits) noexcept {
    return {static_cast<ScoredKind>(bits.low & 7U), bits.high, bits.low >> 3U};
  }
};

struct WeightedScore {  // Int128
  using Bits = Int128Bits;
  static constexpr std::uint64_t kNoWeight = std::uint64_t{0x7FF8} << 48U;  // a nan
  static Bits pack(const ScoredRow& row) noexcept {
    if (row.kind > ScoredKind::kPositive) {
      return {kNoWeight | static_cast<std::uint64_t>(row.kind), row.key};
    }
    const double sign = row.kind == ScoredKind::kPositive ? -1.0 : 1.0;
    return {std::bit_cast<std::uint64_t>(std::copysign(row.weight, sign)), row.key};
  }
  static ScoredRow unpack(const Bits& bits) noexcept {
    const auto weight = std::bit_cast<double>(bits.low);
    if (std::isnan(weight)) return {static_cast<ScoredKind>(bits.low & 7U), bits.high};
    const auto kind = std::signbit(weight) ? ScoredKind::kPositive : ScoredKind::kNegative;
    return {kind, bits.high, 0, std::fabs(weight)};
  }
};

struct LongScore {  // Binary
  struct Bits {
    WideScore::Bits row;
    double weight;
  };
  static Bits pack(const ScoredRow& row) noexcept { return {WideScore::pack(row), row.weight}; }
  static ScoredRow unpack(const Bits& bits) noexcept {
    ScoredRow row = WideScore::unpack(bits.row);
    row.weight = bits.weight;
    return row;
  }
};
static_assert(sizeof(LongScore::Bits) == 24);

}  // namespace confmat
