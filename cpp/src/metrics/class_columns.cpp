// tp, fp, fn and tn of every class.
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "confmat/base/interrupt.hpp"
#include "confmat/metrics/margins.hpp"
#include "filled_cells.hpp"

namespace confmat::metrics {

// tn of weights: the cells outside the row and the column of each class. Every row adds what is
// before and after the class, so all terms are positive: a difference of totals would cancel.
// Classes between two cells that hold something have the same of them.
void Margins::load_rest() {
  const auto size = static_cast<std::size_t>(k);
  tn_.assign(size, 0.0);
  std::vector<std::size_t> filled;
  scratch_.resize(size + 1);
  double* after = scratch_.data();  // of the filled ones
  for (std::size_t a = 0; a < size; ++a) {
    obey_between_rows(size);
    const double* line = cells() + a * size;
    filled.clear();
    for_each_filled(line, size, [&](std::size_t j) { filled.push_back(j); });
    if (filled.empty()) continue;
    after[filled.size()] = 0.0;
    for (std::size_t at = filled.size(); at > 0; --at) {
      after[at - 1] = after[at] + line[filled[at - 1]];
    }
    const double own = tn_[a];
    double before = 0.0;
    std::size_t i = 0;
    const auto add_up_to = [&](std::size_t end, double others) {
      for (; i < end; ++i) tn_[i] += others;
    };
    for (std::size_t at = 0; at < filled.size(); ++at) {
      add_up_to(filled[at], before + after[at]);
      add_up_to(filled[at] + 1, before + after[at + 1]);
      before += line[filled[at]];
    }
    add_up_to(size, before);
    tn_[a] = own;
  }
}

// Whether somebody else may have a list of these cells.
bool Margins::may_be_listed() {
  if (of_classes_ <= kManyClasses) return false;
  const auto size = static_cast<std::size_t>(k), whole = static_cast<std::size_t>(of_classes_);
  const double* cell = cells();
  std::size_t filled = 0;
  for (std::size_t i = 0; i < size; ++i, cell += size) {
    obey_between_rows(size);
    for_each_filled(cell, size, [&](std::size_t j) { filled += cell[j] != 0 ? 1 : 0; });
  }
  return filled <= whole * whole / kListedShare;
}

double Margins::wrong() {
  if (kit != Kit::kReal) return n - trace;
  const double* fn = columns().fn;
  return std::accumulate(fn, fn + k, 0.0);
}

Columns<double> Margins::columns() {
  if (has_columns_) return {diag.data(), fp_.data(), fn_.data(), tn_.data()};
  has_columns_ = true;
  const auto size = static_cast<std::size_t>(k);
  fn_.assign(size, 0.0);
  fp_.assign(size, 0.0);
  if (kit != Kit::kReal) {
    tn_.resize(size);
    const Columns<std::int64_t> exact = column_counts();
    for (std::size_t i = 0; i < size; ++i) {
      fn_[i] = static_cast<double>(exact.fn[i]);
      fp_[i] = static_cast<double>(exact.fp[i]);
      tn_[i] = static_cast<double>(exact.tn[i]);
    }
    return {diag.data(), fp_.data(), fn_.data(), tn_.data()};
  }
  if (sparse_ || may_be_listed()) {
    load_exact_rest();
    return {diag.data(), fp_.data(), fn_.data(), tn_.data()};
  }
  const double* cell = cells();
  for (std::size_t i = 0; i < size; ++i) {
    obey_between_rows(size);
    const double* const line = cell + i * size;
    for_each_filled(line, size, [&](std::size_t j) {
      if (i == j) return;
      fn_[i] += line[j];
      fp_[j] += line[j];
    });
  }
  load_rest();
  return {diag.data(), fp_.data(), fn_.data(), tn_.data()};
}

Columns<std::int64_t> Margins::column_counts() {
  if (has_column_counts_) {
    return {diag_count.data(), fp_count_.data(), fn_count_.data(), tn_count_.data()};
  }
  has_column_counts_ = true;
  const auto size = static_cast<std::size_t>(k);
  fn_count_.resize(size);
  fp_count_.resize(size);
  tn_count_.resize(size);
  if (two_counts_) {
    const std::int64_t* cell = cell_counts();
    diag_count = {cell[0], cell[3]};
    fn_count_ = {cell[1], cell[2]};
    fp_count_ = {cell[2], cell[1]};
    tn_count_ = {cell[3], cell[0]};
  } else {
    for (std::size_t i = 0; i < size; ++i) {
      fn_count_[i] = row_count[i] - diag_count[i];
      fp_count_[i] = col_count[i] - diag_count[i];
      tn_count_[i] = n_count - row_count[i] - fp_count_[i];
    }
  }
  return {diag_count.data(), fp_count_.data(), fn_count_.data(), tn_count_.data()};
}

}  // namespace confmat::metrics
