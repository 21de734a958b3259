// Adds the cells of a matrix to those of another at their places in one table.
#include "joined_tables.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

#include "confmat/base/interrupt.hpp"

namespace confmat {
namespace {

using Places = std::vector<std::uint32_t>;  // of own labels among those of a merge; none: the same

bool is_of_rows(const Counts& of) noexcept { return !of.has_floats && !of.has_squares; }

// It fits, as of every state.
std::int64_t total_of(const Counts& of) {
  std::int64_t out = 0;
  for (const auto [first, last] : Strides(of.held())) {
    for (std::size_t i = first; i < last; ++i) out += of.cells[i];
  }
  return out;
}

// Calls visit(place, cell) for what `of` holds, at its place in a table of k x k.
template <class Visit>
void each_cell(const Counts& of, const Places& at, std::size_t k, const Visit& visit) {
  const std::size_t own = of.k();
  if (of.is_sparse) {
    for (const auto [first, last] : Strides(of.held())) {
      for (std::size_t i = first; i < last; ++i) {
        const auto place = static_cast<std::size_t>(of.places[i]);
        visit(at.empty() ? place : at[place / own] * k + at[place % own], of.cells[i]);
      }
    }
    return;
  }
  const StopSign sign;
  for (std::size_t i = 0; i < own; ++i) {
    sign.obey();
    const std::int64_t* const row = of.cells.data() + i * own;
    if (at.empty()) {
      for (std::size_t j = 0; j < own; ++j) visit(i * k + j, row[j]);
    } else {
      for (std::size_t j = 0; j < own; ++j) visit(at[i] * k + at[j], row[j]);
    }
  }
}

}  // namespace

std::optional<std::vector<std::int64_t>> joined_tables(const Counts& one, const Counts& other,
                                                       const MergedLabels& labels,
                                                       EntryMerge::Operation operation) {
  const std::size_t k = labels.labels->size();
  if (!is_of_rows(one) || !is_of_rows(other) || (one.is_sparse && other.is_sparse)) return {};
  if (k == 0 || k > kMostTableBytes / sizeof(std::int64_t) / k) return {};
  if (k * k / kTableShare > one.held() + other.held()) return {};
  if (operation == EntryMerge::Operation::kAdd &&
      total_of(other) > std::numeric_limits<std::int64_t>::max() - total_of(one)) {
    return {};
  }
  std::vector<std::int64_t> out(k * k);
  each_cell(one, labels.of_one, k,
            [to = out.data()](std::size_t place, std::int64_t cell) { to[place] = cell; });
  if (operation == EntryMerge::Operation::kAdd) {
    each_cell(other, labels.of_other, k,
              [to = out.data()](std::size_t place, std::int64_t cell) { to[place] += cell; });
    return out;
  }
  std::int64_t signs = 0;
  each_cell(other, labels.of_other, k, [&, to = out.data()](std::size_t place, std::int64_t cell) {
    signs |= to[place] -= cell;
  });
  if (signs < 0) return {};
  return out;
}

}  // namespace confmat
