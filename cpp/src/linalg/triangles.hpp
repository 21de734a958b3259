// Equations of triangular matrices, many right-hand sides at once, by blocks.
#pragma once

#include "product.hpp"

namespace confmat::linalg {

// X := T^-1 X for the lower triangle T of k x k, its diagonal taken as 1, and X of k x n.
void solve_lower(Part<const double> t, std::size_t k, Part<double> x, std::size_t n);
// The same for an upper triangle with its diagonal.
void solve_upper(Part<const double> t, std::size_t k, Part<double> x, std::size_t n);

// The Frobenius norms of the two triangles of L U, and of their inverses at most: rounding is
// bounded, overflow and what rounding hides are infinite. Cost: k^3 / 3 multiplications.
struct TriangleNorms {
  double lower, upper, lower_inverse, upper_inverse;
};
TriangleNorms triangle_norms(Part<const double> lu, std::size_t k);

}  // namespace confmat::linalg
