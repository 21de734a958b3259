// Counts batches into the tables that are there; where a row has what these do not know, takes the
// batch back, lays out wider tables, and counts it again.
#include "confmat/tally/slice_counts.hpp"

#include <algorithm>
#include <mutex>
#include <string>
#include <utility>

#include "confmat/base/error.hpp"
#include "confmat/base/threads.hpp"
#include "confmat/batch/label_kind.hpp"
#include "confmat/tally/count.hpp"
#include "group_worker.hpp"
#include "kept_groups.hpp"
#include "short_ranges.hpp"
#include "wider_keys.hpp"

namespace confmat {
namespace {

constexpr std::int64_t kMostYoungRows = INT64_C(1) << 31;  // 32-bit counters hold more
constexpr std::int64_t kMostFound = 1024;  // labels; of more, tables of all slices are mostly empty

// Where each class is among wider ones; given labels, whose order has a meaning, stay.
std::vector<std::size_t> places(const Labels& from, const Labels& to) {
  std::vector<std::size_t> out;
  out.reserve(static_cast<std::size_t>(from.size()) + 2);
  for (std::int64_t i = 0; i < from.size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (from.size() == to.size()) {
      out.push_back(at);
      continue;
    }
    out.push_back(static_cast<std::size_t>(
        from.kind == Labels::Kind::kText
            ? std::ranges::lower_bound(to.texts, from.texts[at]) - to.texts.begin()
            : std::ranges::lower_bound(to.ints, from.ints[at]) - to.ints.begin()));
  }
  const auto k = static_cast<std::size_t>(to.size());
  out.push_back(k);
  out.push_back(k + 1);
  return out;
}

Labels united(const Labels& known, Labels&& fresh) {
  if (known.size() == 0) return std::move(fresh);
  Labels out;
  out.kind = known.kind;
  std::ranges::set_union(known.ints, fresh.ints, std::back_inserter(out.ints));
  std::ranges::set_union(known.texts, fresh.texts, std::back_inserter(out.texts));
  return out;
}

// Throws InputError where a batch has labels of another kind than those before.
void require_same(Chunks y_true, Chunks y_pred, Labels::Kind kind, Labels::Kind before) {
  require_kind(y_true, "y_true", before);
  require_kind(y_pred, "y_pred", before);
  const auto has_values = [](Chunks column) {
    return std::ranges::any_of(column, [](const Column& c) { return c.type != DType::kNull; });
  };
  if (kind != before && (has_values(y_true) || has_values(y_pred))) {
    throw InputError("the labels of rows before were " +
                     std::string(before == Labels::Kind::kBool ? "Booleans" : "integers") +
                     ", and these are " +
                     std::string(kind == Labels::Kind::kBool ? "Booleans" : "integers") +
                     ": labels of one kind are needed");
  }
}

// The tables that no thread counts in. Needs: as many as threads.
class FreeTables {
 public:
  explicit FreeTables(std::vector<std::vector<std::uint32_t>>& tables) {
    for (std::vector<std::uint32_t>& one : tables) free_.push_back(one.data());
  }
  std::uint32_t* take() {
    const std::lock_guard lock(mutex_);
    std::uint32_t* const tables = free_.back();
    free_.pop_back();
    return tables;
  }
  void give(std::uint32_t* tables) {
    const std::lock_guard lock(mutex_);
    free_.push_back(tables);
  }

 private:
  std::mutex mutex_;
  std::vector<std::uint32_t*> free_;
};

// What was counted of a range of rows, and where; tables are null where nothing was.
struct CountedPart {
  std::int64_t first = 0;
  std::int64_t end = 0;
  std::uint32_t* tables = nullptr;
  bool other_label = false;
  bool other_key = false;
};

// Counts rows first ... last - 1 as far as they can be read.
void count_part(const GroupPlan& plan, std::int64_t first, std::int64_t last, FreeTables& free,
                CountedPart& part) {
  GroupWorker worker(plan, first, last);
  std::uint32_t* const tables = free.take();
  const auto note = [&] {
    free.give(tables);
    part = {first, worker.row(), tables, worker.met_other_label(), worker.met_other_key()};
  };
  try {
    worker.run(last - first, tables);
  } catch (...) {
    note();
    throw;
  }
  note();
}

}  // namespace

SliceCounts::SliceCounts(std::optional<Labels> given, const SliceOptions& options)
    : given_(given.has_value()), options_(options) {
  if (given) labels_ = std::move(*given);
  set_ = fixed_classes(labels_);
}

GroupPlan SliceCounts::plan(Chunks y_true, Chunks y_pred) const {
  GroupPlan plan{.keys = keys_, .y_true = y_true, .y_pred = y_pred, .set = &set_};
  plan.tables = slots_;
  plan.cells = (std::size_t{set_.classes} + 2) * (set_.classes + 2);
  return plan;
}

bool SliceCounts::add(std::span<const Chunks> keys, Chunks y_true, Chunks y_pred) {
  const std::int64_t rows = total_length(y_true);
  require_equal_lengths(rows, "y_true", total_length(y_pred), "y_pred");
  for (const Chunks key : keys) require_equal_lengths(rows, "y_true", total_length(key), "by");
  if (given_) {
    require_kind(y_true, "y_true", labels_.kind);
    require_kind(y_pred, "y_pred", labels_.kind);
  } else {
    const Labels::Kind kind = joint_kind(y_true, y_pred);
    if (labels_.size() > 0) require_same(y_true, y_pred, kind, labels_.kind);
  }
  bool readable = keys_.size() == keys.size();
  for (std::size_t i = 0; readable && i < keys.size(); ++i) {
    readable = can_read(keys_[i], keys[i]);
    keys_[i].values = keys[i];
  }
  refused_ = false;
  if (readable && count(y_true, y_pred, rows)) return true;
  if (refused_) return false;
  return learn(keys, y_true, y_pred) && count(y_true, y_pred, rows);
}

// Counts a batch; or nothing, where a row has what the tables do not know or reading throws.
bool SliceCounts::count(Chunks y_true, Chunks y_pred, std::int64_t rows) {
  if (young_rows_ + rows > kMostYoungRows) flush();
  const GroupPlan plan = this->plan(y_true, y_pred);
  const std::size_t threads =
      std::clamp<std::size_t>(static_cast<std::size_t>(thread_count(options_.threads, rows)), 1,
                              std::max<std::size_t>(young_.size(), 1));
  FreeTables free(young_);
  std::vector<CountedPart> parts(static_cast<std::size_t>(short_ranges(rows)));
  const auto take_back = [&] {
    for (const CountedPart& part : parts) {
      if (part.tables == nullptr) continue;
      GroupWorker(plan, part.first, part.end).run(rows, part.tables, GroupWorker::Step::kTakeBack);
    }
  };
  try {
    over_short_ranges(static_cast<int>(threads), rows, [&](int number, auto first, auto last) {
      count_part(plan, first, last, free, parts[static_cast<std::size_t>(number)]);
    });
  } catch (...) {
    take_back();
    throw;
  }
  const bool other_label = std::ranges::any_of(parts, &CountedPart::other_label);
  refused_ = given_ && options_.refuse_other && other_label;
  if (refused_ || (other_label && !given_) || std::ranges::any_of(parts, &CountedPart::other_key)) {
    take_back();
    return false;
  }
  young_rows_ += rows;
  return true;
}

void SliceCounts::flush() {
  for (std::vector<std::uint32_t>& table : young_) {
    for (std::size_t i = 0; i < table.size(); ++i) {
      total_[i] += table[i];
      table[i] = 0;
    }
  }
  young_rows_ = 0;
}

// Learns what the batch has; false where it does not fit.
bool SliceCounts::learn(std::span<const Chunks> keys, Chunks y_true, Chunks y_pred) {
  std::optional<std::vector<GroupKey>> wider = wider_keys(keys_, keys, options_.threads);
  if (!wider) return false;
  Labels labels = labels_;
  if (!given_) {
    Counted found = confmat::count(y_true, y_pred, {}, {.threads = options_.threads});
    if (found.labels.size() > kMostFound) return false;
    labels = united(labels_, std::move(found.labels));
    if (labels.size() > kMostFound) return false;
  }
  return lay_out(std::move(*wider), std::move(labels));
}

// Moves the counts to tables of wider keys and of more labels; false where these are too large.
bool SliceCounts::lay_out(std::vector<GroupKey>&& keys, Labels&& labels) {
  const auto side = static_cast<std::size_t>(labels.size()) + 2;
  const std::size_t cells = side * side;
  const int threads = core_count(options_.threads);
  const auto bytes = static_cast<std::int64_t>(cells) * (8 + 4 * threads);
  const std::int64_t most = options_.max_bytes / bytes;
  std::int64_t slots = 1;
  for (const GroupKey& key : keys) {
    if (key.numbers() > most / slots) return false;
    slots *= key.numbers();
  }
  flush();
  std::vector<std::int64_t> total(static_cast<std::size_t>(slots) * cells);
  std::vector<std::vector<std::uint32_t>> young(
      static_cast<std::size_t>(threads),
      std::vector<std::uint32_t>(static_cast<std::size_t>(slots) * cells));
  if (slots_ > 0) {
    const std::vector<std::size_t> classes = places(labels_, labels);
    std::vector<std::vector<std::size_t>> of_keys;
    of_keys.reserve(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) of_keys.push_back(key_places(keys_[i], keys[i]));
    const std::size_t old_side = classes.size();
    for (std::size_t slot = 0; slot < slots_; ++slot) {
      const std::int64_t* from = total_.data() + slot * old_side * old_side;
      std::size_t left = slot, to = 0, step = 1;
      for (std::size_t i = keys.size(); i-- > 0;) {
        const auto numbers = static_cast<std::size_t>(keys_[i].numbers());
        to += of_keys[i][left % numbers] * step;
        step *= static_cast<std::size_t>(keys[i].numbers());
        left /= numbers;
      }
      std::int64_t* const table = total.data() + to * cells;
      for (std::size_t i = 0; i < old_side; ++i) {
        for (std::size_t j = 0; j < old_side; ++j) {
          table[classes[i] * side + classes[j]] += from[i * old_side + j];
        }
      }
    }
  }
  ClassSet set = fixed_classes(labels);
  total_ = std::move(total);
  young_ = std::move(young);
  keys_ = std::move(keys);
  labels_ = std::move(labels);
  set_ = std::move(set);
  slots_ = static_cast<std::size_t>(slots);
  return true;
}

GroupTables SliceCounts::tables() const {
  if (slots_ == 0) return {};
  std::vector<std::int64_t> sums = total_;
  for (const std::vector<std::uint32_t>& table : young_) {
    for (std::size_t i = 0; i < table.size(); ++i) sums[i] += table[i];
  }
  return keep_groups(std::move(sums), plan({}, {}));
}

}  // namespace confmat
