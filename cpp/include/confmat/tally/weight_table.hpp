// Sums of float weights of a table with few classes, without a branch a row: fixed-point numbers
// in a window of sizes that follows the weights. Weights outside go to the exact sums at once, and
// so does from time to time what was gathered: nothing is ever rounded.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "confmat/kernels/table.hpp"
#include "confmat/tally/weight_cells.hpp"

namespace confmat {

class WeightTable {
 public:
  // More classes: emptying the table would cost more than it saves.
  static constexpr std::uint32_t kMostClasses = 62;

  explicit WeightTable(std::uint32_t classes);

  // Rows with codes as of encode.hpp. Needs: weights as FloatWeightCell::add; n <= kBlock.
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
      outside += kernels_.add_weights(codes + first, weights + first, size, window_, sums_.data(),
                                      fresh_.data());
    }
    if (outside != 0) add_outside(codes, weights, n, outside, budget);
  }

  // Moves the (classes + 2)^2 sums to `cells`; returns how many rows each has.
  std::vector<std::int64_t> take(std::vector<FloatWeightCell>& cells, Budget& budget);

 private:
  // Whether the cell is one of two classes.
  [[nodiscard]] bool is_counted(std::size_t code) const noexcept {
    const std::size_t side = std::size_t{classes_} + 2;
    return code / side < classes_ && code % side < classes_;
  }
  [[nodiscard]] bool is_outside(double weight) const noexcept;
  void begin(std::size_t n, Budget& budget);
  void add_outside(const std::uint32_t* codes, const double* weights, std::size_t n,
                   std::uint64_t outside, Budget& budget);
  void follow(const double* weights, std::size_t n, Budget& budget);
  void settle(Budget& budget);

  const Kernels& kernels_;
  std::uint32_t classes_;
  WeightWindow window_;
  std::size_t pending_ = 0;  // rows since the sums were settled
  std::vector<WeightSums> sums_;
  std::vector<std::uint32_t> fresh_;  // rows since then, each
  std::vector<std::int64_t> rows_;
  std::vector<FloatWeightCell> cells_;
};

}  // namespace confmat
