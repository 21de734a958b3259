// Exact sweeps: the distinct scores of two columns, descending, with the positives and negatives at
// each. The state behind every ROC, precision-recall and threshold metric.
// Cost: two passes over float32 scores, three over float64, and one partition by score; 4 or 8
// bytes a row beside the result.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "confmat/base/pages.hpp"
#include "confmat/batch/column.hpp"
#include "confmat/batch/labels.hpp"
#include "confmat/state/sweep.hpp"

namespace confmat {

using Scores = std::variant<Pages<float>, Pages<double>>;
// Counts of rows, 64 bits wide only if one of them needs it; or sums of weights.
using Tallies = std::variant<Pages<std::uint32_t>, Pages<std::uint64_t>, Pages<double>>;

struct SweepState {
  Scores scores;      // distinct, descending; 0.0 for -0.0, never nan
  Tallies positives;  // at each score
  Tallies negatives;  // of the same type
  // Of sums of float weights: those of their squares.
  Pages<double> positive_squares = {};
  Pages<double> negative_squares = {};
};

// How rows are read, for exact and for binned sweeps.
struct SweepOptions {
  const Labels* pos_label = nullptr;       // one label; null: 1 of {0, 1} or {-1, 1}
  bool nan_drop = false;                   // else a nan score is an error
  int threads = 0;                         // 0: one per core
  const char* score_argument = "y_score";  // what errors call the scores
  // Rows swept at once; longer columns are swept in parts, which are merged.
  std::int64_t rows_at_once = std::int64_t{1} << 31;
};

// What was read beside the state.
struct SweptRows {
  std::optional<Labels> negative;  // one label; none: no other class than the positive occurs
  Labels positive;                 // one label
  std::int64_t n_rows = 0;         // all, dropped ones too
  std::int64_t n_dropped = 0;      // a null label, score or weight
  std::int64_t n_nan = 0;          // dropped for a nan score
  bool idle_positive = false;      // a positive row has weight 0
};

struct Swept {
  SweepState state;
  SweptRows rows;
};

// Weights must be finite and not negative. A row of weight 0 is checked like any other, and adds no
// score. Sums of integer weights are exact counts; those of floats are taken in row order.
// Throws InputError: unequal lengths, wrong types, classes other than 0 or -1 and 1, or more than
// two, a positive label that does not occur (unless the classes are such), a nan, an integer score
// that is no double, a bad weight, integer weights that sum to more than 2^63 - 1.
Swept sweep(Chunks y_true, Chunks y_score, Chunks sample_weight, const SweepOptions& options);

// What is kept of the rows. `half`: the scores were float16.
Sweep state_of(Swept&& swept, bool half);

}  // namespace confmat
