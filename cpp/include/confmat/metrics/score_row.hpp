// One score metric is one row: facts, the sums over the sweep that it needs, and its formula.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "confmat/metrics/param.hpp"

namespace confmat::metrics {

struct SweepView;

// What is summed in the pass over a sweep.
enum ScoreNeed : unsigned {
  kTotalsOnly = 0,
  kPairs = 1U << 0U,
  kSteps = 1U << 1U,
  kTrapezoids = 1U << 2U,
  kDistance = 1U << 3U,
  kCrossing = 1U << 4U,
  kSquares = 1U << 5U,
  kLogs = 1U << 6U,
  kBins = 1U << 7U,
  kPlacements = 1U << 8U,
  kGains = 1U << 9U,
};

// The rows of one bin of scores: their weight, that of the positives, and the weighted scores.
struct ScoreBin {
  double n, positives, scores;
};

// What formulas see. Only what the row needs is filled in.
struct ScoreSums {
  double positives = 0, negatives = 0, n = 0;
  double auc = 0, gini = 0;  // exact fractions, rounded once
  double steps = 0;          // sum of positives times precision, at each score
  double trapezoids = 0;     // the same with the mean of the precisions before and after
  double distance = 0;       // largest distance of the two distributions
  double crossing = 0;       // fpr where it equals fnr
  double squares = 0;        // of score minus outcome
  double logs = 0;           // minus the log-likelihood
  double gains = 0;          // area under the curve of precision and recall gains
  std::span<const ScoreBin> bins;
};

struct ScoreRow {
  std::string_view name;
  std::string_view aliases = "";  // separated by spaces
  std::string_view symbol;
  std::string_view formula;
  double lo = 0.0;
  double hi = 1.0;
  std::string_view summary;
  std::string_view reference;  // a key of references.hpp
  unsigned needs = kTotalsOnly;
  bool higher = true;  // is better
  bool needs_positives = false;
  bool needs_negatives = false;
  bool needs_probability = false;
  Params params = {};  // one at most
  double (*value)(const ScoreSums& sums) = nullptr;
  // Instead, of what has a pass of its own; the sums are the totals.
  double (*over)(const SweepView& sweep, const ScoreSums& sums, double param) = nullptr;
};

std::span<const ScoreRow> score_rows();

}  // namespace confmat::metrics
