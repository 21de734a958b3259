// How often pairs of each cell of a grid occur, and what those of like predictions sum to. Cost:
// some 100 ns a row.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "confmat/base/exact_sum.hpp"
#include "confmat/state/exact_sums.hpp"
#include "confmat/state/grid_columns.hpp"
#include "confmat/state/moments.hpp"
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
      if (level_ != kEachPair) columns_[cell.prediction].add(y[i], p[i], w == nullptr ? 1.0 : w[i]);
      fit();
    }
  }

  void add(const DensityTally& other) {
    coarsen(other.level_);
    for (const auto& [cell, count] : other.counts_) counts_[cell_of(cell, level_)] += count;
    for (const auto& [cell, weight] : other.weights_) weights_[cell_of(cell, level_)].add(weight);
    if (level_ != kEachPair) add_columns(columns_, other, other.level_);
    fit();
  }

  // Sets cells and columns, whose sums it appends; then there are none.
  void take(ExactSumsBuilder& sums, Moments& out) {
    out.cells = found();
    std::ranges::sort(out.cells);
    for (const PairCell& cell : out.cells) {
      if (const auto at = counts_.find(cell); at != counts_.end()) {
        sums.add_whole(at->second);
      } else {
        sums.add(weights_.at(cell));
      }
    }
    out.columns = columns_of(out.cells, level_);
    for (const double column : out.columns) {
      const GridColumn& of = columns_.at(column);
      sums.add(of.truth);
      sums.add(of.prediction);
    }
    out.grid_level = level_;
    counts_.clear();
    weights_.clear();
    columns_.clear();
    level_ = kEachPair;
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
  using Columns = std::unordered_map<double, GridColumn>;

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

  // Adds the columns of `of`, whose cells are of a level that is as fine as this one, or finer.
  void add_columns(Columns& to, const DensityTally& of, int level_of_it) const {
    const auto column = [&](double prediction) -> GridColumn& {
      return to[corner_of(prediction, level_)];
    };
    for (const auto& [prediction, sums] : of.columns_) column(prediction).add(sums);
    if (level_of_it != kEachPair) return;
    for (const auto& [cell, count] : of.counts_) {
      column(cell.prediction).add(cell.truth, cell.prediction, static_cast<double>(count));
    }
    for (const auto& [cell, weight] : of.weights_) {
      weight.each_part(
          [&](double part) { column(cell.prediction).add(cell.truth, cell.prediction, part); });
    }
  }

  void coarsen(int level) {
    if (level <= level_) return;
    const int before = std::exchange(level_, level);
    Columns columns;
    add_columns(columns, *this, before);
    columns_.swap(columns);
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
  Columns columns_;  // none where each pair is a cell
};

}  // namespace confmat
