// Sweeps whose neighbouring bins are joined.
#include <algorithm>
#include <utility>

#include "confmat/base/error.hpp"
#include "confmat/base/interrupt.hpp"
#include "confmat/state/sweep.hpp"
#include "sweep_amounts.hpp"

namespace confmat {
namespace {

// The sums over entries first[i] ... first[i + 1] - 1.
ExactSums sums_of(const ExactSums& parts, const std::vector<std::size_t>& first) {
  ExactSumsBuilder sums;
  for (std::size_t at = 0; at + 1 < first.size(); ++at) {
    ExactSum sum;
    for (std::size_t i = first[at]; i < first[at + 1]; ++i) {
      sum.add(parts.leads[i]);
      for (const Tail& tail : parts.tails_of(i)) sum.add(tail.part);
    }
    sums.add(sum);
  }
  return sums.take();
}

AmountArray sums_of(const AmountArray& side, const std::vector<std::size_t>& first) {
  const std::size_t n = first.size() - 1;
  return std::visit(
      [&]<class Array>(const Array& amounts) -> AmountArray {
        if constexpr (std::is_same_v<Array, ExactSums>) {
          return sums_of(amounts, first);
        } else {
          std::vector<std::uint64_t> sums(n);
          for (const auto [from, to] : Strides(n)) {
            for (std::size_t at = from; at < to; ++at) {
              for (std::size_t i = first[at]; i < first[at + 1]; ++i) sums[at] += amounts[i];
            }
          }
          return SharedArray<std::uint64_t>(std::move(sums));
        }
      },
      side);
}

// In the bins of another grid; `bin_of` gives that of each entry, in which neighbours join.
template <class BinOf>
Sweep joined(const Sweep& sweep, Grid grid, const BinOf& bin_of) {
  Sweep out = sweep;
  out.grid = std::move(grid);
  std::vector<std::uint32_t> bins;
  std::vector<std::size_t> first;  // entry of each
  for (const auto [from, to] : Strides(sweep.bins.size())) {
    for (std::size_t i = from; i < to; ++i) {
      const std::uint32_t bin = bin_of(i);
      if (!bins.empty() && bins.back() == bin) continue;
      bins.push_back(bin);
      first.push_back(i);
    }
  }
  out.is_exact = out.is_exact && bins.size() == sweep.bins.size();
  first.push_back(sweep.bins.size());
  out.positives = sums_of(sweep.positives, first);
  out.negatives = sums_of(sweep.negatives, first);
  if (sweep.squares) {
    out.squares = SquareSums{sums_of(sweep.squares->positives, first),
                             sums_of(sweep.squares->negatives, first)};
  }
  out.bins = std::move(bins);
  return canonical(std::move(out));
}

}  // namespace

Sweep regrouped(const Sweep& sweep, const SharedArray<double>& edges) {
  Grid grid = sweep.grid;
  grid.edges = edges;
  const std::vector<double> lower = sweep.grid.lower(sweep.bins.view());
  return joined(sweep, std::move(grid), [&](std::size_t i) {
    const auto above = std::ranges::upper_bound(edges.view(), lower[i]);
    return static_cast<std::uint32_t>(above - edges.view().begin());
  });
}

std::optional<unsigned> unit_level_of(const Grid& grid) {
  return grid.kind == Grid::Kind::kMap ? grid.map.level() : std::nullopt;
}

Sweep coarser(const Sweep& sweep, unsigned level) {
  const std::optional<unsigned> own = unit_level_of(sweep.grid);
  if (!own) {
    throw InputError(sweep.grid.name() + " has no levels; wanted a sweep of unit bins");
  }
  if (level > kMostUnitLevel || level < *own) {
    throw InputError("`level` is " + std::to_string(level) + "; wanted " + std::to_string(*own) +
                     ", the level of the sweep, to " + std::to_string(kMostUnitLevel));
  }
  if (level == *own) return sweep;
  const UnitJoin join(*own, level);
  Grid grid = sweep.grid;
  grid.map = BinMap::unit(level);
  return joined(sweep, std::move(grid), [&](std::size_t i) { return join(sweep.bins[i]); });
}

}  // namespace confmat
