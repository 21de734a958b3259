// Derivatives by margins and the diagonal, spread over the cells.
#include "confmat/metrics/cell_slopes.hpp"

#include <algorithm>

#include "nan.hpp"

namespace confmat::metrics {

CellSlopes::CellSlopes(const Margins& seen, const Margins& full)
    : factor(1.0 / seen.scale), by(seen.row.size()), places(full.row.size(), -1) {
  const auto kept = seen.kept();
  for (std::size_t i = 0; i < kept.size(); ++i) {
    places[static_cast<std::size_t>(kept[i])] = static_cast<std::int64_t>(i);
  }
}

std::vector<double>& CellSlopes::cells() {
  const std::size_t k = by.row.size();
  if (by.cells.empty()) by.cells.assign(k * k, 0.0);
  return by.cells;
}

void CellSlopes::add(std::size_t i, const Dual<4>& value, double share) {
  const auto [tp, fp, fn, tn] = value.slopes;
  n += share * tn;
  by.row[i] += share * (fn - tn);
  by.col[i] += share * (fp - tn);
  by.diag[i] += share * (tp - fp - fn + tn);
}

void CellSlopes::load_line(std::size_t i, double* out) const {
  if (!is_known || places[i] < 0) {
    std::fill_n(out, places.size(), is_known ? 0.0 : kNan);
    return;
  }
  const std::size_t k = by.row.size();
  const auto at = static_cast<std::size_t>(places[i]);
  const double start = n + by.row[at];
  for (std::size_t j = 0; j < k; ++j) out[j] = start + by.col[j];
  out[at] += by.diag[at];
  if (!by.cells.empty()) {
    const double* cell = by.cells.data() + at * k;
    for (std::size_t j = 0; j < k; ++j) out[j] += cell[j];
  }
  for (std::size_t j = 0; j < k; ++j) out[j] *= factor;
  if (k == places.size()) return;
  for (std::size_t j = places.size(); j-- > 0;) {  // none moves down
    out[j] = places[j] < 0 ? 0.0 : out[places[j]];
  }
}

}  // namespace confmat::metrics
