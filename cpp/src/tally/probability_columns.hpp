// What a block of rows of few probabilities adds to sums, column by column: loops over the rows, of
// which processors do several at once. The values are those of probability_row.hpp, bit by bit.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "confmat/kernels/wide_loop.hpp"
#include "probability_row.hpp"

namespace confmat {

// kColumns: at most twice kRowLanes. Nothing but straight lines within the loops, or compilers
// leave them as they are.
template <std::size_t kColumns>
class ColumnSums {
 public:
  static constexpr std::size_t kMost = 512;  // rows at a time

  // Columns of n values each. Needs: n <= kMost; every class is one of the columns.
  ColumnSums(const double* columns, std::size_t n, const std::uint16_t* classes) noexcept
      : columns_(columns), n_(n) {
    for (std::size_t r = 0; r < n; ++r) {
      own[r] = columns[classes[r] * n + r];
      truth_[r] = classes[r];
    }
  }

  // Whether all rows are probabilities.
  [[nodiscard]] bool good(double tolerance) const noexcept {
    bool all = true;
    wide_loop([this, tolerance, &all] {
      std::array<double, kMost> wrong;
      for (std::size_t r = 0; r < n_; ++r) {
        const auto at = [&](std::size_t j) { return columns_[j * n_ + r]; };
        const double beyond = each([&](auto... j) { return ((outside(at(j))) + ...); });
        wrong[r] = beyond + (std::fabs(sum_of(at) - 1) <= tolerance ? 0.0 : 1.0);
      }
      std::uint64_t any = 0;
      for (std::size_t r = 0; r < n_; ++r) any |= std::bit_cast<std::uint64_t>(wrong[r]);
      all = any == 0;
    });
    return all;
  }

  // How many columns have a larger probability than the true class; kTied and more where one has
  // the same.
  static constexpr double kTied = 1000;
  void rank(double* out) const noexcept {
    wide_loop([this, out] {
      for (std::size_t r = 0; r < n_; ++r) {
        const double mine = own[r];
        const auto at = [&](std::size_t j) { return columns_[j * n_ + r]; };
        out[r] = each([&](auto... j) {
                   return (((at(j) > mine ? 1.0 : 0.0) + (at(j) == mine ? kTied : 0.0)) + ...);
                 }) -
                 kTied;
      }
    });
  }

  // The squares of the errors of each row, added up.
  void squares(double* out) const noexcept {
    wide_loop([this, out] {
      for (std::size_t r = 0; r < n_; ++r) {
        const double truth = truth_[r];
        out[r] = sum_of([&](std::size_t j) {
          const double away = std::fabs(truth - static_cast<double>(j));  // an == makes jumps
          const double error = (away < 1 ? 1.0 : 0.0) - columns_[j * n_ + r];
          return error * error;
        });
      }
    });
  }

  std::array<double, kMost> own;  // of the true class

 private:
  static double outside(double p) noexcept { return (p >= 0 ? 0.0 : 1.0) + (p <= 1 ? 0.0 : 1.0); }

  template <class Body>
  [[gnu::always_inline]] static auto each(const Body& body) noexcept {
    return [&]<std::size_t... kJ>(std::index_sequence<kJ...>) {
      return body(std::integral_constant<std::size_t, kJ>()...);
    }(std::make_index_sequence<kColumns>());
  }

  // As sum_of_row(): lanes that are put together in one order.
  template <class At>
  [[gnu::always_inline]] static double sum_of(const At& at) noexcept {
    const auto lane = [&](auto j) {
      if constexpr (j >= kColumns) {
        return 0.0;
      } else if constexpr (j + kRowLanes < kColumns) {
        return at(j) + at(j + kRowLanes);
      } else {
        return at(j);
      }
    };
    return [&]<std::size_t... kJ>(std::index_sequence<kJ...>) {
      return sum_of_lanes({lane(std::integral_constant<std::size_t, kJ>())...});
    }(std::make_index_sequence<kRowLanes>());
  }

  const double* columns_;
  std::size_t n_;
  std::array<double, kMost> truth_;  // the place of the class
};

}  // namespace confmat
