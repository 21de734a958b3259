// Loading a table: margins and one-vs-rest cells.
#include "confmat/metrics/margins.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "confmat/base/error.hpp"
#include "confmat/base/interrupt.hpp"
#include "confmat/base/wide.hpp"
#include "filled_cells.hpp"

namespace confmat::metrics {
namespace {

constexpr std::int64_t kFastTotal = std::int64_t{1} << 25;
// Totals of weights beyond 2^200 or below 2^-200 are scaled, so that products of four stay finite.
constexpr int kSafeExponent = 200;

}  // namespace

void Margins::reset() {
  two_counts_ = has_columns_ = has_column_counts_ = has_cells_ = has_cell_counts_ = false;
  has_whole_ = sparse_ = has_values_ = false;
  has_det_ = has_canonical_ = has_singular_ = has_eigen_ = has_shares_ = false;
  has_vectors_ = expects_slopes_ = has_inverse_ = false;
  power_.reset();
  remembered_.clear();
  known_slopes_.clear();
  full_ = nullptr;
  counts_ = nullptr;
  scale = 1.0;
  const auto size = static_cast<std::size_t>(k);
  row.assign(size, 0.0);
  col.assign(size, 0.0);
  diag.resize(size);
  row_count.assign(size, 0);
  col_count.assign(size, 0);
  diag_count.resize(size);
}

// One pass in 64 bits; says false when the sums could have wrapped.
bool Margins::load_counts(const Table& table) {
  std::uint64_t bits = 0;
  const auto size = static_cast<std::size_t>(k);
  for (std::size_t i = 0; i < size; ++i) {
    obey_between_rows(size);
    const std::int64_t* line = table.counts + i * size;
    std::uint64_t sum = 0;
    for (std::size_t j = 0; j < size; ++j) {
      const auto cell = static_cast<std::uint64_t>(line[j]);
      sum += cell;
      bits |= cell;
      col_count[j] = static_cast<std::int64_t>(static_cast<std::uint64_t>(col_count[j]) + cell);
    }
    row_count[i] = static_cast<std::int64_t>(sum);
    diag_count[i] = line[i];
  }
  if (std::bit_width(bits) + 2 * std::bit_width(size) > 62) return false;
  n_count = trace_count = 0;
  for (std::size_t i = 0; i < size; ++i) {
    n_count += row_count[i];
    trace_count += diag_count[i];
  }
  return true;
}

// Large cells: sums in 128 bits. A total of 2^63 or more goes on in doubles.
void Margins::load_wide_counts(const Table& table) {
  const auto size = static_cast<std::size_t>(k);
  Int128 total = 0;
  for (std::size_t i = 0; i < size * size; ++i) {
    if (table.counts[i] < 0) throw InputError("counts must not be negative");
    total += table.counts[i];
  }
  if (total < (Int128{1} << 63)) {
    n_count = static_cast<std::int64_t>(total);
    trace_count = 0;
    for (const std::int64_t d : diag_count) trace_count += d;
    kit = Kit::kExact;
    return;
  }
  kit = Kit::kReal;
  two_counts_ = k == 2;
  cells_.resize(size * size);
  std::transform(table.counts, table.counts + size * size, cells_.begin(),
                 [](std::int64_t cell) { return static_cast<double>(cell); });
  load_cells();
}

// Divides extreme weights.
void Margins::scale_to(double total, std::vector<double>& cells) {
  int exponent = 0;
  if (std::isfinite(total)) std::frexp(total, &exponent);
  if (std::abs(exponent) <= kSafeExponent) return;
  --exponent;
  scale = std::ldexp(1.0, exponent);
  n = std::ldexp(total, -exponent);
  for (double& cell : cells) cell = std::ldexp(cell, -exponent);
}

// Margins of `cells_`.
void Margins::load_cells() {
  const auto size = static_cast<std::size_t>(k);
  has_cells_ = true;
  n = trace = 0.0;
  for (const auto [first, last] : Strides(size * size)) {
    const double* const cell = cells_.data() + first;
    for_each_filled(cell, last - first, [this, cell](std::size_t i) { n += cell[i]; });
  }
  scale_to(n, cells_);
  for (std::size_t i = 0; i < size; ++i) {
    obey_between_rows(size);
    const double* const cell = cells_.data() + i * size;
    double sum = 0.0;
    for_each_filled(cell, size, [&](std::size_t j) {
      sum += cell[j];
      col[j] += cell[j];
    });
    row[i] = sum;
    diag[i] = cell[i];
    trace += diag[i];
  }
}

void Margins::load(const Table& table, double smoothing) {
  k = table.k;
  reset();
  const auto size = static_cast<std::size_t>(k);
  kept_.resize(size);
  for (std::size_t i = 0; i < size; ++i) kept_[i] = static_cast<std::int64_t>(i);
  counts_ = table.counts;
  is_rounded_ = table.is_rounded;
  of_classes_ = std::max(k, table.of_classes);
  if (table.is_sparse) {
    load_sparse(table);
    return load_doubles();
  }
  if (table.counts == nullptr || smoothing != 0.0) {
    kit = Kit::kReal;
    cells_.resize(size * size);
    for (const auto [first, last] : Strides(size * size)) {
      for (std::size_t i = first; i < last; ++i) {
        const double cell =
            table.counts != nullptr ? static_cast<double>(table.counts[i]) : table.weights[i];
        cells_[i] = cell + smoothing;
      }
    }
    return load_cells();
  }
  kit = Kit::kExact;
  if (!load_counts(table)) load_wide_counts(table);
  load_doubles();
}

// Of counts.
void Margins::load_doubles() {
  if (kit == Kit::kReal) return;
  const auto size = static_cast<std::size_t>(k);
  n = static_cast<double>(n_count);
  trace = static_cast<double>(trace_count);
  for (std::size_t i = 0; i < size; ++i) {
    row[i] = static_cast<double>(row_count[i]);
    col[i] = static_cast<double>(col_count[i]);
    diag[i] = static_cast<double>(diag_count[i]);
  }
  if (n_count <= kFastTotal / std::max<std::int64_t>(1, k)) kit = Kit::kFast;
}

bool Margins::has_absent() const {
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (row[i] == 0.0 && col[i] == 0.0) return true;
  }
  return false;
}

void Margins::load_kept(Margins& full) {
  k = 0;
  for (std::size_t i = 0; i < full.row.size(); ++i) k += full.row[i] != 0.0 || full.col[i] != 0.0;
  reset();
  full_ = &full;
  kit = full.kit;
  is_rounded_ = full.is_rounded_;
  of_classes_ = full.of_classes_;
  n = full.n;
  trace = full.trace;
  n_count = full.n_count;
  trace_count = full.trace_count;
  scale = full.scale;
  kept_.clear();
  for (std::size_t i = 0; i < full.row.size(); ++i) {
    if (full.row[i] == 0.0 && full.col[i] == 0.0) continue;
    const std::size_t at = kept_.size();
    row[at] = full.row[i];
    col[at] = full.col[i];
    diag[at] = full.diag[i];
    row_count[at] = full.row_count[i];
    col_count[at] = full.col_count[i];
    diag_count[at] = full.diag_count[i];
    kept_.push_back(static_cast<std::int64_t>(i));
  }
  if (full.sparse_) keep_filled(full);
}

const double* Margins::cells() {
  if (has_cells_) return cells_.data();
  has_cells_ = true;
  const auto size = static_cast<std::size_t>(k);
  cells_.resize(size * size);
  if (sparse_) {
    std::ranges::fill(cells_, 0.0);
    const double* value = filled_cells();
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t at = filled_.starts[i]; at < filled_.starts[i + 1]; ++at) {
        cells_[i * size + filled_.columns[at]] = value[at];
      }
    }
    return cells_.data();
  }
  if (full_ == nullptr) {
    for (const auto [first, last] : Strides(size * size)) {
      for (std::size_t i = first; i < last; ++i) cells_[i] = static_cast<double>(counts_[i]);
    }
    return cells_.data();
  }
  const double* from = full_->cells();
  const auto stride = static_cast<std::size_t>(full_->k);
  for (std::size_t i = 0; i < size; ++i) {
    obey_between_rows(size);
    for (std::size_t j = 0; j < size; ++j) {
      cells_[i * size + j] =
          from[static_cast<std::size_t>(kept_[i]) * stride + static_cast<std::size_t>(kept_[j])];
    }
  }
  return cells_.data();
}

const std::int64_t* Margins::cell_counts() {
  if (full_ == nullptr && !sparse_) return counts_;
  if (has_cell_counts_) return cell_counts_.data();
  has_cell_counts_ = true;
  cell_counts_.clear();
  if (sparse_) {
    const auto size = static_cast<std::size_t>(k);
    cell_counts_.assign(size * size, 0);
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t at = filled_.starts[i]; at < filled_.starts[i + 1]; ++at) {
        cell_counts_[i * size + filled_.columns[at]] = counts_[at];
      }
    }
    return cell_counts_.data();
  }
  for (const std::int64_t i : kept_) {
    obey_between_rows(kept_.size());
    for (const std::int64_t j : kept_) cell_counts_.push_back(full_->counts_[i * full_->k + j]);
  }
  return cell_counts_.data();
}

}  // namespace confmat::metrics
