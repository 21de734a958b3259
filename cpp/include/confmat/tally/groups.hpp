// One confusion matrix for each value of an integer key, in one pass over whole columns.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "confmat/batch/column.hpp"
#include "confmat/batch/labels.hpp"

namespace confmat {

struct GroupTables {
  std::vector<std::int64_t> keys;   // ascending; one entry a group that has rows
  bool has_null_key = false;        // then the last table is the group of null keys, without key
  std::int64_t side = 0;            // K + 2: class, other, null (see encode.hpp)
  std::vector<std::int64_t> cells;  // (groups) * side * side
};

struct GroupOptions {
  int threads = 0;
  std::int64_t max_bytes = std::int64_t{1} << 29;
};

// nullopt: the range of the keys is too wide for dense tables within max_bytes; group otherwise.
std::optional<GroupTables> count_groups(Chunks key, Chunks y_true, Chunks y_pred,
                                        const Labels& labels, const GroupOptions& options);

}  // namespace confmat
