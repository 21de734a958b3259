#include "confmat/evaluate/whole.hpp"

#include <algorithm>

#include "confmat/base/threads.hpp"
#include "confmat/evaluate/group.hpp"
#include "confmat/tally/groups.hpp"

namespace confmat {

std::optional<GroupColumns> evaluate_by_key(Chunks key, Chunks y_true, Chunks y_pred,
                                            const Labels& labels, const Spec& spec, int threads) {
  auto tables = count_groups(key, y_true, y_pred, labels, {.threads = threads});
  if (!tables) return std::nullopt;
  const auto cells = static_cast<std::size_t>(tables->side * tables->side);
  const auto groups = tables->cells.size() / cells;
  GroupColumns out;
  out.keys = std::move(tables->keys);
  out.has_null_key = tables->has_null_key;
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
