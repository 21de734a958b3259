// Rows that have sets of labels, true and predicted, as a state. Of lists, time and memory go with
// the rows, with the labels that they list, and with the number of labels.
#pragma once

#include <cstdint>
#include <span>

#include "confmat/state/set_counts.hpp"
#include "confmat/tally/set_side.hpp"

namespace confmat {

// The weights of rows: integers or floats that are finite and not negative, or none.
struct SetWeights {
  enum class Kind : std::uint8_t { kNone, kIntegers, kFloats };
  Kind kind = Kind::kNone;
  std::span<const std::int64_t> integers;
  std::span<const double> floats;
};

// `threads`: 0 for one per core. Needs: sides of so many rows, tables of so many labels, a weight
// for each row. Throws InputError: weights that sum to more than a total can hold, lists that are
// not so many, a label in them that is none.
SetCounts count_sets(const SetSide& truth, const SetSide& prediction, std::int64_t rows,
                     SharedLabels labels, const SetWeights& weights, int threads);

}  // namespace confmat
