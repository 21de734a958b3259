// Dense linear algebra of small square matrices, row-major, over Eigen. No allocation once a thread
// has seen the size. O(k^3).
// Needs: every entry is finite; k >= 1.
#pragma once

#include <cstdint>

namespace confmat::linalg {

// A determinant as mantissa * 2^exponent: it never over- or underflows. The mantissa is signed and
// its size is in [1/sqrt(2), sqrt(2)), so that the logarithm keeps its digits near 1; 0 if
// singular.
struct Det {
  double mantissa = 0.0;
  std::int64_t exponent = 0;

  double value() const;
  double log_abs() const;  // -inf if singular
  double sign() const;
};

Det determinant(const double* a, std::int64_t k);                          // LU, full pivoting
void symmetric_eigenvalues(const double* a, std::int64_t k, double* out);  // descending
void singular_values(const double* a, std::int64_t k, double* out);        // descending
double spectral_norm(const double* a, std::int64_t k);                     // largest singular value

}  // namespace confmat::linalg
