// Blocks of a probability table as doubles, by rows or by columns, whatever their layout; -0.0
// becomes 0.0. At most 64 KiB a block unless a single row needs more.
#pragma once

#include <algorithm>
#include <cstring>
#include <vector>

#include "confmat/batch/gather.hpp"
#include "confmat/tally/probabilities.hpp"

namespace confmat {

class ProbabilityBlock {
 public:
  explicit ProbabilityBlock(std::span<const Column> columns)
      : columns_(columns),
        rows_(std::clamp<std::size_t>(8192 / std::max<std::size_t>(columns.size(), 1), 1, kBlock)),
        values_(rows_ * columns.size()),
        by_row_(lies_by_row(columns)) {}

  [[nodiscard]] std::int64_t most_rows() const noexcept { return static_cast<std::int64_t>(rows_); }

  // n x K values, row after row. Needs: n <= most_rows().
  double* rows(std::int64_t at, std::size_t n) {
    const std::size_t k = columns_.size();
    if (by_row_) {
      for (std::size_t r = 0; r < n; ++r) {
        const Column& first = columns_.front();
        const std::byte* from = first.data + (at + static_cast<std::int64_t>(r)) * first.stride;
        if (first.type == DType::kFloat64) {
          take<double>(from, k, values_.data() + r * k, 1);
        } else {
          take<float>(from, k, values_.data() + r * k, 1);
        }
      }
      return values_.data();
    }
    for (std::size_t j = 0; j < k; ++j) column(j, at, n, values_.data() + j, k);
    return values_.data();
  }

  // Column after column, n values each. kColumns: how many there are, or 0 for any number.
  // Needs: n <= most_rows().
  template <std::size_t kColumns = 0>
  double* columns(std::int64_t at, std::size_t n) {
    if (by_row_) {
      const Column& first = columns_.front();
      const std::byte* from = first.data + at * first.stride;
      if (first.type == DType::kFloat64) {
        turn<double, kColumns>(from, first.stride, n);
      } else {
        turn<float, kColumns>(from, first.stride, n);
      }
      return values_.data();
    }
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      column(j, at, n, values_.data() + j * n, 1);
    }
    return values_.data();
  }

 private:
  static bool lies_by_row(std::span<const Column> columns) noexcept {
    for (std::size_t j = 0; j < columns.size(); ++j) {
      const Column& column = columns[j];
      const std::int64_t offset = static_cast<std::int64_t>(j) * width_of(column.type);
      if (column.swapped || column.type != columns[0].type || column.stride != columns[0].stride ||
          column.data != columns[0].data + offset) {
        return false;
      }
    }
    return columns.size() > 1;
  }

  template <class T>
  static void take(const std::byte* from, std::size_t n, double* to, std::size_t step) noexcept {
    for (std::size_t i = 0; i < n; ++i) {
      T value;
      std::memcpy(&value, from + i * sizeof(T), sizeof value);
      to[i * step] = static_cast<double>(value) + 0.0;
    }
  }

  template <class T, std::size_t kColumns>
  void turn(const std::byte* from, std::int64_t stride, std::size_t n) noexcept {
    const std::size_t k = kColumns == 0 ? columns_.size() : kColumns;
    double* const to = values_.data();
    for (std::size_t r = 0; r < n; ++r, from += stride) take<T>(from, k, to + r, n);
  }

  void column(std::size_t j, std::int64_t at, std::size_t n, double* to, std::size_t step) {
    const Run run = gather(columns_[j], at, n, scratch_);
    if (run.type == DType::kFloat64) {
      take<double>(run.values, n, to, step);
    } else {
      take<float>(run.values, n, to, step);
    }
  }

  std::span<const Column> columns_;
  std::size_t rows_;
  std::vector<double> values_;
  bool by_row_;
  Scratch scratch_;
};

}  // namespace confmat
