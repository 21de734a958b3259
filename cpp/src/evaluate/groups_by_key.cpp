// Counts all groups of a frame, then evaluates them on every core.
#include "confmat/evaluate/groups_by_key.hpp"

#include <algorithm>
#include <utility>

#include "confmat/base/threads.hpp"
#include "confmat/evaluate/group_evaluator.hpp"
#include "confmat/tally/groups.hpp"

namespace confmat {

GroupKeyColumn values_of(const GroupKey& key, std::span<const std::uint32_t> numbers) {
  GroupKeyColumn out{.numbers = {}, .base = key.base, .listed = {}};
  out.numbers.reserve(numbers.size());
  for (const std::uint32_t number : numbers) {
    out.numbers.push_back(number == key.null() ? -1 : std::int64_t{number});
  }
  if (key.set) out.listed = key.listed;
  return out;
}

namespace {

constexpr std::int64_t kMostBytes = std::int64_t{1} << 29;

using Grouping = std::vector<std::size_t>;

// Of every grouping, one after the other; those without the key have null.
GroupKeyColumn values_in(const GroupKey& key, std::size_t at, std::span<const GroupTables> all) {
  std::vector<std::uint32_t> numbers;
  for (const GroupTables& tables : all) {
    const std::vector<std::uint32_t>& own = tables.numbers[at];
    numbers.insert(numbers.end(), own.begin(), own.end());
    if (own.empty())
      numbers.resize(numbers.size() + static_cast<std::size_t>(tables.groups), key.null());
  }
  return values_of(key, numbers);
}

// Whether the tables of all groupings are within the bound of those of one.
bool are_affordable(std::span<const GroupKey> keys, std::span<const Grouping> groupings,
                    const Labels& labels) {
  const std::int64_t side = labels.size() + 2;
  const std::int64_t most = kMostBytes / (side * side * 8);
  std::int64_t sum = 0;
  for (const Grouping& grouping : groupings) {
    std::int64_t groups = 1;
    for (const std::size_t key : grouping) {
      if (keys[key].numbers() > most / groups) return false;
      groups *= keys[key].numbers();
    }
    sum += groups;
    if (sum > 2 * most) return false;
  }
  return true;
}

// The tables of every grouping, each from the smallest that has its keys. Needs: the first is of
// all keys; larger ones come first.
std::vector<GroupTables> rolled_up(GroupTables&& finest, std::span<const GroupKey> keys,
                                   std::span<const Grouping> groupings, int threads) {
  std::vector<GroupTables> out(groupings.size());
  out[0] = std::move(finest);
  const auto fits = [&](std::size_t finer, std::size_t at) {
    return groupings[finer].size() > groupings[at].size() &&
           std::ranges::includes(groupings[finer], groupings[at]);
  };
  for (std::size_t first = 1, last = 1; first < groupings.size(); first = last) {
    while (last < groupings.size() && groupings[last].size() == groupings[first].size()) ++last;
    for_each_task(static_cast<std::int64_t>(last - first), core_count(threads), [&, first] {
      return [&, first](std::int64_t i) {
        const std::size_t at = first + static_cast<std::size_t>(i);
        std::size_t least = 0;
        for (std::size_t finer = 1; finer < first; ++finer) {
          if (fits(finer, at) && out[finer].groups < out[least].groups) least = finer;
        }
        out[at] = roll_up(out[least], keys, groupings[at]);
      };
    });
  }
  return out;
}

}  // namespace

std::optional<GroupColumns> evaluate_by_keys(std::span<const Chunks> columns, Chunks y_true,
                                             Chunks y_pred, const Labels& labels, const Spec& spec,
                                             int threads, std::span<const Grouping> groupings) {
  std::vector<GroupKey> keys;
  for (const Chunks column : columns) {
    auto key = group_key(column, threads);
    if (!key) return std::nullopt;
    keys.push_back(std::move(*key));
  }
  if (!are_affordable(keys, groupings, labels)) return std::nullopt;
  auto tables =
      count_groups(keys, y_true, y_pred, labels, {.threads = threads, .max_bytes = kMostBytes});
  if (!tables) return std::nullopt;
  const std::vector<GroupTables> all = rolled_up(std::move(*tables), keys, groupings, threads);
  const auto cells = static_cast<std::size_t>(all[0].side * all[0].side);
  GroupColumns out;
  std::vector<const std::int64_t*> counts;
  for (const GroupTables& of : all) {
    out.sizes.push_back(of.groups);
    for (std::size_t g = 0; g < static_cast<std::size_t>(of.groups); ++g) {
      counts.push_back(of.cells.data() + g * cells);
    }
  }
  for (std::size_t i = 0; i < keys.size(); ++i) out.keys.push_back(values_in(keys[i], i, all));
  const std::size_t groups = counts.size();
  out.n.resize(groups);
  out.n_dropped.resize(groups);
  out.n_other.resize(groups);
  out.values.resize(groups * spec.asks.size());
  if (spec.reasons) {
    out.reasons = std::make_unique<Reasons>(static_cast<std::int64_t>(groups), spec.asks.size());
  }
  constexpr std::size_t kWorthThreads = 1024;
  const int workers = groups < kWorthThreads ? 1 : core_count(threads);
  for_each_task(static_cast<std::int64_t>(groups), workers, [&] {
    return [&, evaluator = GroupEvaluator(spec, labels),
            values = std::vector<double>(spec.asks.size())](std::int64_t group) mutable {
      const auto g = static_cast<std::size_t>(group);
      const auto totals = evaluator.codes({counts[g], cells}, values.data());
      out.n[g] = totals.n;
      out.n_dropped[g] = totals.n_dropped;
      out.n_other[g] = totals.n_other;
      for (std::size_t m = 0; m < values.size(); ++m) out.values[m * groups + g] = values[m];
      if (out.reasons) out.reasons->set(group, evaluator.reasons());
    };
  });
  return out;
}

}  // namespace confmat
