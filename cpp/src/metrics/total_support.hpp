// Whether zeros of a square table let its rows and columns be scaled.
#pragma once

#include <cstddef>
#include <span>

namespace confmat::metrics {

// Whether each cell above 0 is on a permutation of such cells (Sinkhorn and Knopp, 1967).
bool has_total_support(std::span<const double> cells, std::size_t size);

}  // namespace confmat::metrics
