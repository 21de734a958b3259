// Searches for the size of squares, as the number of those with pairs falls with it.
#include "confmat/state/pair_grid.hpp"

#include <algorithm>

namespace confmat {
namespace {

bool fits(std::span<const PairCell> pairs, int level) {
  if (pairs.size() <= kMostCells) return true;
  std::vector<PairCell> cells;
  cells.reserve(pairs.size());
  for (const PairCell& pair : pairs) cells.push_back(cell_of(pair, level));
  std::ranges::sort(cells);
  const auto rest = std::ranges::unique(cells);
  return cells.size() - rest.size() <= kMostCells;
}

}  // namespace

int fitting_level(std::span<const PairCell> pairs, int level) {
  if (fits(pairs, level)) return level;
  int low = level, high = kMostLevel;  // too many cells, few enough: there are four at the most
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    (fits(pairs, middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace confmat
