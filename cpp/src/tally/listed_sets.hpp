// The state of rows whose sets of labels are lists, without weights: by sorting, as most sets occur
// once where they are a few of many labels.
#pragma once

#include <cstdint>

#include "confmat/state/set_counts.hpp"
#include "confmat/tally/set_side.hpp"

namespace confmat {

// Whether there are so few rows and labels in them that these can be counted so.
bool can_count_listed(const SetLists& truth, const SetLists& prediction) noexcept;

// `parts`: threads, each with a table of all labels. Needs: lists of so many rows that were looked
// at, and labels.
SetCounts count_listed(const SetLists& truth, const SetLists& prediction, std::int64_t rows,
                       SharedLabels labels, int parts);

}  // namespace confmat
