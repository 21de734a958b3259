// Two matrices of rows, added or taken away where their cells lie in a table.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "confmat/state/counts.hpp"
#include "confmat/state/entry_sums.hpp"

namespace confmat {

// The cells of both as a table of the labels of their merge. None: it is better had cell by cell,
// as of weights and of few cells, or must be, as some cell or the total would be out of range.
std::optional<std::vector<std::int64_t>> joined_tables(const Counts& one, const Counts& other,
                                                       const MergedLabels& labels,
                                                       EntryMerge::Operation operation);

}  // namespace confmat
