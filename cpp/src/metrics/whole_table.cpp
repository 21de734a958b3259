// Tables in whole numbers of any size: weights, and counts whose products 128 bits do not hold.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "confmat/base/interrupt.hpp"
#include "confmat/metrics/margins.hpp"
#include "filled_cells.hpp"

namespace confmat::metrics {

// visit(i, j, cell) of those that hold something, by rows: of a table, or of the list of a sparse
// one.
template <class T, class Visit>
void Margins::for_each_held(const T* cells, const Visit& visit) const {
  const auto size = static_cast<std::size_t>(k);
  for (std::size_t i = 0; i < size; ++i) {
    obey_between_rows(size);
    if (sparse_) {
      for (std::size_t at = filled_.starts[i]; at < filled_.starts[i + 1]; ++at) {
        visit(i, std::size_t{filled_.columns[at]}, cells[at]);
      }
      continue;
    }
    const T* const line = cells + i * size;
    for_each_filled(line, size, [&](std::size_t j) {
      if (line[j] != 0) visit(i, j, line[j]);
    });
  }
}

// whole(cell) is one that holds something.
template <class T, class ToWhole>
void Margins::fill_whole(const T* cells, const ToWhole& whole) {
  const auto size = static_cast<std::size_t>(k);
  WholeTable& out = whole_;
  out.n = out.trace = Whole();
  const int bits = -std::ilogb(scale) - out.unit;
  out.single =
      bits < 0 ? Whole() : Whole(1).shifted(static_cast<unsigned>(std::min(bits, kMostWholeBits)));
  for (std::vector<Whole>* const of : {&out.row, &out.col, &out.tp, &out.fp, &out.fn, &out.tn}) {
    of->assign(size, Whole());
  }
  for_each_held(cells, [&](std::size_t i, std::size_t j, T cell) {
    const Whole here = whole(cell);
    out.row[i] = out.row[i] + here;
    out.col[j] = out.col[j] + here;
    if (i == j) out.tp[i] = here;
  });
  for (std::size_t i = 0; i < size; ++i) {
    out.n = out.n + out.row[i];
    out.trace = out.trace + out.tp[i];
  }
  for (std::size_t i = 0; i < size; ++i) {
    out.fp[i] = out.col[i] - out.tp[i];
    out.fn[i] = out.row[i] - out.tp[i];
    out.tn[i] = out.n - out.row[i] - out.fp[i];
  }
  whole_cells_.clear();
  whole_fits_ = true;
}

WholeTable* Margins::whole() {
  if (has_whole_) return whole_fits_ ? &whole_ : nullptr;
  has_whole_ = true;
  whole_fits_ = false;
  if (kit == Kit::kFast || !(n > 0.0)) return nullptr;
  if (k > (kit == Kit::kExact && !sparse_ ? kMostTableClasses : kMostWholeClasses)) return nullptr;
  if (kit == Kit::kExact) {
    whole_.unit = 0;
    fill_whole(sparse_ ? filled_counts() : cell_counts(),
               [](std::int64_t count) { return Whole(count); });
    return &whole_;
  }
  if (is_rounded_) return nullptr;
  const double* cell = sparse_ ? filled_cells() : cells();
  int unit = 0;  // 1 is whole, too: pairs of rows take it from n
  bool usable = true;
  for_each_held(cell, [&](std::size_t, std::size_t, double weight) {
    usable &= weight >= 0.0;
    if (!(weight > 0.0)) return;
    int exponent = 0;
    const auto bits = static_cast<std::uint64_t>(std::ldexp(std::frexp(weight, &exponent), 53));
    unit = std::min(unit, exponent - 53 + std::countr_zero(bits));
  });
  if (!usable) return nullptr;
  int highest = 0;
  std::frexp(n, &highest);
  if (highest - unit > kMostWholeBits - 2) return nullptr;
  whole_.unit = unit;
  fill_whole(cell, [unit](double weight) { return Whole::of(weight, unit); });
  return &whole_;
}

const Whole* Margins::whole_cells() {
  if (whole_cells_.empty()) {
    const auto size = static_cast<std::size_t>(k);
    whole_cells_.resize(size * size);
    const auto fill = [&](auto cell) {
      for (const auto [first, last] : Strides(size * size)) {
        for (std::size_t i = first; i < last; ++i) whole_cells_[i] = cell(i);
      }
    };
    if (kit == Kit::kExact) {
      fill([counts = cell_counts()](std::size_t i) { return Whole(counts[i]); });
    } else {
      fill([from = cells(), this](std::size_t i) { return Whole::of(from[i], whole_.unit); });
    }
  }
  return whole_cells_.data();
}

void Margins::forget_large() noexcept {
  constexpr std::size_t kKept = std::size_t{1} << 12;  // cells: 600 KB
  if (sparse_ && filled_.columns.capacity() + row.capacity() > kKept) {
    *this = Margins();
    return;
  }
  known_slopes_.clear();
  if (whole_cells_.capacity() > kKept) whole_cells_ = {};
  for (std::vector<double>* const of : {&vectors_, &inverse_}) {
    if (of->capacity() > kKept) std::vector<double>().swap(*of);
  }
  has_vectors_ = has_inverse_ = false;
}

}  // namespace confmat::metrics
