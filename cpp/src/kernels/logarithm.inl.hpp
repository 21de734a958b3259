// Logarithms of vectors, the same bits on every instruction set: no fused products, no table.
// Included by each instruction-set file inside its own unnamed namespace.
//
// x = 2^k m with m from sqrt(1/2) to sqrt(2); f = m - 1, s = f / (2 + f), and log m = 2 atanh s =
// f - (f^2 / 2 - s (f^2 / 2 + s^2 P(s^2))), with P by Chebyshev interpolation of (2 atanh s / s -
// 2) / s^2, off by 2.1e-18. The error is below 1 ulp, as tests/cpp/kernels/terms.cpp shows.

constexpr double kAtanh[] = {0x1.5555555555555p-1, 0x1.9999999999a38p-2, 0x1.2492492476c87p-2,
                             0x1.c71c720160b47p-3, 0x1.745cf901605f7p-3, 0x1.3b1c360763b8ap-3,
                             0x1.0fbe83c2cbcf3p-3, 0x1.0c04595972ab8p-3};
// log 2 in two parts, the first of 42 bits: times an exponent it is exact.
constexpr double kLogOfTwo = 0x1.62e42fefa38p-1;
constexpr double kLogOfTwoBehind = 0x1.ef35793c7673p-45;

struct Binary {
  Reals exponent, mantissa;
};

// Needs: x is normal and above 0.
inline Binary binary_of(Reals x) noexcept {
  constexpr std::int64_t kRootOfHalf = 0x3fe6a09e667f3bcd;
  constexpr std::int64_t kOne = 0x3ff0000000000000;
  constexpr std::int64_t kFraction = (std::int64_t{1} << 52U) - 1;
  constexpr std::int64_t kCount = 0x4330000000000000;  // 2^52: a whole number in its fraction
  const Integers moved = integers_of(x) + (kOne - kRootOfHalf);
  const Reals counted = reals_of((moved >> 52U) | kCount);  // of positive words
  return {counted - (0x1p52 + 1023.0), reals_of((moved & kFraction) + kRootOfHalf)};
}

// log(2^exponent (1 + f)) + rest. Needs: |f| below sqrt(2) - 1.
inline Reals logarithm_of(Reals exponent, Reals f, Reals rest) noexcept {
  const Reals s = f / (2.0 + f);
  const Reals z = s * s;
  Reals series = Reals{} + kAtanh[7];
  for (int i = 6; i >= 0; --i) series = series * z + kAtanh[i];
  const Reals half = 0.5 * f * f;
  const Reals behind = s * (half + z * series) + (exponent * kLogOfTwoBehind + rest);
  return exponent * kLogOfTwo - ((half - behind) - f);
}

// log x. Needs: x is finite and above 0.
inline Reals logarithm(Reals x) noexcept {
  const Reals zero = {};
  const auto is_small = x < 0x1p-1022;
  const Binary of = binary_of(is_small ? x * 0x1p54 : x);
  const Reals exponent = of.exponent - (is_small ? zero + 54.0 : zero);
  return logarithm_of(exponent, of.mantissa - 1.0, zero);
}

// log(1 + x). Needs: x is finite and above -1.
inline Reals logarithm_from_one(Reals x) noexcept {
  const Reals zero = {};
  const Reals sum = 1.0 + x;
  const Binary of = binary_of(sum);
  const auto is_near = of.exponent == zero;
  // What the sum lost, as a part of it.
  const Reals lost = x > 1.0 ? 1.0 - (sum - x) : x - (sum - 1.0);
  return logarithm_of(of.exponent, is_near ? x : of.mantissa - 1.0, is_near ? zero : lost / sum);
}
