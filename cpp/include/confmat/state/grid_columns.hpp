// What the rows of a column of a grid of pairs, those of like predictions, sum to: their truths and
// their predictions, exactly, but that numbers below 2^-700 in size are 0, so that their products
// with weights have all their digits.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "confmat/base/exact_sum.hpp"
#include "confmat/state/pair_grid.hpp"

namespace confmat {

struct GridColumn {
  ExactSum truth, prediction;

  // Needs: the weight is a double of some part of weights from 1e-60 to 1e60, or of a count.
  void add(double y, double p, double weight) {
    add_product(truth, y, weight);
    add_product(prediction, p, weight);
  }
  void add(const GridColumn& other) {
    truth.add(other.truth);
    prediction.add(other.prediction);
  }

 private:
  static void add_product(ExactSum& to, double x, double weight) {
    if (std::fabs(x) < 0x1p-700) return;
    const double product = x * weight;
    to.add(product);
    if (weight != 1) to.add(std::fma(x, weight, -product));
  }
};

// The least predictions of columns with cells, ascending; none where each pair is a cell of its
// own: then sums follow from the cells.
inline std::vector<double> columns_of(std::span<const PairCell> cells, int level) {
  std::vector<double> columns;
  if (level == kEachPair) return columns;
  for (const PairCell& cell : cells) columns.push_back(cell.prediction);
  std::ranges::sort(columns);
  const auto rest = std::ranges::unique(columns);
  columns.erase(rest.begin(), rest.end());
  return columns;
}

}  // namespace confmat
