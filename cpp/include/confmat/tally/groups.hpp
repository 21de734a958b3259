// One confusion matrix for each value of a key, or of several, in one pass over whole columns.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "confmat/batch/column.hpp"
#include "confmat/batch/labels.hpp"
#include "confmat/tally/group_keys.hpp"

namespace confmat {

struct GroupTables {
  // Ascending, nulls last, the first key first; only groups that have rows.
  std::vector<std::vector<std::uint32_t>>
      numbers;  // (keys)(groups), see GroupKey; or none of a key
  std::int64_t groups = 0;
  std::int64_t side = 0;            // K + 2: class, other, null (see encode.hpp)
  std::vector<std::int64_t> cells;  // (groups) * side * side
};

struct GroupOptions {
  int threads = 0;
  std::int64_t max_bytes = std::int64_t{1} << 29;
};

// nullopt: there are too many combinations for dense tables within max_bytes; group otherwise.
// Needs: at least one key.
std::optional<GroupTables> count_groups(std::span<const GroupKey> keys, Chunks y_true,
                                        Chunks y_pred, const Labels& labels,
                                        const GroupOptions& options);

// The groups that these keys alone make, positions among all keys; of no keys there is always one.
// Needs: the tables have them.
GroupTables roll_up(const GroupTables& finer, std::span<const GroupKey> keys,
                    std::span<const std::size_t> kept);

}  // namespace confmat
