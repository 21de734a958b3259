// Counts the tables of all groups in parts of the rows, and adds them.
#include "confmat/tally/groups.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "confmat/base/pages.hpp"
#include "confmat/base/threads.hpp"
#include "confmat/batch/label_kind.hpp"
#include "group_worker.hpp"
#include "kept_groups.hpp"

namespace confmat {
namespace {

// Tables of 32 bits of every thread, summed to 64 bits.
std::vector<std::int64_t> count_tables(const GroupPlan& plan, std::int64_t rows, int threads) {
  const std::size_t size = plan.tables * plan.cells;
  auto total = large_zeros<std::int64_t>(size);
  std::vector<std::unique_ptr<GroupWorker>> workers(static_cast<std::size_t>(threads));
  std::vector<std::vector<std::uint32_t>> tables(static_cast<std::size_t>(threads));
  constexpr std::int64_t kMost = INT64_C(1) << 31;  // 32-bit counters hold more
  bool more = true;
  for (bool begun = false; more; begun = true) {
    std::vector<char> left(static_cast<std::size_t>(threads), 0);
    over_ranges(threads, rows, [&](int part, std::int64_t first, std::int64_t last) {
      const auto at = static_cast<std::size_t>(part);
      if (first >= last) return;
      if (begun) {
        std::ranges::fill(tables[at], 0);
      } else {
        workers[at] = std::make_unique<GroupWorker>(plan, first, last);
        tables[at] = large_zeros<std::uint32_t>(size);
      }
      left[at] = workers[at]->run(kMost, tables[at].data()) ? 1 : 0;
    });
    for (const std::vector<std::uint32_t>& table : tables) {
      for (std::size_t i = 0; i < table.size(); ++i) total[i] += table[i];
    }
    more = std::find(left.begin(), left.end(), 1) != left.end();
  }
  return total;
}

}  // namespace

std::optional<GroupTables> count_groups(std::span<const GroupKey> keys, Chunks y_true,
                                        Chunks y_pred, const Labels& labels,
                                        const GroupOptions& options) {
  const std::int64_t rows = total_length(y_true);
  require_equal_lengths(rows, "y_true", total_length(y_pred), "y_pred");
  for (const GroupKey& key : keys) {
    require_equal_lengths(rows, "y_true", total_length(key.values), "by");
  }
  require_kind(y_true, "y_true", labels.kind);
  require_kind(y_pred, "y_pred", labels.kind);
  const ClassSet set = fixed_classes(labels);
  const int threads = thread_count(options.threads, rows);
  GroupPlan plan{.keys = keys, .y_true = y_true, .y_pred = y_pred, .set = &set};
  plan.cells = (std::size_t{set.classes} + 2) * (set.classes + 2);
  // One table of 64 bits for the result and one of 32 bits for each thread.
  const auto group_bytes = static_cast<std::int64_t>(plan.cells * 8);
  const std::int64_t most_groups = std::max<std::int64_t>(options.max_bytes, 0) / group_bytes;
  std::int64_t groups = 1;
  for (const GroupKey& key : keys) {
    if (key.numbers() > most_groups / groups) return std::nullopt;
    groups *= key.numbers();
  }
  const std::int64_t spare =
      (options.max_bytes - groups * group_bytes) / (groups * group_bytes / 2);
  if (spare < 1) return std::nullopt;
  plan.tables = static_cast<std::size_t>(groups);
  const int affordable = static_cast<int>(std::min<std::int64_t>(threads, spare));
  return keep_groups(count_tables(plan, rows, affordable), plan);
}

}  // namespace confmat
