// The state of a confusion matrix: how often, or with which weight, each class was taken for each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "confmat/state/codec.hpp"
#include "confmat/state/exact_sums.hpp"
#include "confmat/state/labels.hpp"
#include "confmat/state/merge_tree.hpp"
#include "confmat/state/shared_array.hpp"

namespace confmat {

// Of so many classes a table is small, and as good as sparse cells.
inline constexpr std::size_t kAlwaysTable = 1024;
// Of more it is sparse where at most one cell in so many holds something: a quarter the memory.
inline constexpr std::size_t kTableShare = 8;
inline constexpr std::size_t kMostTableBytes = std::size_t{1} << 30U;

// Whether k x k cells, `filled` of them not 0, are kept as a table.
bool is_table(std::size_t k, std::size_t filled, std::size_t most_bytes = kMostTableBytes) noexcept;

struct Counts {
  SharedLabels labels = std::make_shared<const LabelSet>();
  RowTotals rows;
  bool is_sparse = false;
  bool has_floats = false;   // sums of float weights, in `weights`; else whole numbers, in `cells`
  bool has_squares = false;  // sums of squared weights, in `squares`
  // K x K by rows (rows true); or, sparse, those that are not 0: number n is that of the true class
  // places[n] / K and the predicted class places[n] % K; places ascend.
  SharedArray<std::int64_t> places;
  SharedArray<std::int64_t> cells;
  ExactSums weights;
  ExactSums squares;

  [[nodiscard]] std::size_t k() const noexcept { return labels->size(); }
  // How many cells are held.
  [[nodiscard]] std::size_t held() const noexcept {
    return has_floats ? weights.leads.size() : cells.size();
  }
  [[nodiscard]] std::int64_t place(std::size_t i) const noexcept {
    return is_sparse ? places[i] : static_cast<std::int64_t>(i);
  }
};

// The state of the rows of both. Whole numbers become float weights beside such.
// Throws InputError: labels or positive classes that do not go together, totals out of range.
Counts added(const Counts& one, const Counts& other);

// The state of the rows of the first that are not in the other.
// Throws InputError: the same, and a cell that is larger in the other.
Counts taken_away(const Counts& one, const Counts& other);

// Whether labels, positive class, rows left out, cells and squared weights are the same, each
// rounded, tables or sparse.
bool are_same(const Counts& one, const Counts& other);

std::vector<std::uint8_t> encode(const Counts& counts);
// Throws StateError: see open_state; cells that no matrix has. `leading`: what it begins with, as
// open_alike wants it.
Counts decode_counts(Bytes bytes, Bytes* leading = nullptr);

class TableSum;

// The sum of many saved states. Cells of rows are added without making each state; sums of weights
// wait unrounded.
class CountsSum {
 public:
  CountsSum();
  CountsSum(const CountsSum&) = delete;
  CountsSum& operator=(const CountsSum&) = delete;
  ~CountsSum();
  // Throws StateError, InputError.
  void add(Bytes bytes);
  void add(const Counts& counts);
  // Then it is empty; what was read of labels stays. Throws InputError: it was.
  [[nodiscard]] Counts take();

 private:
  void settle();

  class Weighted;
  MergeTree<Counts> total_;
  std::unique_ptr<TableSum> table_;
  std::unique_ptr<Weighted> weighted_;
};

}  // namespace confmat
