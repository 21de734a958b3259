// Counts of (true, predicted) label pairs over whole columns: one pass, every core, same result for
// any thread count and any cut into chunks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "confmat/batch/column.hpp"
#include "confmat/batch/labels.hpp"
#include "confmat/state/counts.hpp"
#include "confmat/tally/outsider.hpp"

namespace confmat {

struct CountOptions {
  const Labels* labels = nullptr;  // fixed label set; null: the sorted union of the labels present
  int threads = 0;                 // 0: one per core
  std::int64_t max_bytes = std::int64_t{1} << 30;  // limit of the tables; beyond: always sparse
  const char* pred_argument = "y_pred";            // what errors call the predictions
};

struct Counted {
  Labels labels;
  // K*K row-major (rows true), or, if sparse, the cells that are not 0: cell n is that of the true
  // class places[n] / K and the predicted class places[n] % K; places ascend.
  bool is_sparse = false;
  bool has_floats = false;  // sparse cells are `weights`, even where there is none
  std::vector<std::int64_t> places;
  std::vector<std::int64_t> cells;  // rows, or sums of weights if these are integers
  std::vector<double> weights;      // sums of float weights, correctly rounded; else empty
  std::vector<double> weights_sq;   // sums of squared weights; empty without weights
  std::vector<Tail> weight_tails;   // what rounding left of either
  std::vector<Tail> square_tails;
  std::int64_t n_rows = 0;     // = counted + n_dropped + n_other
  std::int64_t n_dropped = 0;  // a null label or weight
  std::int64_t n_other = 0;    // a label outside the fixed label set
  Outsider outsider;           // set when n_other > 0
};

// Needs: the memory behind the columns stays valid; it may change during the call (the counts are
// then unspecified, never the memory safety).
// Throws InputError: unequal lengths, mixed label kinds, float labels, NaN/inf/negative weights
// (argument, row), more than 2^31 - 1 labels, sums beyond 2^63.
Counted count(Chunks y_true, Chunks y_pred, Chunks sample_weight, const CountOptions& options);

// What was counted as a state; whether labels were given, and whether rows had weights.
Counts state_of(Counted&& counted, bool given, bool weighted);

}  // namespace confmat
