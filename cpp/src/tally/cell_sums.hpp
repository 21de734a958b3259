// What the cells of a table of weights come to.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "confmat/base/exact_sum.hpp"
#include "confmat/state/exact_sums.hpp"
#include "confmat/tally/count.hpp"
#include "confmat/tally/weight_cells.hpp"
#include "weight_totals.hpp"

namespace confmat {

// Puts n cells behind each other, at(i) each: an IntWeightCell or a FloatWeightCell.
// Throws InputError: the sum of a cell, or of all, is beyond what may be held.
// Needs: the labels are there, and no cells.
template <class At>
void put_sums(std::size_t n, const At& at, Counted& counted) {
  using Cell = std::remove_cvref_t<decltype(at(0))>;
  ExactSumsBuilder squares;
  squares.reserve(n);
  if constexpr (std::is_same_v<Cell, FloatWeightCell>) {
    ExactSumsBuilder sums;
    sums.reserve(n);
    ExactSum total;
    for (std::size_t i = 0; i < n; ++i) {
      at(i).put(sums, squares);
      total.add(sums.last());
    }
    sums.take(counted.weights, counted.weight_tails);
    if (!std::isfinite(total.value())) refuse_infinite_total();
  } else {
    std::int64_t total = 0;
    counted.cells.reserve(n);
    for (std::size_t i = 0; i < n; ++i) {
      const Cell& cell = at(i);
      if (cell.sum() > INT64_MAX) refuse_cell(counted.labels, static_cast<std::int64_t>(i));
      counted.cells.push_back(static_cast<std::int64_t>(cell.sum()));
      if (counted.cells.back() > INT64_MAX - total) refuse_total();
      total += counted.cells.back();
      cell.put_squares(squares);
    }
  }
  squares.take(counted.weights_sq, counted.square_tails);
}

}  // namespace confmat
