// Sums of float weights by cell, without a branch a row: fixed-point numbers in a window of sizes
// that follows the weights. Weights outside go to exact sums at once: nothing is ever rounded.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "confmat/kernels/table.hpp"
#include "confmat/tally/weight_cells.hpp"

namespace confmat {

// A window for weights like the first ones; tables with the same are merged soonest.
WeightWindow first_window(Chunks sample_weight);

class WeightTable {
 public:
  // Bytes of a cell: its fixed-point numbers, how many rows these have, and its sums.
  static constexpr std::size_t kCellBytes =
      sizeof(WeightSums) + sizeof(std::uint32_t) + sizeof(std::int64_t) + sizeof(FloatWeightCell);

  WeightTable(std::size_t cells, const WeightWindow& window);

  // Rows with the numbers of their cells. Needs: weights as FloatWeightCell::add; n <= kBlock.
  // before(first, size): of every few rows.
  template <class Before>
  void add(const std::uint32_t* codes, const double* weights, std::size_t n, Budget& budget,
           const Before& before) {
    constexpr std::size_t kStep = 64;
    begin(n, budget);
    std::uint64_t outside = 0;
    for (std::size_t first = 0; first < n; first += kStep) {
      const std::size_t size = std::min(kStep, n - first);
      before(first, size);
      if (is_large_) request(codes + first, std::min(2 * kStep, n - first));
      outside += kernels_.add_weights(codes + first, weights + first, size, window_, sums_.data(),
                                      fresh_.data());
    }
    if (outside != 0) add_outside(codes, weights, n, outside, budget);
  }

  void add(const std::uint32_t* codes, const double* weights, std::size_t n, Budget& budget) {
    add(codes, weights, n, budget, [](std::size_t, std::size_t) {});
  }

  // Whether weights are of so many sizes, and cells so many, that sorting the rows is faster.
  [[nodiscard]] bool is_scattered() const noexcept {
    constexpr std::size_t kLeast = 4096;
    return is_large_ && outside_ > kLeast && outside_ * 8 > seen_;
  }

  // What the cells hold; the rows of each stay here. Nothing is to be added any more.
  std::vector<FloatWeightCell> take(Budget& budget);
  [[nodiscard]] const std::vector<std::int64_t>& rows() const noexcept { return rows_; }

 private:
  // Asks for the cells of the rows after those that are added next.
  void request(const std::uint32_t* codes, std::size_t n) const noexcept {
    for (std::size_t i = n / 2; i < n; ++i) {
      __builtin_prefetch(sums_.data() + codes[i], 1);
      __builtin_prefetch(fresh_.data() + codes[i], 1);
    }
  }
  [[nodiscard]] bool is_outside(double weight) const noexcept;
  void begin(std::size_t n, Budget& budget);
  void add_outside(const std::uint32_t* codes, const double* weights, std::size_t n,
                   std::uint64_t outside, Budget& budget);
  void follow(const double* weights, std::size_t n, Budget& budget);
  void settle(std::uint32_t more_than, Budget& budget);
  void make_cells();

  const Kernels& kernels_;
  bool is_large_;
  WeightWindow window_;
  std::size_t most_fresh_ = 0;  // no cell has more rows since it was settled
  std::size_t followed_ = 0;    // rows since the window was moved
  std::size_t seen_ = 0;
  std::size_t outside_ = 0;  // of the rows that were seen
  std::vector<WeightSums> sums_;
  std::vector<std::uint32_t> fresh_;  // rows since then, each
  std::vector<std::int64_t> rows_;
  std::vector<FloatWeightCell> cells_;  // empty until one is settled
};

}  // namespace confmat
