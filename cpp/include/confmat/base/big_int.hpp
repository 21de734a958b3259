// Signed integers of up to 64 kLimbs bits: sign and size, in as many limbs as the value needs.
// Cost: a sum is linear in the limbs in use and a product quadratic; none allocates.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "confmat/base/wide.hpp"

namespace confmat {

// Needs: no result is beyond 64 kLimbs bits.
template <std::size_t kLimbs>
class BigInt {
 public:
  BigInt() = default;
  BigInt(const BigInt& other) noexcept { copy(other); }
  BigInt& operator=(const BigInt& other) noexcept {
    copy(other);
    return *this;
  }
  explicit BigInt(std::int64_t value) noexcept : negative_(value < 0) {
    limbs_[0] =
        value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
    used_ = limbs_[0] != 0 ? 1 : 0;
  }

  static BigInt of(Int128 value) noexcept {
    const BigInt high(static_cast<std::int64_t>(value >> 64));
    const auto low = static_cast<std::uint64_t>(value);
    return high.shifted(64) + BigInt(static_cast<std::int64_t>(low >> 1U)).shifted(1) +
           BigInt(static_cast<std::int64_t>(low & 1U));
  }

  // value * 2^-unit, which has to be whole. `value` is finite.
  static BigInt of(double value, int unit) noexcept {
    int exponent = 0;
    const double mantissa = std::frexp(value, &exponent);
    auto whole = static_cast<std::int64_t>(std::ldexp(mantissa, 53));
    if (whole == 0) return {};
    exponent -= 53 + unit;
    if (exponent < 0) return BigInt(whole >> -exponent);
    return BigInt(whole).shifted(static_cast<unsigned>(exponent));
  }

  [[nodiscard]] int sign() const noexcept { return used_ == 0 ? 0 : negative_ ? -1 : 1; }
  [[nodiscard]] int bits() const noexcept {
    return used_ == 0 ? 0 : static_cast<int>(64 * used_) - std::countl_zero(limbs_[used_ - 1]);
  }

  // The value is the result times 2^exponent, rounded once (ties to even), 1/2 <= |result| < 1.
  [[nodiscard]] double mantissa(std::int64_t& exponent) const noexcept {
    exponent = bits();
    if (used_ == 0) return 0.0;
    // The highest 64 bits; a lowest bit that stands for all below them decides ties.
    const auto shift = static_cast<unsigned>(std::countl_zero(limbs_[used_ - 1]));
    std::uint64_t top = limbs_[used_ - 1] << shift;
    if (used_ > 1 && shift > 0) top |= limbs_[used_ - 2] >> (64U - shift);
    bool rest = used_ > 1 && shift < 64 && (limbs_[used_ - 2] << shift) != 0;
    for (std::size_t i = 0; !rest && i + 2 < used_; ++i) rest = limbs_[i] != 0;
    top |= rest ? 1U : 0U;
    const double size = std::ldexp(static_cast<double>(top), -64);
    return negative_ ? -size : size;
  }
  [[nodiscard]] double value() const noexcept {
    if (used_ <= 1) {
      const auto size = static_cast<double>(used_ == 0 ? 0 : limbs_[0]);
      return negative_ ? -size : size;
    }
    std::int64_t exponent = 0;
    const double size = mantissa(exponent);
    return std::ldexp(size, static_cast<int>(exponent));
  }

  [[nodiscard]] BigInt shifted(unsigned by) const noexcept {
    BigInt out;
    if (used_ == 0) return out;
    const std::size_t skip = by / 64;
    const unsigned shift = by % 64;
    for (std::size_t i = 0; i < skip; ++i) out.limbs_[i] = 0;
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < used_; ++i) {
      out.limbs_[skip + i] = (limbs_[i] << shift) | carry;
      carry = shift == 0 ? 0 : limbs_[i] >> (64U - shift);
    }
    out.used_ = skip + used_;
    if (carry != 0) out.limbs_[out.used_++] = carry;
    out.negative_ = negative_;
    return out;
  }

  BigInt operator-() const noexcept {
    BigInt out = *this;
    out.negative_ = used_ != 0 && !negative_;
    return out;
  }
  friend BigInt operator+(const BigInt& x, const BigInt& y) noexcept {
    return sum(x, y, y.negative_);
  }
  friend BigInt operator-(const BigInt& x, const BigInt& y) noexcept {
    return sum(x, y, !y.negative_);
  }
  friend BigInt operator*(const BigInt& x, const BigInt& y) noexcept {
    BigInt out;
    if (x.used_ == 0 || y.used_ == 0) return out;
    std::fill_n(out.limbs_.begin(), x.used_ + y.used_, 0);
    for (std::size_t i = 0; i < x.used_; ++i) {
      std::uint64_t carry = 0;
      for (std::size_t j = 0; j < y.used_; ++j) {
        const UInt128 part = UInt128{x.limbs_[i]} * y.limbs_[j] + out.limbs_[i + j] + carry;
        out.limbs_[i + j] = static_cast<std::uint64_t>(part);
        carry = static_cast<std::uint64_t>(part >> 64U);
      }
      out.limbs_[i + y.used_] = carry;
    }
    out.used_ = x.used_ + y.used_;
    if (out.limbs_[out.used_ - 1] == 0) --out.used_;
    out.negative_ = x.negative_ != y.negative_;
    return out;
  }
  friend bool operator<(const BigInt& x, const BigInt& y) noexcept { return (x - y).sign() < 0; }
  friend bool operator==(const BigInt& x, const BigInt& y) noexcept { return (x - y).sign() == 0; }

 private:
  void copy(const BigInt& other) noexcept {
    std::copy_n(other.limbs_.begin(), other.used_, limbs_.begin());
    used_ = other.used_;
    negative_ = other.negative_;
  }
  // x plus |y| with the sign that `negative` says.
  static BigInt sum(const BigInt& x, const BigInt& y, bool negative) noexcept {
    if (y.used_ == 0) return x;
    return x.used_ == 0 || x.negative_ == negative ? add(x, y, negative) : subtract(x, y, negative);
  }
  static BigInt add(const BigInt& x, const BigInt& y, bool negative) noexcept {
    const BigInt& longer = x.used_ < y.used_ ? y : x;
    const BigInt& shorter = x.used_ < y.used_ ? x : y;
    BigInt out;
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < longer.used_; ++i) {
      const UInt128 part =
          UInt128{longer.limbs_[i]} + carry + (i < shorter.used_ ? shorter.limbs_[i] : 0);
      out.limbs_[i] = static_cast<std::uint64_t>(part);
      carry = static_cast<std::uint64_t>(part >> 64U);
    }
    out.used_ = longer.used_;
    if (carry != 0) out.limbs_[out.used_++] = carry;
    out.negative_ = negative;
    return out;
  }
  static int compare_sizes(const BigInt& x, const BigInt& y) noexcept {
    if (x.used_ != y.used_) return x.used_ < y.used_ ? -1 : 1;
    for (std::size_t i = x.used_; i > 0; --i) {
      if (x.limbs_[i - 1] != y.limbs_[i - 1]) return x.limbs_[i - 1] < y.limbs_[i - 1] ? -1 : 1;
    }
    return 0;
  }
  // |x| and |y| have opposite signs in the sum.
  static BigInt subtract(const BigInt& x, const BigInt& y, bool negative) noexcept {
    BigInt out;
    const int order = compare_sizes(x, y);
    if (order == 0) return out;
    const BigInt& larger = order < 0 ? y : x;
    const BigInt& smaller = order < 0 ? x : y;
    std::uint64_t borrow = 0;
    for (std::size_t i = 0; i < larger.used_; ++i) {
      const UInt128 part =
          UInt128{larger.limbs_[i]} - (i < smaller.used_ ? smaller.limbs_[i] : 0) - borrow;
      out.limbs_[i] = static_cast<std::uint64_t>(part);
      borrow = static_cast<std::uint64_t>(part >> 64U) != 0 ? 1 : 0;
    }
    out.used_ = larger.used_;
    while (out.limbs_[out.used_ - 1] == 0) --out.used_;
    out.negative_ = order < 0 ? negative : x.negative_;
    return out;
  }

  std::array<std::uint64_t, kLimbs> limbs_;  // those in use have values, least first
  std::size_t used_ = 0;
  bool negative_ = false;
};

}  // namespace confmat
