// Grouped metrics of whole columns in memory: count every group in one pass, then evaluate.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "confmat/base/pages.hpp"
#include "confmat/batch/column.hpp"
#include "confmat/evaluate/reasons.hpp"
#include "confmat/evaluate/spec.hpp"
#include "confmat/tally/group_keys.hpp"
#include "confmat/tally/groups.hpp"

namespace confmat {

// The values of one key: base + number, or, of texts and of integers far apart, listed[number].
struct GroupKeyColumn {
  std::vector<std::int64_t> numbers;  // one a group; -1: null, or a key of another grouping
  std::int64_t base = 0;
  std::optional<Labels> listed;
};

// What the numbers of a key stand for.
GroupKeyColumn values_of(const GroupKey& key, std::span<const std::uint32_t> numbers);

struct GroupColumns {
  std::vector<GroupKeyColumn> keys;  // groups ascend, nulls last, by the first key first
  std::vector<std::int64_t> sizes;   // how many groups each grouping has, one after the other
  Pages<std::int64_t> n, n_dropped, n_other;
  Pages<double> values;  // metric by metric: values[m * groups + g]; nan where undefined
  std::vector<Pages<std::uint8_t>> valid;  // of each metric a bit a group: whether it is defined
  std::unique_ptr<Reasons> reasons;        // where the spec asks for them
};

// nullopt: some key holds other values, or there are too many combinations for dense tables.
// Needs: at least one key, whose columns are as long as y_true. `labels` are those of the spec, or,
// where it has none, those found in the data. `groupings`: which keys make groups, ascending;
// larger sets come first, that of all keys before the others.
std::optional<GroupColumns> evaluate_by_keys(std::span<const Chunks> keys, Chunks y_true,
                                             Chunks y_pred, const Labels& labels, const Spec& spec,
                                             int threads,
                                             std::span<const std::vector<std::size_t>> groupings);

// The same of rows that are counted already: by all keys, in tables of these labels.
std::optional<GroupColumns> evaluate_tables(GroupTables&& finest, std::span<const GroupKey> keys,
                                            const Labels& labels, const Spec& spec, int threads,
                                            std::span<const std::vector<std::size_t>> groupings);

}  // namespace confmat
