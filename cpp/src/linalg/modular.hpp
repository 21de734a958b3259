// Arithmetic modulo a prime below 2^62, in Montgomery's form: x stands for x 2^64 mod p.
// Cost: a product is three multiplications.
#pragma once

#include <cstdint>

#include "confmat/base/wide.hpp"

namespace confmat::linalg {

class Modulus {
 public:
  // Needs: p is odd and below 2^62.
  explicit Modulus(std::uint64_t p) noexcept : p_(p) {
    for (int i = 0; i < 5; ++i) inverse_ *= 2 - p * inverse_;  // 3 good bits, then 6, 12, ...
    one_ = static_cast<std::uint64_t>((UInt128{1} << 64U) % p);
    square_ = static_cast<std::uint64_t>(UInt128{one_} * one_ % p);
  }

  [[nodiscard]] std::uint64_t prime() const noexcept { return p_; }
  [[nodiscard]] std::uint64_t one() const noexcept { return one_; }
  [[nodiscard]] std::uint64_t enter(std::uint64_t x) const noexcept { return times(x, square_); }
  [[nodiscard]] std::uint64_t leave(std::uint64_t x) const noexcept { return times(x, 1); }

  // Needs: x y < 2^64 p.
  [[nodiscard]] std::uint64_t times(std::uint64_t x, std::uint64_t y) const noexcept {
    const UInt128 product = UInt128{x} * y;
    const auto factor = static_cast<std::uint64_t>(product) * inverse_;
    const auto above = static_cast<std::uint64_t>(product >> 64U);
    const auto taken = static_cast<std::uint64_t>((UInt128{factor} * p_) >> 64U);
    return minus(above, taken);
  }
  [[nodiscard]] std::uint64_t minus(std::uint64_t x, std::uint64_t y) const noexcept {
    return x - y + (p_ & (0 - static_cast<std::uint64_t>(x < y)));  // no branch to guess
  }
  [[nodiscard]] std::uint64_t plus(std::uint64_t x, std::uint64_t y) const noexcept {
    return minus(x, p_ - y);
  }
  [[nodiscard]] std::uint64_t power(std::uint64_t x, std::uint64_t exponent) const noexcept {
    std::uint64_t out = one_;
    for (; exponent != 0; exponent >>= 1U) {
      if ((exponent & 1U) != 0) out = times(out, x);
      x = times(x, x);
    }
    return out;
  }
  [[nodiscard]] std::uint64_t reciprocal(std::uint64_t x) const noexcept {
    return power(x, p_ - 2);
  }

 private:
  std::uint64_t p_;
  std::uint64_t inverse_ = p_;  // of p modulo 2^64
  std::uint64_t one_ = 0;
  std::uint64_t square_ = 0;
};

}  // namespace confmat::linalg
