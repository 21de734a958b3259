// Scores as 16-bit keys of the order of float16, rounded down; as score_key.hpp has them of floats.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "confmat/base/half.hpp"

namespace confmat {

// The key of the largest float16 that is not above a score, from the key of its float32.
constexpr std::uint16_t half_key(std::uint32_t key) noexcept {
  constexpr std::uint32_t kInfinity = 0x7F800000U;
  constexpr std::uint32_t kLeastNormal = 113U << 23U;  // 2^-14
  constexpr std::uint32_t kRebias = 112U << 23U;
  const bool negative = (key >> 31U) == 0;
  const std::uint32_t size = (negative ? ~key : key) & 0x7FFFFFFFU;  // the bits of |score|
  std::uint32_t half = 0;
  if (size < kLeastNormal) {
    const float steps = std::bit_cast<float>(size) * 0x1p24F;
    half = static_cast<std::uint32_t>(steps);
    if (negative) half = std::max(half + (static_cast<float>(half) < steps ? 1U : 0U), 1U);
  } else {
    half = (size - kRebias + (negative ? 0x1FFFU : 0U)) >> 13U;
    half = std::min(half, negative || size == kInfinity ? 0x7C00U : 0x7BFFU);
  }
  return static_cast<std::uint16_t>(negative ? 0x7FFFU - half : 0x8000U | half);
}

// The float16 of a key; 0.0 also of the key below its own, which no score has.
constexpr float half_of(std::uint16_t key) noexcept {
  if (key == 0x7FFFU) return 0.0F;
  const std::uint32_t bits = key >= 0x8000U ? key & 0x7FFFU : 0xFFFFU - key;
  return float_of_half(static_cast<std::uint16_t>(bits));
}

}  // namespace confmat
