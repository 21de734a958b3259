// How often pairs of each cell of a grid occur. Cost: some 50 ns a row.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "confmat/base/exact_sum.hpp"
#include "confmat/state/exact_sums.hpp"
#include "confmat/state/pair_grid.hpp"

namespace confmat {

class DensityTally {
 public:
  // `w` may be null: rows count once.
  void add(const double* y, const double* p, const double* w, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
      const PairCell cell = cell_of({y[i], p[i]}, level_);
      if (w == nullptr) {
        ++counts_[cell];
      } else {
        weights_[cell].add(w[i]);
      }
      fit();
    }
  }

  void add(const DensityTally& other) {
    coarsen(other.level_);
    for (const auto& [cell, count] : other.counts_) counts_[cell_of(cell, level_)] += count;
    for (const auto& [cell, weight] : other.weights_) weights_[cell_of(cell, level_)].add(weight);
    fit();
  }

  // Appends the sums of the cells, which it returns with their level; then there are none.
  std::vector<PairCell> take(ExactSumsBuilder& sums, int* level) {
    std::vector<PairCell> cells = found();
    std::ranges::sort(cells);
    for (const PairCell& cell : cells) {
      if (const auto at = counts_.find(cell); at != counts_.end()) {
        sums.add_whole(at->second);
      } else {
        sums.add(weights_.at(cell));
      }
    }
    counts_.clear();
    weights_.clear();
    *level = level_;
    level_ = kEachPair;
    return cells;
  }

 private:
  struct Hash {
    std::size_t operator()(const PairCell& cell) const noexcept {
      constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15U;
      const auto truth = std::bit_cast<std::uint64_t>(cell.truth) * kOdd;
      const auto both = (std::rotl(truth, 32) ^ std::bit_cast<std::uint64_t>(cell.prediction));
      return (both * kOdd) >> 16U;
    }
  };
  template <class Value>
  using Cells = std::unordered_map<PairCell, Value, Hash>;

  [[nodiscard]] std::vector<PairCell> found() const {
    std::vector<PairCell> cells;
    cells.reserve(counts_.size() + weights_.size());
    for (const auto& [cell, count] : counts_) cells.push_back(cell);
    for (const auto& [cell, weight] : weights_) cells.push_back(cell);
    return cells;
  }

  void fit() {
    if (counts_.size() <= kMostCells && weights_.size() <= kMostCells) return;
    coarsen(fitting_level(found(), level_));
  }

  void coarsen(int level) {
    if (level <= level_) return;
    level_ = level;
    Cells<std::uint64_t> counts;
    for (const auto& [cell, count] : counts_) counts[cell_of(cell, level)] += count;
    counts_.swap(counts);
    Cells<ExactSum> weights;
    for (const auto& [cell, weight] : weights_) weights[cell_of(cell, level)].add(weight);
    weights_.swap(weights);
  }

  int level_ = kEachPair;
  Cells<std::uint64_t> counts_;
  Cells<ExactSum> weights_;
};

}  // namespace confmat
