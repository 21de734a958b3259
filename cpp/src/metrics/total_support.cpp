// Permutations of filled cells, and what rows lead to along them.
#include "total_support.hpp"

#include <cstdint>
#include <optional>
#include <vector>

#include "confmat/base/interrupt.hpp"

namespace confmat::metrics {
namespace {

constexpr auto kNoRow = static_cast<std::size_t>(-1);

struct Pattern {
  std::span<const double> cells;
  std::size_t size;
  bool operator()(std::size_t i, std::size_t j) const { return cells[i * size + j] > 0.0; }
};

// The row of each column in a permutation of filled cells, if there is one. The diagonal comes
// first, as most rows are right.
std::optional<std::vector<std::size_t>> permutation(const Pattern& pattern) {
  const std::size_t size = pattern.size;
  const StopSign sign;
  std::vector<std::size_t> row_of(size, kNoRow), column_of(size, kNoRow);
  for (std::size_t i = 0; i < size; ++i) {
    if (pattern(i, i)) row_of[i] = column_of[i] = i;
  }
  for (std::size_t free = 0; free < size; ++free) {
    if (column_of[free] != kNoRow) continue;
    std::vector<std::size_t> from(size, kNoRow), rows{free};  // breadth first, to a free column
    std::size_t end = kNoRow;
    for (std::size_t at = 0; at < rows.size() && end == kNoRow; ++at) {
      sign.obey();
      for (std::size_t j = 0; j < size && end == kNoRow; ++j) {
        if (!pattern(rows[at], j) || from[j] != kNoRow) continue;
        from[j] = rows[at];
        if (row_of[j] == kNoRow) {
          end = j;
        } else {
          rows.push_back(row_of[j]);
        }
      }
    }
    if (end == kNoRow) return std::nullopt;
    while (end != kNoRow) {
      const std::size_t row = from[end], before = column_of[row];
      row_of[end] = row;
      column_of[row] = end;
      end = before;
    }
  }
  return row_of;
}

}  // namespace

bool has_total_support(std::span<const double> cells, std::size_t size) {
  const Pattern pattern{cells, size};
  const auto found = permutation(pattern);
  if (!found) return false;
  const std::vector<std::size_t>& row_of = *found;
  const StopSign sign;
  // A row leads to the rows of its filled columns; all of these cells are on permutations where
  // whatever a row leads to leads back to it.
  const auto reached = [&](std::size_t start, const auto& leads) {
    std::vector<std::uint8_t> seen(size);
    std::vector<std::size_t> rows{start};
    seen[start] = 1;
    while (!rows.empty()) {
      sign.obey();
      const std::size_t i = rows.back();
      rows.pop_back();
      for (std::size_t j = 0; j < size; ++j) {
        const std::size_t next = leads(i, j);
        if (next == kNoRow || seen[next] != 0) continue;
        seen[next] = 1;
        rows.push_back(next);
      }
    }
    return seen;
  };
  std::vector<std::size_t> column_of(size);
  for (std::size_t j = 0; j < size; ++j) column_of[row_of[j]] = j;
  std::vector<std::uint8_t> done(size);
  for (std::size_t start = 0; start < size; ++start) {
    if (done[start] != 0) continue;
    const auto on = reached(
        start, [&](std::size_t i, std::size_t j) { return pattern(i, j) ? row_of[j] : kNoRow; });
    const auto back = reached(
        start, [&](std::size_t i, std::size_t j) { return pattern(j, column_of[i]) ? j : kNoRow; });
    if (on != back) return false;
    for (std::size_t i = 0; i < size; ++i) done[i] |= on[i];
  }
  return true;
}

}  // namespace confmat::metrics
