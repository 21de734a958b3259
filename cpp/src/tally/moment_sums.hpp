// What is summed of one group of rows of a regression, until it becomes a state.
#pragma once

#include <vector>

#include "bin_tally.hpp"
#include "confmat/base/exact_sum.hpp"
#include "confmat/state/moments.hpp"
#include "confmat/tally/moments.hpp"
#include "density_tally.hpp"
#include "truth_tally.hpp"

namespace confmat {

struct MomentSums {
  MomentSums(const MomentOptions& options, bool has_weights);

  void add(const MomentSums& other);
  void clear();
  // The state; then there are no rows.
  [[nodiscard]] Moments take();

  Moments head;  // all but the sums
  std::vector<ExactSum> sums;
  BinTally errors, each_truth;
  TruthTally truths;  // where few bins are kept
  DensityTally density;
};

}  // namespace confmat
