// Counts where a table of all pairs of classes would be larger than its cells that hold something:
// rows become codes of their cell, codes are cut by their highest bits and sorted part by part.
// Cost: about 30 ns a row; memory: 16 bytes a row (32 with weights), 16 a cell (24), and for each
// thread 50 bytes a label.
#pragma once

#include "confmat/batch/labels.hpp"
#include "confmat/tally/count.hpp"
#include "worker.hpp"

namespace confmat {

// Cell: RowCell, IntWeightCell or FloatWeightCell. `fixed`: the labels given, or null.
// The result has `places` where a table is beyond job.max_bytes, or much larger than they are.
template <class Cell>
Counted count_sparse(const Job& job, const Labels* fixed, std::int64_t rows);

extern template Counted count_sparse<RowCell>(const Job&, const Labels*, std::int64_t);
extern template Counted count_sparse<IntWeightCell>(const Job&, const Labels*, std::int64_t);
extern template Counted count_sparse<FloatWeightCell>(const Job&, const Labels*, std::int64_t);

}  // namespace confmat
