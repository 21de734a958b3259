// Counts of (true, predicted) pairs of sets of up to eight labels: one pass that tells of every
// label, of the sizes of the sets and of the sets themselves.
#pragma once

#include <cstdint>
#include <vector>

#include "confmat/tally/set_side.hpp"

namespace confmat {

struct SetPairs {
  std::vector<std::int64_t> cells;  // [[tn, fp], [fn, tp]] of each label
  std::vector<std::uint16_t>
      codes;                       // of the pairs that occur, ascending: true << labels | predicted
  std::vector<std::int64_t> rows;  // how many rows have each
};

inline constexpr unsigned kMostSetLabels = 8;

// `threads`: 0 for one per core. Needs: 1 <= labels <= kMostSetLabels.
SetPairs count_set_pairs(const SetSide& truth, const SetSide& prediction, std::int64_t rows,
                         unsigned labels, int threads);

}  // namespace confmat
