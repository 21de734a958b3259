// Tables of weights in whole numbers.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "confmat/base/interrupt.hpp"
#include "confmat/metrics/margins.hpp"

namespace confmat::metrics {

WholeTable* Margins::whole() {
  if (has_whole_) return whole_fits_ ? &whole_ : nullptr;
  has_whole_ = true;
  whole_fits_ = false;
  constexpr std::int64_t kMostClasses = 1024;  // 150 MB
  if (kit != Kit::kReal || is_rounded_ || !(n > 0.0) || k > kMostClasses) return nullptr;
  const double* cell = cells();
  const auto size = static_cast<std::size_t>(k);
  int unit = 0;  // 1 is whole, too: pairs of rows take it from n
  for (const auto [first, last] : Strides(size * size)) {
    for (std::size_t i = first; i < last; ++i) {
      if (!(cell[i] >= 0.0)) return nullptr;
      if (cell[i] == 0.0) continue;
      int exponent = 0;
      const auto bits = static_cast<std::uint64_t>(std::ldexp(std::frexp(cell[i], &exponent), 53));
      unit = std::min(unit, exponent - 53 + std::countr_zero(bits));
    }
  }
  int highest = 0;
  std::frexp(n, &highest);
  if (highest - unit > kMostWholeBits - 2) return nullptr;
  WholeTable& out = whole_;
  out.unit = unit;
  out.n = out.trace = Whole();
  out.cells.resize(size * size);
  out.row.assign(size, Whole());
  out.col.assign(size, Whole());
  for (std::size_t i = 0; i < size; ++i) {
    obey_between_rows(size);
    for (std::size_t j = 0; j < size; ++j) {
      const Whole here = Whole::of(cell[i * size + j], unit);
      out.cells[i * size + j] = here;
      out.row[i] = out.row[i] + here;
      out.col[j] = out.col[j] + here;
    }
    out.n = out.n + out.row[i];
    out.trace = out.trace + out.cells[i * size + i];
  }
  out.tp.resize(size);
  out.fp.resize(size);
  out.fn.resize(size);
  out.tn.resize(size);
  for (std::size_t i = 0; i < size; ++i) {
    out.tp[i] = out.cells[i * size + i];
    out.fp[i] = out.col[i] - out.tp[i];
    out.fn[i] = out.row[i] - out.tp[i];
    out.tn[i] = out.n - out.row[i] - out.fp[i];
  }
  whole_fits_ = true;
  return &out;
}

void Margins::forget_large() noexcept {
  constexpr std::size_t kKept = std::size_t{1} << 12;  // cells: 600 KB
  if (sparse_ && filled_.columns.capacity() + row.capacity() > kKept) {
    *this = Margins();
    return;
  }
  known_slopes_.clear();
  for (std::vector<double>* const of : {&vectors_, &inverse_}) {
    if (of->capacity() > kKept) std::vector<double>().swap(*of);
  }
  has_vectors_ = has_inverse_ = false;
  if (whole_.cells.capacity() <= kKept) return;
  whole_ = {};
  has_whole_ = false;
}

}  // namespace confmat::metrics
