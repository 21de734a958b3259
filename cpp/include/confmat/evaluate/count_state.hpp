// The states of groups of label pairs, as they lie in columns.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "confmat/evaluate/group_evaluator.hpp"
#include "confmat/evaluate/pair_tally.hpp"
#include "confmat/state/counts.hpp"

namespace confmat {

// Of a histogram of the codes of known labels (tally/encode.hpp).
Counts state_of(std::span<const std::int64_t> cells, SharedLabels labels);

// Of a few such codes, which are then sorted.
Counts state_of(std::vector<std::uint32_t>& codes, SharedLabels labels);

// Of a table of counts whose labels were found in the rows.
Counts state_of(GroupTable&& table);

// What the weights of rows are.
enum class Weights : std::uint8_t {
  kFloats,
  kIntegers,
  kRows,  // each stands for so many rows
};

// Of codes of known labels with weights. Needs: no code is beyond the labels.
// Throws InputError: a weight that is none, integers that sum to 2^63 or more.
Counts state_of(std::span<const WeightedCode> rows, SharedLabels labels, Weights weights);

// The same rows, of which this class is the positive one: it is among the labels even if no row has
// it. Throws InputError: labels that are known lack it.
Counts with_positive(Counts counts, Labels positive);

// As metrics take it. Throws InputError: see refuse_identifiers().
GroupTable table_of(const Counts& counts);

}  // namespace confmat
