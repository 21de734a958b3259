// Rows that have sets of labels, true and predicted, as a state, from tables of Booleans.
#pragma once

#include <cstdint>
#include <span>

#include "confmat/state/set_counts.hpp"
#include "confmat/tally/set_pairs.hpp"

namespace confmat {

// The weights of rows: integers or floats that are finite and not negative, or none.
struct SetWeights {
  enum class Kind : std::uint8_t { kNone, kIntegers, kFloats };
  Kind kind = Kind::kNone;
  std::span<const std::int64_t> integers;
  std::span<const double> floats;
};

// `threads`: 0 for one per core. Needs: tables of so many rows and labels, a weight for each row.
// Throws InputError: weights that sum to more than a total can hold.
SetCounts count_sets(BoolTable truth, BoolTable prediction, std::int64_t rows, SharedLabels labels,
                     const SetWeights& weights, int threads);

}  // namespace confmat
