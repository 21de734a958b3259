// Derivatives of any number that can be asked for, by the cells of the table.
#pragma once

#include <vector>

#include "confmat/metrics/cell_slopes.hpp"
#include "confmat/metrics/evaluate.hpp"

namespace confmat::metrics {

// Whether there are such: of a table with all its cells.
bool has_gradient(const Ask& ask, Session& session);

// Those of `value`, which is evaluate(). Needs: has_gradient().
CellSlopes cell_slopes(const Ask& ask, Session& session, const Options& options, double value);

// Fills `out` with the k * k derivatives of evaluate(), nan where it is undefined or has none.
// Cells of classes that are left out are 0; so is, of x ln x, the slope at an empty cell.
// Needs: has_gradient().
void gradient(const Ask& ask, Session& session, const Options& options, std::vector<double>& out);

}  // namespace confmat::metrics
