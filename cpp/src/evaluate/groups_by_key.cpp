// Counts all groups of a frame, then evaluates them on every core.
#include "confmat/evaluate/groups_by_key.hpp"

#include <algorithm>
#include <utility>

#include "confmat/base/threads.hpp"
#include "confmat/evaluate/group_evaluator.hpp"
#include "confmat/tally/groups.hpp"

namespace confmat {

KeyColumn values_of(const GroupKey& key, std::span<const std::uint32_t> numbers) {
  KeyColumn out{.numbers = {}, .base = key.base, .texts = {}};
  out.numbers.reserve(numbers.size());
  for (const std::uint32_t number : numbers) {
    out.numbers.push_back(number == key.null() ? -1 : std::int64_t{number});
  }
  if (key.set) out.texts = key.texts;
  return out;
}

std::optional<GroupColumns> evaluate_by_keys(std::span<const Chunks> columns, Chunks y_true,
                                             Chunks y_pred, const Labels& labels, const Spec& spec,
                                             int threads) {
  std::vector<GroupKey> keys;
  for (const Chunks column : columns) {
    auto key = group_key(column, threads);
    if (!key) return std::nullopt;
    keys.push_back(std::move(*key));
  }
  const auto tables = count_groups(keys, y_true, y_pred, labels, {.threads = threads});
  if (!tables) return std::nullopt;
  const auto cells = static_cast<std::size_t>(tables->side * tables->side);
  const auto groups = static_cast<std::size_t>(tables->groups);
  GroupColumns out;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    out.keys.push_back(values_of(keys[i], tables->numbers[i]));
  }
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
      const auto totals = evaluator.codes({tables->cells.data() + g * cells, cells}, values.data());
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
