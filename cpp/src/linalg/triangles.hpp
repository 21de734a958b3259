// Equations of triangular matrices, many right-hand sides at once, by blocks.
#pragma once

#include "product.hpp"

namespace confmat::linalg {

// X := T^-1 X for the lower triangle T of k x k, its diagonal taken as 1, and X of k x n.
void solve_lower(Part<const double> t, std::size_t k, Part<double> x, std::size_t n);
// The same for an upper triangle with its diagonal.
void solve_upper(Part<const double> t, std::size_t k, Part<double> x, std::size_t n);

// Frobenius norms: of the two triangles of L U, and of the inverse of L U at most, by vectors drawn
// at random, the same ones for the same factors; the chance that they do not see so large an
// inverse is below 2e-21. Rounding is bounded; overflow and what rounding hides are infinite. Cost:
// O(k^2).
struct FactorNorms {
  double lower, upper, inverse;
};
FactorNorms factor_norms(Part<const double> lu, std::size_t k);

}  // namespace confmat::linalg
