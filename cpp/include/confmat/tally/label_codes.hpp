// The labels that rows list, as places among all labels: given ones, or those found, in ascending
// order. One pass, every core.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "confmat/base/pages.hpp"
#include "confmat/batch/column.hpp"
#include "confmat/batch/labels.hpp"

namespace confmat {

// The labels of all rows one after the other, and how many there are up to the end of each row.
struct ListedLabels {
  Chunks labels;
  std::span<const std::int64_t> ends;
  const char* argument;  // names it in errors
};

struct LabelCodes {
  Labels labels;                            // those found
  std::vector<Pages<std::uint32_t>> codes;  // of each column
};

// `known`: the labels, null: those found. `threads`: 0 for one per core. Needs: one or two columns.
// Throws InputError, which names the row: a null, a label that is not known; columns that hold no
// labels, or labels of two kinds.
LabelCodes label_codes(std::span<const ListedLabels> columns, const Labels* known, int threads);

}  // namespace confmat
