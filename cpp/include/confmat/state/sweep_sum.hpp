// The sum of many sweeps. Counts of the bins of a map are added in a table of all its bins.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "confmat/state/merge_tree.hpp"
#include "confmat/state/saved_bins.hpp"
#include "confmat/state/sweep.hpp"

namespace confmat {

class SweepSum {
 public:
  SweepSum();
  SweepSum(const SweepSum&) = delete;
  SweepSum& operator=(const SweepSum&) = delete;
  ~SweepSum();
  // Throws InputError.
  void add(Sweep sweep);
  void add(const SavedBins& saved);
  void add(AnySweep sweep);
  // Then it is empty again; its memory stays. Throws InputError: there was none.
  [[nodiscard]] Sweep take();
  // take(), saved.
  [[nodiscard]] std::vector<std::uint8_t> saved();

 private:
  class Table;
  std::unique_ptr<Table> table_;
  std::size_t n_entries_ = 0;  // of all that was added
  MergeTree<Sweep> parts_;
};

}  // namespace confmat
