// Determinants with a bound of their error, and exact ones of whole numbers.
// Needs: every entry is finite; k >= 1.
#pragma once

#include <cstdint>
#include <span>

#include "confmat/base/big_int.hpp"

namespace confmat::linalg {

// A determinant as mantissa * 2^exponent: it never over- or underflows. The mantissa is signed and
// its size is in [1/sqrt(2), sqrt(2)), so that the logarithm keeps its digits near 1; 0 if
// singular.
struct Det {
  double mantissa = 0.0;
  std::int64_t exponent = 0;
  double error = 0.0;  // relative, at most; infinite where not even the sign is known

  static Det of(double mantissa, std::int64_t exponent);
  double value() const;
  double log_abs() const;  // -inf if singular
  double sign() const;
};

// The relative error of a determinant that its logarithm and its (k-1)-th root need to be good to
// 1e-10, where the logarithm is not near 0.
double wanted_error(const Det& det, std::int64_t k);

// LU with partial pivoting. Entries may be off by `entry_error` units of 2^-53. The bound of the
// error costs O(k^2) where that gives `wanted_error`, of large matrices the sign; else O(k^3). That
// of large matrices is wrong with a chance below 2e-21. Throws Interrupted.
Det determinant(const double* a, std::int64_t k, double entry_error = 0.0);

// Whole numbers entries[i] * 2^shifts[i]; no shifts: all 0.
struct WholeMatrix {
  std::int64_t k;
  std::span<const std::int64_t> entries;
  std::span<const int> shifts;
};
using WideInt = BigInt<256>;
constexpr int kMostDetBits = 8000;

// By elimination modulo as many primes as `bits` needs. Cost: k^3 / 3 products a prime of 61 bits.
// Needs: the size of the determinant is at most 2^bits, bits <= kMostDetBits.
WideInt exact_determinant(const WholeMatrix& a, int bits);

}  // namespace confmat::linalg
