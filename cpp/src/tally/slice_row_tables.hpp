// Rows of slices, counted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cell_moves.hpp"
#include "slice_batches.hpp"

namespace confmat {

// Counters of 64 bits, and those of 32 bits of each thread, which are younger.
class SliceRowTables {
 public:
  [[nodiscard]] static std::int64_t cell_bytes(int threads) noexcept { return 8 + 4 * threads; }

  // Counts rows of the plan. Nothing, where the batch is refused or reading throws.
  Strangers count(const GroupPlan& plan, std::int64_t rows, int threads, const Refusal& refusal);
  // Lays out so many cells for each thread; those that are there go where `moves` says.
  void lay_out(std::size_t cells, int threads, const CellMoves* moves);
  [[nodiscard]] std::vector<std::int64_t> sums() const;

 private:
  void flush();

  std::vector<std::int64_t> total_;
  std::vector<std::vector<std::uint32_t>> young_;
  std::int64_t young_rows_ = 0;
};

}  // namespace confmat
