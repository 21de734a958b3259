// Logarithms of vectors, the same bits on every instruction set: no fused products, no table.
// Included by each instruction-set file inside its own unnamed namespace.
//
// log((1 + s) / (1 - s)) = 2 s + s z P(z) with z = s^2, for |s| up to 1/5: P by Chebyshev
// interpolation, off by 3.8e-17, which is 2^-60 of the logarithm at most.

constexpr double kAtanh[] = {0x1.5555555555555p-1, 0x1.9999999999f17p-2, 0x1.24924923de6edp-2,
                             0x1.c71c72df580fcp-3, 0x1.745cac43cc003p-3, 0x1.3b29d0452d426p-3,
                             0x1.0e8c55b42945fp-3, 0x1.169c38cc826bep-3};
// log 2 in two parts, the first of 42 bits: times an exponent it is exact.
constexpr double kLogOfTwo = 0x1.62e42fefa38p-1;
constexpr double kLogOfTwoBehind = 0x1.ef35793c7673p-45;

// z P(z), in few steps that wait for each other.
inline Reals beyond_two(Reals z) noexcept {
  const Reals square = z * z;
  const auto two = [&](int i) { return kAtanh[i] + kAtanh[i + 1] * z; };
  const Reals low = two(0) + square * two(2), high = two(4) + square * two(6);
  return z * (low + square * square * high);
}

// log(2^exponent (1 + f)), where s = f / (2 + f).
inline Reals logarithm_of(Reals exponent, Reals f, Reals s) noexcept {
  const Reals half = 0.5 * f * f;
  const Reals behind = s * (half + beyond_two(s * s)) + exponent * kLogOfTwoBehind;
  return exponent * kLogOfTwo - ((half - behind) - f);
}
// What it is more than 2 s.
inline Reals beyond_of(Reals exponent, Reals s) noexcept {
  return exponent * kLogOfTwo + (s * beyond_two(s * s) + exponent * kLogOfTwoBehind);
}

constexpr std::uint64_t kBitsOfOne = 0x3ff0000000000000;
constexpr std::uint64_t kExponentBits = 0xfff0000000000000;  // and the sign

// What the first 12 bits of a word are more than `origin`.
inline Reals exponent_of(RealBits word, double origin) noexcept {
  constexpr std::uint64_t kCount = 0x4330000000000000;  // 2^52: a whole number in its fraction
  return reals_of((word >> 52U) | kCount) - (0x1p52 + origin);
}

// log x, of subnormal ones, too. Needs: x is above 0, and at most 1e60.
inline Reals logarithm(Reals x) noexcept {
  constexpr std::uint64_t kRootOfHalf = 0x3fe6a09e667f3bcd;
  const RealBits moved = bits_of_reals(x * 0x1p54) + (kBitsOfOne - kRootOfHalf);
  const Reals exponent = exponent_of(moved, 1023 + 54);
  const Reals f = reals_of((moved & ~kExponentBits) + kRootOfHalf) - 1.0;
  return logarithm_of(exponent, f, f / (2.0 + f));
}

// a = 2^exponent `scaled`, with `scaled` from 2/3 to 3/2 of b.
struct Scaled {
  Reals exponent, scaled;
  RealBits by;  // 2^-exponent, less kBitsOfOne
};

// Needs: normal numbers above 0.
inline Scaled scaled_to(Reals b, Reals a) noexcept {
  // Bits of doubles are nearly logarithms: their difference is rounded to a whole exponent.
  const RealBits apart = bits_of_reals(a) - bits_of_reals(b) + (std::uint64_t{1} << 51U);
  const RealBits by = RealBits{} - (apart & kExponentBits);
  return {exponent_of(apart ^ (std::uint64_t{1} << 63U), 2048), reals_of(bits_of_reals(a) + by),
          by};
}
