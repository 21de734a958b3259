// Dense linear algebra of square matrices, row-major, over Eigen; decompositions of more than 64
// rows by the library of this thread, if it has one (see library.hpp). O(k^3). Needs: every entry
// is finite; k >= 1.
#pragma once

#include <cstdint>

namespace confmat::linalg {

// Beyond it a library and products by tiles pay; up to it results are the same everywhere.
constexpr std::int64_t kSmall = 64;

void inverse(const double* a, std::int64_t k, double* out);  // approximate; never refuses
void multiply(const double* a, const double* b, std::int64_t k, double* out);
void symmetric_eigenvalues(const double* a, std::int64_t k, double* out);  // descending
void singular_values(const double* a, std::int64_t k, double* out);        // descending
// The same with their vectors, which are the rows of `vectors`.
void symmetric_eigenvectors(const double* a, std::int64_t k, double* values, double* vectors);
double spectral_norm(const double* a, std::int64_t k);  // largest singular value

}  // namespace confmat::linalg
