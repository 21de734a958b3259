// Pairs of a true and a predicted set of labels: which occur, and what rows with each weigh.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "confmat/state/entry_sums.hpp"
#include "confmat/state/label_sets.hpp"
#include "confmat/tally/count_sets.hpp"
#include "confmat/tally/set_pairs.hpp"

namespace confmat {

struct PairsOfSets {
  LabelSets sets;                                // those that occur and maybe more, in any order
  std::vector<std::uint32_t> truth, prediction;  // of each pair: numbers of sets
  EntrySums sums;

  [[nodiscard]] std::size_t size() const noexcept { return truth.size(); }
};

// Of rows first ... last - 1. Throws InputError: weights of a pair out of range.
PairsOfSets pairs_of(const SetSide& y_true, const SetSide& y_pred, std::int64_t first,
                     std::int64_t last, std::size_t n_labels, const SetWeights& weights);

// Of what is counted of a few labels.
PairsOfSets pairs_of(const SetPairs& found, unsigned n_labels);

}  // namespace confmat
