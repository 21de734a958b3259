// A float16 as a float32: every one is exact.
#pragma once

#include <bit>
#include <cstdint>

namespace confmat {

inline constexpr double kHalfEpsilon = 0x1p-10;

constexpr float float_of_half(std::uint16_t half) noexcept {
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000U) << 16U;
  const std::uint32_t exponent = (half >> 10U) & 31U;
  const std::uint32_t fraction = half & 1023U;
  if (exponent == 0) {
    const float size = static_cast<float>(fraction) * 0x1p-24F;
    return sign == 0 ? size : -size;
  }
  const std::uint32_t wide = exponent == 31 ? 255U : exponent + 112U;
  return std::bit_cast<float>(sign | wide << 23U | fraction << 13U);
}

}  // namespace confmat
