// Sums of float weights of a table with few classes, without a branch a row: fixed-point numbers
// in a window of sizes that follows the weights. Weights outside go to the exact sums at once, and
// so does from time to time what was gathered: nothing is ever rounded.
#pragma once

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
  void add(const std::uint32_t* codes, const double* weights, std::size_t n, Budget& budget);

  // Moves the (classes + 2)^2 sums to `cells`; returns how many rows each has.
  std::vector<std::int64_t> take(std::vector<FloatWeightCell>& cells, Budget& budget);

 private:
  // Whether the cell is one of two classes.
  [[nodiscard]] bool is_counted(std::size_t code) const noexcept {
    const std::size_t side = std::size_t{classes_} + 2;
    return code / side < classes_ && code % side < classes_;
  }
  [[nodiscard]] bool is_outside(double weight) const noexcept;
  void add_outside(const std::uint32_t* codes, const double* weights, std::size_t n,
                   Budget& budget);
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
