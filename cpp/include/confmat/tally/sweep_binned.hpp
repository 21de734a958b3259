// Binned sweeps: positives and negatives of the rows whose score lies within [lower, upper). One
// pass, memory that does not depend on the rows.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "confmat/base/pages.hpp"
#include "confmat/scores/bin_map.hpp"
#include "confmat/tally/sweep.hpp"

namespace confmat {

inline constexpr std::size_t kMostEdges = std::size_t{1} << 20;

struct Binning {
  BinMap map = {};
  // Or, unless empty, the bounds: finite and increasing; one bin more lies below them and one
  // above.
  std::span<const double> edges = {};
};

// Bins that hold a row, descending.
struct BinnedState {
  Pages<std::uint32_t> bins;  // their numbers
  Tallies positives;          // 64 bits: counts, or sums of weights
  Tallies negatives;
  Pages<double> positive_squares = {};  // of float weights: the sums of their squares
  Pages<double> negative_squares = {};
  // Of each bin, where every bin holds rows of one score alone; of the type of an exact sweep.
  std::optional<Scores> scores = {};
};

struct SweptBins {
  BinnedState state;
  bool of_float64 = false;  // type of an exact sweep of these scores
  SweptRows rows;
};

// Rows are read as by sweep(). Sums of float weights do not depend on threads or chunks.
// Throws InputError as sweep() does, and for edges that are none.
SweptBins sweep_binned(Chunks y_true, Chunks y_score, Chunks sample_weight, const Binning& binning,
                       const SweepOptions& options);

// `edges`: those of the binning, if it has any. `half`: the scores were float16.
Sweep state_of(SweptBins&& swept, BinMap map, SharedArray<double> edges, bool half);

}  // namespace confmat
