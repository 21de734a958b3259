// Margins of sparse tables: what a pass over all cells gives, from those that hold something.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>

#include "confmat/base/error.hpp"
#include "confmat/base/exact_sum.hpp"
#include "confmat/base/interrupt.hpp"
#include "confmat/base/sum2.hpp"
#include "confmat/metrics/margins.hpp"
#include "confmat/metrics/parts.hpp"
#include "filled_cells.hpp"

namespace confmat::metrics {

namespace {

[[noreturn]] void refuse_places() {
  throw InputError("the places of a sparse table do not ascend within it");
}

// Adds the cells to the margins and puts those of the diagonal into `diag`; gives their sum.
template <class Cell>
Cell add_margins(const Filled& filled, const Cell* cells, std::vector<Cell>& row,
                 std::vector<Cell>& col, std::vector<Cell>& diag) {
  Cell trace = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    obey_between_rows(row.size());
    for (std::size_t at = filled.starts[i]; at < filled.starts[i + 1]; ++at) {
      const std::size_t j = filled.columns[at];
      row[i] += cells[at];
      col[j] += cells[at];
      if (i == j) diag[i] = cells[at];
    }
    trace += diag[i];
  }
  return trace;
}

}  // namespace

void check_places(const Table& table) {
  constexpr std::int64_t kMost = (std::int64_t{1} << 31) - 1;
  if (table.k < 0 || table.k > kMost) {
    throw InputError("a sparse table of " + std::to_string(table.k) +
                     " classes; at most 2^31 - 1 are possible");
  }
  std::int64_t least = 0;
  for (const auto [first, last] : Strides(static_cast<std::size_t>(table.filled))) {
    for (std::size_t i = first; i < last; ++i) {
      if (table.places[i] < least || table.places[i] >= table.k * table.k) refuse_places();
      least = table.places[i] + 1;
      // One that is 0 would make its classes seem to have rows.
      const bool holds = table.counts != nullptr ? table.counts[i] > 0 : table.weights[i] > 0;
      if (!holds) throw InputError("a sparse table holds a cell that is not above 0");
    }
  }
}

void Margins::load_sparse(const Table& table) {
  sparse_ = true;
  const auto size = static_cast<std::size_t>(k);
  const auto held = static_cast<std::size_t>(table.filled);
  filled_.columns.resize(held);
  filled_.starts.assign(size + 1, held);
  std::size_t row_at = 0;
  std::int64_t row_start = 0;  // the place of its first cell
  filled_.starts[0] = 0;
  for (const auto [first, last] : Strides(held)) {
    for (std::size_t at = first; at < last; ++at) {
      const std::int64_t place = table.places[at];
      if (place < row_start || place >= k * k) refuse_places();  // changed since they were checked
      if (place - row_start >= k) {
        const auto next = static_cast<std::size_t>(place / k);
        while (row_at < next) filled_.starts[++row_at] = at;
        row_start = static_cast<std::int64_t>(next) * k;
      }
      filled_.columns[at] = static_cast<std::uint32_t>(place - row_start);
    }
  }
  std::ranges::fill(diag, 0.0);
  std::ranges::fill(diag_count, 0);
  Int128 total = 0;
  if (table.counts != nullptr) {
    for (const auto [first, last] : Strides(held)) {
      for (std::size_t at = first; at < last; ++at) {
        if (table.counts[at] < 0) throw InputError("counts must not be negative");
        total += table.counts[at];
      }
    }
  }
  if (table.counts == nullptr || total >= (Int128{1} << 63)) {
    kit = Kit::kReal;
    values_.resize(held);
    for (std::size_t at = 0; at < held; ++at) {
      values_[at] =
          table.counts != nullptr ? static_cast<double>(table.counts[at]) : table.weights[at];
    }
    two_counts_ = table.counts != nullptr && k == 2;
    has_values_ = true;
    return load_filled_cells();
  }
  kit = Kit::kExact;
  n_count = static_cast<std::int64_t>(total);
  trace_count = add_margins(filled_, counts_, row_count, col_count, diag_count);
}

// Margins of `values_`.
void Margins::load_filled_cells() {
  n = trace = 0.0;
  for (const double value : values_) n += value;
  scale_to(n, values_);
  if (scale != 1.0) {  // none becomes 0: its classes have rows
    for (double& value : values_)
      value = std::max(value, std::numeric_limits<double>::denorm_min());
  }
  trace = add_margins(filled_, values_.data(), row, col, diag);
}

void Margins::keep_filled(const Margins& full) {
  sparse_ = true;
  std::vector<std::uint32_t> place(full.row.size(), 0);
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    place[static_cast<std::size_t>(kept_[i])] = static_cast<std::uint32_t>(i);
  }
  counts_ = full.counts_;
  filled_.starts.assign(1, 0);
  for (const std::int64_t i : kept_) {
    filled_.starts.push_back(full.filled_.starts[static_cast<std::size_t>(i) + 1]);
  }
  filled_.columns.resize(full.filled_.columns.size());
  std::ranges::transform(full.filled_.columns, filled_.columns.begin(),
                         [&](std::uint32_t j) { return place[j]; });
}

const double* Margins::filled_cells() {
  if (full_ != nullptr && sparse_) return full_->filled_cells();
  if (has_values_) return values_.data();
  has_values_ = true;
  values_.resize(filled_.columns.size());
  for (const auto [first, last] : Strides(values_.size())) {
    for (std::size_t at = first; at < last; ++at) values_[at] = static_cast<double>(counts_[at]);
  }
  return values_.data();
}

// The list of a table.
void Margins::list_cells() {
  const auto size = static_cast<std::size_t>(k);
  const double* cell = cells();
  filled_.columns.clear();
  filled_.starts.assign(1, 0);
  values_.clear();
  for (std::size_t i = 0; i < size; ++i, cell += size) {
    obey_between_rows(size);
    for_each_filled(cell, size, [&](std::size_t j) {
      if (cell[j] == 0.0) return;
      filled_.columns.push_back(static_cast<std::uint32_t>(j));
      values_.push_back(cell[j]);
    });
    filled_.starts.push_back(values_.size());
  }
  has_values_ = true;
}

// fn and fp as of a table; tn exactly, and then rounded: n without the row and the column.
void Margins::load_exact_rest() {
  if (!sparse_) list_cells();
  const double* value = filled_cells();
  const auto size = static_cast<std::size_t>(k);
  ExactSum total;
  std::vector<std::size_t> starts(size + 1, 0);  // by columns
  for (const std::uint32_t j : filled_.columns) ++starts[j + 1];
  for (std::size_t j = 0; j < size; ++j) starts[j + 1] += starts[j];
  std::vector<std::size_t> in_column(filled_.columns.size());
  std::vector<std::size_t> next(starts.begin(), starts.end() - 1);
  for (std::size_t i = 0; i < size; ++i) {
    obey_between_rows(size);
    for (std::size_t at = filled_.starts[i]; at < filled_.starts[i + 1]; ++at) {
      const std::size_t j = filled_.columns[at];
      total.add(value[at]);
      in_column[next[j]++] = at;
      if (i == j) continue;
      fn_[i] += value[at];
      fp_[j] += value[at];
    }
  }
  tn_.resize(size);
  for_parts_of_rows(size, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      obey_between_rows(size);
      ExactSum rest = total;
      for (std::size_t at = filled_.starts[i]; at < filled_.starts[i + 1]; ++at) {
        rest.add(-value[at]);
      }
      for (std::size_t at = starts[i]; at < starts[i + 1]; ++at) rest.add(-value[in_column[at]]);
      rest.add(diag[i]);
      tn_[i] = rest.value();
    }
  });
}

// The columns of the cells of a row that hold something.
template <class Add>
void Margins::for_each_column(std::size_t i, const Add& add) const {
  if (!sparse_) {
    const auto size = static_cast<std::size_t>(k);
    const double* const cell = cells_.data() + i * size;
    return for_each_filled(cell, size, [&](std::size_t j) {
      if (cell[j] != 0.0) add(j);
    });
  }
  for (std::size_t at = filled_.starts[i]; at < filled_.starts[i + 1]; ++at) {
    add(std::size_t{filled_.columns[at]});
  }
}

double Margins::empty_margins() {
  if (!sparse_) cells();
  if (kit != Kit::kReal) return to_double(empty_margin_counts());
  Sum2 all, total;
  for (const double c : col) all.add(c);
  const auto size = static_cast<std::size_t>(k);
  for (std::size_t i = 0; i < size; ++i) {
    obey_between_rows(size);
    Sum2 rest = all;
    for_each_column(i, [&](std::size_t j) { rest.add(-col[j]); });
    total.add(row[i] * std::max(rest.value(), 0.0));
  }
  return total.value();
}

Int128 Margins::empty_margin_counts() const {
  Int128 total = 0;
  const auto size = static_cast<std::size_t>(k);
  for (std::size_t i = 0; i < size; ++i) {
    obey_between_rows(size);
    std::int64_t rest = n_count;
    for_each_column(i, [&](std::size_t j) { rest -= col_count[j]; });
    total += Int128{row_count[i]} * rest;
  }
  return total;
}

// |i - j| is how many bounds between neighbours lie between them: each bound adds the rows before
// it times the columns behind it, and the other way round. (i - j)^2 is multiplied out.
Int128 Margins::margin_counts_by_gaps(int power) const {
  Int128 rows = 0, cols = 0, total = 0;
  const auto size = static_cast<std::size_t>(k);
  if (power == 1) {
    for (std::size_t i = 0; i < size; ++i) {
      rows += row_count[i];
      cols += col_count[i];
      total += rows * (n_count - cols) + cols * (n_count - rows);
    }
    return total;
  }
  for (std::size_t i = 0; i < size; ++i) {
    const auto at = static_cast<std::int64_t>(i);
    total += Int128{at} * at * (Int128{row_count[i]} + col_count[i]);
    rows += Int128{at} * row_count[i];
    cols += Int128{at} * col_count[i];
  }
  return Int128{n_count} * total - 2 * rows * cols;
}

double Margins::margins_by_gaps(int power) const {
  if (kit != Kit::kReal && spread_fits()) return to_double(margin_counts_by_gaps(power));
  const auto size = static_cast<std::size_t>(k);
  Sum2 rows, cols, total;
  if (power == 1) {
    std::vector<double> behind_rows(size), behind_cols(size);
    Sum2 r, c;
    for (std::size_t i = size; i > 0; --i) {
      behind_rows[i - 1] = r.value();
      behind_cols[i - 1] = c.value();
      r.add(row[i - 1]);
      c.add(col[i - 1]);
    }
    for (std::size_t i = 0; i < size; ++i) {
      rows.add(row[i]);
      cols.add(col[i]);
      total.add(rows.value() * behind_cols[i]);
      total.add(cols.value() * behind_rows[i]);
    }
    return total.value();
  }
  // Around the middle of the rows nothing cancels.
  for (std::size_t i = 0; i < size; ++i) rows.add(static_cast<double>(i) * row[i]);
  const double middle = std::round(rows.value() / n);
  Sum2 near_rows, near_cols, square_rows, square_cols, all_rows, all_cols;
  for (std::size_t i = 0; i < size; ++i) {
    const double from = static_cast<double>(i) - middle;
    near_rows.add(from * row[i]);
    near_cols.add(from * col[i]);
    square_rows.add(from * from * row[i]);
    square_cols.add(from * from * col[i]);
    all_rows.add(row[i]);
    all_cols.add(col[i]);
  }
  total.add(all_cols.value() * square_rows.value());
  total.add(all_rows.value() * square_cols.value());
  total.add(-2 * near_rows.value() * near_cols.value());
  return total.value();
}

}  // namespace confmat::metrics
