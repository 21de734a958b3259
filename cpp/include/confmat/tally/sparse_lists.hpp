// Sparse tables, row by row as SciPy's CSR has them, as lists of labels: one pass on every core.
#pragma once

#include <cstdint>
#include <span>
#include <variant>

#include "confmat/base/pages.hpp"

namespace confmat {

using SparsePlaces = std::variant<std::span<const std::int32_t>, std::span<const std::int64_t>>;

struct SparseLists {
  Pages<std::uint32_t> labels;  // the column of each stored value
  Pages<std::int64_t> ends;     // how many there are up to the end of each row
};

// `starts`: where the stored values of each row begin, and where those of the last one end; the
// first row begins at 0. `threads`: 0 for one per core. Memory may change during the call.
// Throws InputError naming `argument`: rows that do not fit the values, values beyond the columns.
SparseLists sparse_lists(const SparsePlaces& starts, const SparsePlaces& places,
                         std::int64_t columns, const char* argument, int threads);

}  // namespace confmat
