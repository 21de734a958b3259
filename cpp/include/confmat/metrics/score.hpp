// Metrics of scores: what exists (facts), and values and reasons of a sweep. A sweep holds every
// distinct score with the positives and negatives at it; rows are seen by nobody here.
// Cost: one pass over the sweep for all metrics asked for, about 2 ns an entry and metric.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "confmat/base/wide.hpp"
#include "confmat/metrics/fact.hpp"
#include "confmat/metrics/score_row.hpp"

namespace confmat::metrics {

template <class T>
struct Amounts {
  const T* positives;
  const T* negatives;
};

// Distinct scores, descending and not nan, with the counts or the sums of weights at each.
// Counts together stay below 2^63. Needs: weights are finite and not negative.
struct SweepView {
  std::size_t size = 0;
  std::variant<const float*, const double*> scores;
  // Log loss moves scores into [clip, 1 - clip]; 0: the epsilon of their type.
  double clip = 0.0;
  std::variant<Amounts<std::uint32_t>, Amounts<std::uint64_t>, Amounts<double>> amounts;
  // Of weights, where they are known: the sums of their squares. Only variances look at them.
  Amounts<double> squares = {nullptr, nullptr};
};

// One asked-for number: a row of the registry with its parameter.
struct ScoreAsk {
  std::int32_t row = -1;
  double param = 0.0;
  std::string name;  // as asked, the field name of the result
};

// "roc_auc", "ece", "ece(15)", aliases. Throws InputError with the nearest names for an unknown
// one.
ScoreAsk parse_score(std::string_view name);

struct ScoreFact : CommonFact {
  bool needs_probability = false;
};
const std::vector<ScoreFact>& score_facts();

// out[i] = value of asks[i], nan where undefined. The value depends neither on `threads` (as for
// core_count()) nor on the other asks. Whole-number weights are counts, and computed as such.
// Throws InputError for a score outside [0, 1] where an ask needs probabilities.
void score_values(std::span<const ScoreAsk> asks, const SweepView& sweep, int threads, double* out);

// Of a metric of bins ("ece"), over bins that may lie anywhere: nan if there are none. Throws
// InputError: another metric. Needs: each bin holds a row.
double score_of_bins(const ScoreAsk& ask, std::span<const ScoreBin> bins);

// Why score_values() gives nan: "there are no negatives". Empty when it is a number.
std::string score_reason(const ScoreAsk& ask, const SweepView& sweep, int threads = 0);

// The area under the ROC curve as a fraction: twice the number of pairs in the right order, ties
// as one, and twice the number of pairs. Throws InputError for weights.
std::pair<Int128, Int128> auc_fraction(const SweepView& sweep);

// The area under the ROC curve, and its variance after DeLong (1988) by the placements of Sun and
// Xu (2014), each score with its counts. nan where a class has no row, and the variance where one
// has one row alone.
struct AreaVariance {
  double area = std::numeric_limits<double>::quiet_NaN();
  double variance = std::numeric_limits<double>::quiet_NaN();
};
// Two passes over the counts; scores are not looked at. Of weights a row adds its squared weight to
// the variance, over 1 less the sum of these in that of the weights, squared: of equal weights the
// usual n - 1. Throws InputError for weights without squares.
AreaVariance area_variance(const SweepView& sweep, int threads = 0);

}  // namespace confmat::metrics
