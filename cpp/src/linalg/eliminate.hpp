// Elimination of large matrices, by blocks. Cost: k^3 / 3 multiplications.
#pragma once

#include <cstdint>

namespace confmat::linalg {

// P A = L U in place, partial pivoting: row i of L U is row from[i] of A (as given, `from` is
// exchanged along), and `sign` that of the permutation. False when a pivot is 0. Throws
// Interrupted.
bool eliminate_blocked(double* a, std::int64_t k, std::int64_t* from, double& sign);

}  // namespace confmat::linalg
