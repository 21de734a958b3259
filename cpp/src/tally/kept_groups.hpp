// The tables of groups that have rows, of those of all combinations of the numbers of keys.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "confmat/tally/groups.hpp"
#include "group_reader.hpp"

namespace confmat {

// The numbers of each key of a table; false where one of them is no value's.
inline bool split(std::size_t table, std::span<const GroupKey> keys,
                  std::span<std::uint32_t> numbers) {
  bool inside = true;
  for (std::size_t at = keys.size(); at-- > 0;) {
    const auto count = static_cast<std::size_t>(keys[at].numbers());
    numbers[at] = static_cast<std::uint32_t>(table % count);
    inside = inside && numbers[at] != keys[at].outside();
    table /= count;
  }
  return inside;
}

// Keeps the groups that have rows. Values that came in during the call are nobody's.
inline GroupTables keep_groups(std::vector<std::int64_t>&& tables, const GroupPlan& plan) {
  GroupTables groups;
  groups.side = static_cast<std::int64_t>(plan.set->classes) + 2;
  groups.numbers.resize(plan.keys.size());
  std::vector<std::uint32_t> numbers(plan.keys.size());
  auto kept = tables.begin();
  for (std::size_t table = 0; table < plan.tables; ++table) {
    const auto first = tables.begin() + static_cast<std::ptrdiff_t>(table * plan.cells);
    const auto last = first + static_cast<std::ptrdiff_t>(plan.cells);
    const bool has_rows = std::any_of(first, last, [](std::int64_t cell) { return cell != 0; });
    if (!has_rows || !split(table, plan.keys, numbers)) continue;
    kept = kept == first ? last : std::copy(first, last, kept);
    for (std::size_t at = 0; at < numbers.size(); ++at) groups.numbers[at].push_back(numbers[at]);
    ++groups.groups;
  }
  tables.erase(kept, tables.end());
  groups.cells = std::move(tables);
  return groups;
}

}  // namespace confmat
