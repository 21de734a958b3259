// The state of rows that have sets of labels, true and predicted: the 2 x 2 table of each label,
// the sizes of the sets, and the sets that occur.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "confmat/state/codec.hpp"
#include "confmat/state/entry_sums.hpp"
#include "confmat/state/label_sets.hpp"
#include "confmat/state/labels.hpp"
#include "confmat/state/shared_array.hpp"

namespace confmat {

struct SetCounts {
  SharedLabels labels = std::make_shared<const LabelSet>();
  RowTotals rows;
  EntrySums cells;  // [tn, fp, fn, tp] of each label
  // By threes, ascending: how many labels are in both sets, in the true and in the predicted one.
  SharedArray<std::uint32_t> sizes;
  EntrySums of_sizes;  // of rows with such sets, none 0
  // Ascending, in the better form.
  LabelSets sets;
  EntrySums of_sets;  // by threes: of rows where it is the true set, the predicted one, both;
                      // without squares

  [[nodiscard]] bool has_weights() const noexcept { return cells.has_floats || cells.has_squares; }
};

// The state of the rows of both. Found labels unite: rows lack those that only the other has.
// Throws InputError: labels that do not go together, totals out of range.
SetCounts added(const SetCounts& one, const SetCounts& other);

// The state of the rows of the first that are not in the other.
// Throws InputError: the same, and an entry that is larger in the other.
SetCounts taken_away(const SetCounts& one, const SetCounts& other);

// Whether labels, rows left out, and all entries, rounded, are the same.
bool are_same(const SetCounts& one, const SetCounts& other);

std::vector<std::uint8_t> encode(const SetCounts& counts);
// Throws StateError: see open_state; what no rows have.
SetCounts decode_set_counts(Bytes bytes);

}  // namespace confmat
