// What a block of rows of few probabilities adds to sums, column by column: loops over the rows, of
// which processors do several at once. The values are those of probability_row.hpp, bit by bit.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "probability_row.hpp"

namespace confmat {

// kColumns: at most kRowLanes + 2, so that a lane holds at most two of a row.
template <std::size_t kColumns>
class ColumnSums {
 public:
  static constexpr std::size_t kMost = 512;  // rows at a time

  // Columns of n values each. Needs: n <= kMost; every class is one of the columns.
  ColumnSums(const double* columns, std::size_t n, const std::uint16_t* classes) noexcept
      : columns_(columns), n_(n) {
    for (std::size_t r = 0; r < n; ++r) own[r] = columns[classes[r] * n + r];
  }

  // Whether all rows are probabilities.
  [[nodiscard]] bool good(double tolerance) const noexcept {
    std::int64_t bad = 0;
    for (std::size_t r = 0; r < n_; ++r) {
      std::array<double, kRowLanes> sums{};
      std::int64_t wrong = 0;
      for (std::size_t j = 0; j < kColumns; ++j) {
        const double p = columns_[j * n_ + r];
        sums[j % kRowLanes] += p;
        wrong |= (p >= 0 ? 0 : 1) | (p <= 1 ? 0 : 1);
      }
      bad |= wrong | (std::abs(sum_of_lanes(sums) - 1) <= tolerance ? 0 : 1);
    }
    return bad == 0;
  }

  // How many columns have a larger probability than the true class, and how many the same one.
  void rank() noexcept {
    for (std::size_t r = 0; r < n_; ++r) {
      std::int64_t larger = 0;
      std::int64_t equal = 0;
      for (std::size_t j = 0; j < kColumns; ++j) {
        larger += columns_[j * n_ + r] > own[r] ? 1 : 0;
        equal += columns_[j * n_ + r] == own[r] ? 1 : 0;
      }
      above[r] = larger;
      same[r] = equal;
    }
  }

  // The squares of the errors of each row, added up.
  void squares(const std::uint16_t* classes, double* out) const noexcept {
    for (std::size_t r = 0; r < n_; ++r) {
      std::array<double, kRowLanes> sums{};
      const std::size_t truth = classes[r];
      for (std::size_t j = 0; j < kColumns; ++j) {
        const double p = columns_[j * n_ + r];
        const double error = j == truth ? 1 - p : p;
        sums[j % kRowLanes] += error * error;
      }
      out[r] = sum_of_lanes(sums);
    }
  }

  std::array<double, kMost> own;  // of the true class
  std::array<std::int64_t, kMost> above;
  std::array<std::int64_t, kMost> same;  // the true class too

 private:
  const double* columns_;
  std::size_t n_;
};

}  // namespace confmat
