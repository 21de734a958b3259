// The derivatives of one number by all cells of a table, in less than all of these.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "confmat/metrics/gradient_view.hpp"

namespace confmat::metrics {

// Derivatives as most formulas have them: by the margins and the diagonal, not each cell.
struct CellSlopes {
  bool is_known = true;   // false: those of an undefined value
  bool has_gaps = false;  // a formula of the whole table has no derivative by some cells
  double factor = 1.0, n = 0.0;
  TableSlopes by;
  std::vector<std::int64_t> places;  // in `by` of each class of the table; -1: it is left out

  CellSlopes(const Margins& seen, const Margins& full);  // all 0

  // Of class i against the rest: fn and fp are its margins less tp, tn is what is left of n.
  void add(std::size_t i, const Dual<4>& value, double share);
  std::vector<double>& cells();  // of `by`
  // Those by the cells of true class i of the table.
  void load_line(std::size_t i, double* out) const;
};

}  // namespace confmat::metrics
