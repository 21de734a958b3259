// Dense linear algebra of small square matrices, row-major, over Eigen. No allocation once a thread
// has seen the size. O(k^3).
// Needs: every entry is finite; k >= 1.
#pragma once

#include <cstdint>

namespace confmat::linalg {

// A = P^-1 L U in place, partial pivoting: row i of L U is row from[i] of A, and `sign` that of the
// permutation. False when a pivot is 0.
bool eliminate_blocked(double* a, std::int64_t k, std::int64_t* from, double& sign);
void inverse(const double* a, std::int64_t k, double* out);  // approximate; never refuses
void multiply(const double* a, const double* b, std::int64_t k, double* out);
void symmetric_eigenvalues(const double* a, std::int64_t k, double* out);  // descending
void singular_values(const double* a, std::int64_t k, double* out);        // descending
double spectral_norm(const double* a, std::int64_t k);                     // largest singular value

}  // namespace confmat::linalg
