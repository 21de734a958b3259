// Weights of slices, summed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "cell_moves.hpp"
#include "confmat/base/pages.hpp"
#include "confmat/tally/weight_cells.hpp"
#include "confmat/tally/weight_table.hpp"
#include "slice_batches.hpp"

namespace confmat {

// As WeightTable, of integers.
class IntWeightTable {
 public:
  static constexpr std::size_t kCellBytes = sizeof(IntWeightCell) + sizeof(std::int64_t);

  IntWeightTable(std::size_t cells, const WeightWindow& /*window*/)
      : cells_(large_zeros<IntWeightCell>(cells)), rows_(large_zeros<std::int64_t>(cells)) {}

  void add(const std::uint32_t* codes, const std::uint64_t* weights, std::size_t n,
           Budget& budget) {
    for (std::size_t i = 0; i < n; ++i) {
      cells_[codes[i]].add(weights[i], budget);
      ++rows_[codes[i]];
    }
  }
  std::vector<IntWeightCell> take(Budget& /*budget*/) { return std::move(cells_); }
  [[nodiscard]] const std::vector<std::int64_t>& rows() const noexcept { return rows_; }

 private:
  std::vector<IntWeightCell> cells_;
  std::vector<std::int64_t> rows_;
};

// Sums of weights. Cell: IntWeightCell or FloatWeightCell.
template <class Cell>
class SliceWeightTables {
  using Table =
      std::conditional_t<std::is_same_v<Cell, FloatWeightCell>, WeightTable, IntWeightTable>;

 public:
  static constexpr std::int64_t cell_bytes(int threads) noexcept {
    return static_cast<std::int64_t>(sizeof(Cell) + sizeof(std::int64_t)) +
           threads * static_cast<std::int64_t>(Table::kCellBytes);
  }

  // As of SliceRowTables.
  Strangers count(const GroupPlan& plan, Chunks sample_weight, std::int64_t rows, int threads,
                  const Refusal& refusal);
  void lay_out(std::size_t cells, int threads, const CellMoves* moves);

  // Brings the sums of all threads together.
  void settle();
  // Of each cell, as they were then.
  [[nodiscard]] const std::vector<std::int64_t>& rows() const noexcept { return rows_; }
  [[nodiscard]] const std::vector<Cell>& cells() const noexcept { return cells_; }

 private:
  std::vector<std::unique_ptr<Table>> of_threads_;
  std::vector<std::int64_t> rows_;
  std::vector<Cell> cells_;
  std::vector<std::uint32_t> codes_;  // cells of the rows of a batch
};

extern template class SliceWeightTables<IntWeightCell>;
extern template class SliceWeightTables<FloatWeightCell>;

}  // namespace confmat
