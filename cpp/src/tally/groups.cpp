#include "confmat/tally/groups.hpp"

#include <algorithm>
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

bool is_key(const Column& column) noexcept {
  return is_int(column.type) || is_bool(column.type) || column.type == DType::kNull;
}

Extremes range_of(Chunks key, std::int64_t rows, int threads) {
  std::vector<Extremes> ranges(static_cast<std::size_t>(threads));
  over_ranges(threads, rows, [&](int part, std::int64_t first, std::int64_t last) {
    if (first >= last) return;
    Scratch scratch;
    IntReader reader(scratch);
    const ClassSet none;
    Extremes seen;
    Cursor cursor(key, first);
    for (std::int64_t row = first; row < last;) {
      const auto n = std::min({static_cast<std::int64_t>(kBlock), last - row, cursor.left()});
      if (cursor.chunk().type != DType::kNull) {
        reader.start(cursor.chunk(), none, {"key", row - cursor.at()});
        reader.widen(cursor.at(), static_cast<std::size_t>(n), seen);
      }
      cursor.advance(n);
      row += n;
    }
    ranges[static_cast<std::size_t>(part)] = seen;
  });
  Extremes all;
  for (const Extremes& range : ranges) {
    all.low = std::min(all.low, range.low);
    all.high = std::max(all.high, range.high);
  }
  return all;
}

// Tables of 32-bit counters for every key from `base` on, then one of keys outside that range
// (the memory changed since it was looked at) and one of null keys.
struct Plan {
  Chunks key;
  Chunks y_true;
  Chunks y_pred;
  const ClassSet* set;
  std::int64_t base = 0;
  std::uint32_t span = 0;
  std::size_t cells = 0;  // of one table
};

struct Buffers {
  alignas(64) std::uint16_t truth[kBlock];
  alignas(64) std::uint16_t prediction[kBlock];
  alignas(64) std::uint32_t codes[kBlock];
  alignas(64) std::uint32_t keys[kBlock];
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
        prediction_at_(plan.y_pred, first),
        key_at_(plan.key, first) {}

  // Counts rows up to the end of the range, at most `most` of them; false when none are left.
  bool run(std::int64_t most, std::uint32_t* tables) {
    const ClassSet& set = *plan_.set;
    const CodeWidth width = code_width(set.classes);
    const auto combine = width == CodeWidth::k8    ? loops_.combine8
                         : width == CodeWidth::k16 ? loops_.combine16
                                                   : loops_.combine32;
    const std::int64_t end = std::min(last_, row_ + most);
    while (row_ < end) {
      const std::int64_t n = std::min({static_cast<std::int64_t>(kBlock), end - row_,
                                       truth_at_.left(), prediction_at_.left(), key_at_.left()});
      const auto size = static_cast<std::size_t>(n);
      start(truth_, truth_at_, truth_chunk_);
      start(prediction_, prediction_at_, prediction_chunk_);
      truth_.read(truth_at_.at(), size, set.wide(), buffers_->truth);
      prediction_.read(prediction_at_.at(), size, set.wide(), buffers_->prediction);
      combine(buffers_->truth, buffers_->prediction, size, set.classes + 2, buffers_->codes);
      read_keys(size);
      count_block(width, size, tables);
      truth_at_.advance(n);
      prediction_at_.advance(n);
      key_at_.advance(n);
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
    look_ahead(key_at_.chunk(), key_at_.at() + step, n, keys, 0);
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
    const Column& column = key_at_.chunk();
    const std::uint32_t outside = plan_.span;
    const std::uint32_t null = plan_.span + 1;
    Window window;
    if (column.type == DType::kNull) {
      std::fill_n(buffers_->keys, n, null);
    } else if (!window_of(column.type, plan_.base, plan_.span, outside, window)) {
      std::fill_n(buffers_->keys, n, outside);
    } else {
      const Run run = gather(column, key_at_.at(), n, scratch_);
      loops_.classify[kClass32][static_cast<std::size_t>(run.type)](run.values, n, window,
                                                                    buffers_->keys);
    }
    if (column.type != DType::kNull && any_null(column, key_at_.at(), n)) {
      loops_.mask_nulls[kClass32](column.validity, column.validity_offset + key_at_.at(), n, null,
                                  buffers_->keys);
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
  Cursor key_at_;
  const Column* truth_chunk_ = nullptr;
  const Column* prediction_chunk_ = nullptr;
  std::unique_ptr<Buffers> buffers_ = std::make_unique_for_overwrite<Buffers>();
};

// Tables of 32 bits of every thread, summed to 64 bits.
std::vector<std::int64_t> count_tables(const Plan& plan, std::int64_t rows, int threads) {
  const std::size_t size = (std::size_t{plan.span} + 2) * plan.cells;
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

// Keeps the groups that have rows. Keys that moved out of the range during the call are nobody's.
GroupTables keep_groups(std::vector<std::int64_t>&& tables, const Plan& plan) {
  GroupTables groups;
  groups.side = static_cast<std::int64_t>(plan.set->classes) + 2;
  auto kept = tables.begin();
  for (std::uint32_t group = 0; group < plan.span + 2; ++group) {
    const auto first = tables.begin() + static_cast<std::ptrdiff_t>(group * plan.cells);
    const auto last = first + static_cast<std::ptrdiff_t>(plan.cells);
    const bool has_rows = std::any_of(first, last, [](std::int64_t cell) { return cell != 0; });
    if (!has_rows || group == plan.span) continue;
    kept = kept == first ? last : std::copy(first, last, kept);
    if (group < plan.span) {
      groups.keys.push_back(plan.base + group);
    } else {
      groups.has_null_key = true;
    }
  }
  tables.erase(kept, tables.end());
  groups.cells = std::move(tables);
  return groups;
}

}  // namespace

std::optional<GroupTables> count_groups(Chunks key, Chunks y_true, Chunks y_pred,
                                        const Labels& labels, const GroupOptions& options) {
  const std::int64_t rows = total_length(y_true);
  require_equal_lengths(rows, "y_true", total_length(y_pred), "y_pred");
  require_equal_lengths(rows, "y_true", total_length(key), "key");
  require_kind(y_true, "y_true", labels.kind);
  require_kind(y_pred, "y_pred", labels.kind);
  if (!std::all_of(key.begin(), key.end(), is_key)) return std::nullopt;
  const ClassSet set = fixed_classes(labels);
  const int threads = thread_count(options.threads, rows);
  const Extremes range = range_of(key, rows, threads);
  Plan plan{.key = key, .y_true = y_true, .y_pred = y_pred, .set = &set};
  plan.cells = (std::size_t{set.classes} + 2) * (set.classes + 2);
  if (range.low <= range.high) {
    const std::uint64_t last =
        static_cast<std::uint64_t>(range.high) - static_cast<std::uint64_t>(range.low);
    // Unsigned keys beyond 2^63 - 1 have no place in a window.
    if (last >= (std::uint64_t{1} << 31U) || range.high == INT64_MAX) return std::nullopt;
    plan.base = range.low;
    plan.span = static_cast<std::uint32_t>(last + 1);
  }
  // One table of 64 bits for the result and one of 32 bits for each thread.
  const auto group_bytes = static_cast<std::int64_t>(plan.cells * 8);
  const std::int64_t most_groups = std::max<std::int64_t>(options.max_bytes, 0) / group_bytes;
  const std::int64_t groups = std::int64_t{plan.span} + 2;
  if (groups > most_groups) return std::nullopt;
  const std::int64_t spare =
      (options.max_bytes - groups * group_bytes) / (groups * group_bytes / 2);
  if (spare < 1) return std::nullopt;
  const int affordable = static_cast<int>(std::min<std::int64_t>(threads, spare));
  return keep_groups(count_tables(plan, rows, affordable), plan);
}

}  // namespace confmat
