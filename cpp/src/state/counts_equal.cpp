// Whether two confusion matrices are of the same cells, tables or sparse.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "confmat/base/interrupt.hpp"
#include "confmat/state/counts.hpp"

namespace confmat {
namespace {

// A number of each cell, whichever way it is held.
double weight_of(const Counts& of, std::size_t i) noexcept {
  return of.has_floats ? of.weights.leads[i] : static_cast<double>(of.cells[i]);
}
double square_of(const Counts& of, std::size_t i) noexcept {
  return of.has_squares ? of.squares.leads[i] : weight_of(of, i);
}
bool knows_squares(const Counts& of) noexcept { return of.has_squares || !of.has_floats; }

// The first cell from `i` on that is not 0.
std::size_t next_filled(const Counts& of, std::size_t i) noexcept {
  while (i < of.held() && weight_of(of, i) == 0) ++i;
  return i;
}

bool same_cell(const Counts& one, std::size_t i, const Counts& other, std::size_t j) noexcept {
  if (one.has_floats || other.has_floats) return weight_of(one, i) == weight_of(other, j);
  return one.cells[i] == other.cells[j];
}

}  // namespace

bool are_same(const Counts& one, const Counts& other) {
  const LabelSet& left = *one.labels;
  const LabelSet& right = *other.labels;
  if (left.labels != right.labels || positive_at(left) != positive_at(right) ||
      one.rows.dropped != other.rows.dropped || one.rows.other != other.rows.other ||
      knows_squares(one) != knows_squares(other)) {
    return false;
  }
  const bool squares = one.has_squares || other.has_squares;
  const StopSign sign;
  std::size_t i = next_filled(one, 0);
  std::size_t j = next_filled(other, 0);
  for (std::size_t n = 0; i < one.held() && j < other.held(); ++n) {
    if ((n & 0xFFFFU) == 0) sign.obey();
    if (one.place(i) != other.place(j) || !same_cell(one, i, other, j)) return false;
    if (squares && square_of(one, i) != square_of(other, j)) return false;
    i = next_filled(one, i + 1);
    j = next_filled(other, j + 1);
  }
  return i >= one.held() && j >= other.held();
}

}  // namespace confmat
