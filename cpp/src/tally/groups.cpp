// Counts the tables of all groups in parts of the rows, and adds them.
#include "confmat/tally/groups.hpp"

#include <algorithm>
#include <deque>
#include <memory>
#include <utility>

#include "confmat/base/threads.hpp"
#include "confmat/batch/cursor.hpp"
#include "confmat/batch/label_kind.hpp"
#include "confmat/tally/class_reader.hpp"
#include "confmat/tally/encode.hpp"
#include "confmat/tally/look_ahead.hpp"

namespace confmat {
namespace {

// Tables of 32-bit counters for every combination of the numbers of the keys.
struct Plan {
  std::span<const GroupKey> keys;
  Chunks y_true;
  Chunks y_pred;
  const ClassSet* set;
  std::size_t tables = 1;
  std::size_t cells = 0;  // of one table
};

struct Buffers {
  alignas(64) std::uint16_t truth[kBlock];
  alignas(64) std::uint16_t prediction[kBlock];
  alignas(64) std::uint32_t codes[kBlock];
  alignas(64) std::uint32_t keys[kBlock];
  alignas(64) std::uint32_t next[kBlock];
};

template <class Code>
void scatter(const Buffers& buffers, std::size_t n, const Ahead& labels, const Ahead& keys,
             std::size_t cells, std::uint32_t* tables) noexcept {
  const auto* codes = reinterpret_cast<const Code*>(buffers.codes);
  std::size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    __builtin_prefetch(labels.at[0] + i * labels.width[0]);
    __builtin_prefetch(labels.at[1] + i * labels.width[1]);
    __builtin_prefetch(keys.at[0] + i * keys.width[0]);
    for (std::size_t k = i; k < i + 8; ++k) ++tables[buffers.keys[k] * cells + codes[k]];
  }
  for (; i < n; ++i) ++tables[buffers.keys[i] * cells + codes[i]];
}

class GroupWorker {
 public:
  GroupWorker(const Plan& plan, std::int64_t first, std::int64_t last)
      : plan_(plan),
        row_(first),
        last_(last),
        truth_("y_true", scratch_),
        prediction_("y_pred", scratch_),
        truth_at_(plan.y_true, first),
        prediction_at_(plan.y_pred, first) {
    for (const GroupKey& key : plan.keys) keys_.emplace_back(key, first, scratch_);
  }

  // Counts rows up to the end of the range, at most `most` of them; false when none are left.
  bool run(std::int64_t most, std::uint32_t* tables) {
    const ClassSet& set = *plan_.set;
    const CodeWidth width = code_width(set.classes);
    const auto combine = width == CodeWidth::k8    ? loops_.combine8
                         : width == CodeWidth::k16 ? loops_.combine16
                                                   : loops_.combine32;
    const std::int64_t end = std::min(last_, row_ + most);
    while (row_ < end) {
      std::int64_t n = std::min(
          {static_cast<std::int64_t>(kBlock), end - row_, truth_at_.left(), prediction_at_.left()});
      for (const GroupKeyReader& key : keys_) n = std::min(n, key.left());
      const auto size = static_cast<std::size_t>(n);
      start(truth_, truth_at_, truth_chunk_);
      start(prediction_, prediction_at_, prediction_chunk_);
      truth_.read(truth_at_.at(), size, set.width(), buffers_->truth);
      prediction_.read(prediction_at_.at(), size, set.width(), buffers_->prediction);
      combine(buffers_->truth, buffers_->prediction, size, set.classes + 2, buffers_->codes);
      read_keys(size);
      count_block(width, size, tables);
      truth_at_.advance(n);
      prediction_at_.advance(n);
      for (GroupKeyReader& key : keys_) key.advance(n);
      row_ += n;
    }
    return row_ < last_;
  }

 private:
  void count_block(CodeWidth width, std::size_t n, std::uint32_t* tables) noexcept {
    const auto step = static_cast<std::int64_t>(n);
    Ahead labels;
    Ahead keys;
    look_ahead(truth_at_.chunk(), truth_at_.at() + step, n, labels, 0);
    look_ahead(prediction_at_.chunk(), prediction_at_.at() + step, n, labels, 1);
    const Cursor& key = keys_.front().cursor();
    look_ahead(key.chunk(), key.at() + step, n, keys, 0);
    const Buffers& block = *buffers_;
    switch (width) {
      case CodeWidth::k8:
        return scatter<std::uint8_t>(block, n, labels, keys, plan_.cells, tables);
      case CodeWidth::k16:
        return scatter<std::uint16_t>(block, n, labels, keys, plan_.cells, tables);
      case CodeWidth::k32:
        return scatter<std::uint32_t>(block, n, labels, keys, plan_.cells, tables);
    }
  }

  void start(ClassReader& reader, const Cursor& at, const Column*& chunk) {
    if (chunk == &at.chunk()) return;
    chunk = &at.chunk();
    reader.start(*chunk, *plan_.set, row_ - at.at());
  }

  void read_keys(std::size_t n) {
    keys_.front().read(n, buffers_->keys);
    for (std::size_t at = 1; at < keys_.size(); ++at) {
      keys_[at].read(n, buffers_->next);
      const auto numbers = static_cast<std::uint32_t>(plan_.keys[at].numbers());
      for (std::size_t i = 0; i < n; ++i) {
        buffers_->keys[i] = buffers_->keys[i] * numbers + buffers_->next[i];
      }
    }
  }

  const Plan& plan_;
  const Kernels& loops_ = kernels();
  std::int64_t row_;
  std::int64_t last_;
  Scratch scratch_;
  ClassReader truth_;
  ClassReader prediction_;
  Cursor truth_at_;
  Cursor prediction_at_;
  std::deque<GroupKeyReader> keys_;
  const Column* truth_chunk_ = nullptr;
  const Column* prediction_chunk_ = nullptr;
  std::unique_ptr<Buffers> buffers_ = std::make_unique_for_overwrite<Buffers>();
};

// Tables of 32 bits of every thread, summed to 64 bits.
std::vector<std::int64_t> count_tables(const Plan& plan, std::int64_t rows, int threads) {
  const std::size_t size = plan.tables * plan.cells;
  std::vector<std::int64_t> total(size);
  std::vector<std::unique_ptr<GroupWorker>> workers(static_cast<std::size_t>(threads));
  std::vector<std::vector<std::uint32_t>> tables(static_cast<std::size_t>(threads));
  constexpr std::int64_t kMost = INT64_C(1) << 31;  // 32-bit counters hold more
  bool more = true;
  for (bool begun = false; more; begun = true) {
    std::vector<char> left(static_cast<std::size_t>(threads), 0);
    over_ranges(threads, rows, [&](int part, std::int64_t first, std::int64_t last) {
      const auto at = static_cast<std::size_t>(part);
      if (first >= last) return;
      if (!begun) workers[at] = std::make_unique<GroupWorker>(plan, first, last);
      tables[at].assign(size, 0);
      left[at] = workers[at]->run(kMost, tables[at].data()) ? 1 : 0;
    });
    for (const std::vector<std::uint32_t>& table : tables) {
      for (std::size_t i = 0; i < table.size(); ++i) total[i] += table[i];
    }
    more = std::find(left.begin(), left.end(), 1) != left.end();
  }
  return total;
}

// The numbers of each key of a table; false where one of them is no value's.
bool split(std::size_t table, std::span<const GroupKey> keys, std::span<std::uint32_t> numbers) {
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
GroupTables keep_groups(std::vector<std::int64_t>&& tables, const Plan& plan) {
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
  Plan plan{.keys = keys, .y_true = y_true, .y_pred = y_pred, .set = &set};
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
