// The state of rows of which is known how often each pair of sets occurs.
#pragma once

#include <cstdint>
#include <vector>

#include "confmat/state/set_counts.hpp"
#include "pairs_of_sets.hpp"

namespace confmat {

// `cells`: those of each label, where they are counted already. Needs: the pairs hold something.
// Throws InputError: weights that sum to more than a total can hold.
SetCounts state_of_pairs(PairsOfSets pairs, SharedLabels labels,
                         std::vector<std::int64_t> cells = {});

// Without the pairs that only rows of weight 0 have.
PairsOfSets without_zeros(PairsOfSets pairs);

}  // namespace confmat
