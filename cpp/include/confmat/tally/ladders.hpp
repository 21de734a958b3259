// One class against the others, by the probabilities of that class: for each distinct score of a
// true member (a rung), the members and the others at it, and the others between it and the next
// rung up. That is all that ROC and precision-recall curves and their areas need, without sorting
// the others. Cost: a search among the members for every other row, O(n K log(n / K)) at worst.
// Wins of each pair of classes: Hand & Till 2001, Machine Learning 45:171.
#pragma once

#include <cstdint>
#include <vector>

#include "confmat/tally/probabilities.hpp"

namespace confmat {

struct Ladders {
  // Rungs of class i: offsets[i] ... offsets[i + 1] - 1, by descending score.
  std::vector<std::int64_t> offsets{0};
  std::vector<double> scores;
  std::vector<double> members;       // weight at the score
  std::vector<double> others;        // weight at the score
  std::vector<double> between;       // weight of others below the rung above and above this one
  std::vector<double> lowest;        // the least score among these; nan without any
  std::vector<double> below;         // one a class: weight of others below its last rung
  std::vector<double> lowest_below;  // one a class: the least score of these; nan without any
};

struct Wins {
  // K x K: pairs of a row of class i and a row of class j, by their probability of class i: two
  // for each pair in which the row of class i has the larger one, one for each tie. The diagonal
  // is 0. `exact` without weights, else sums of products of weights.
  std::vector<std::uint64_t> exact;
  std::vector<double> weighted;
};

// Both, class by class; `ladders` may be null when the wins alone are wanted. Any values are safe;
// nan counts as the least score. Throws InputError beyond 2^32 - 1 rows.
Wins class_ladders(const ProbabilityTable& table, Ladders* ladders, int threads);

// One ladder of all n x K decisions "is it this class", pooled. With weights on one thread only.
Ladders pooled_ladder(const ProbabilityTable& table, int threads);

}  // namespace confmat
