#include "confmat/evaluate/score_group.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "confmat/base/error.hpp"
#include "confmat/base/half.hpp"
#include "confmat/base/radix_sort.hpp"
#include "confmat/base/rounded_sum.hpp"
#include "confmat/base/sum2.hpp"
#include "confmat/base/threads.hpp"
#include "confmat/base/weight_sum.hpp"

namespace confmat {
namespace {

// Rows of a group that is worth a pass to count them, and whose memory is given back early.
constexpr std::size_t kMany = std::size_t{1} << 16U;

constexpr const char* kWanted =
    ": wanted the labels 0 and 1, -1 and 1, or False and True, or a pos_label";

template <class T>
void give_back(std::vector<T>& rows) {
  if (rows.capacity() >= kMany) std::vector<T>().swap(rows);
}

std::uint64_t key_of(std::uint64_t key) { return key; }
std::uint64_t key_of(const std::pair<std::uint64_t, double>& entry) { return entry.first; }

// The higher of the last keys of both sides. Needs: left[0] + left[1] > 0.
template <class T>
std::uint64_t highest(const std::vector<T> (&rows)[2], const std::size_t (&left)[2]) {
  const std::uint64_t key = left[0] > 0 ? key_of(rows[0][left[0] - 1]) : 0;
  return left[1] > 0 ? std::max(key, key_of(rows[1][left[1] - 1])) : key;
}

// How many keys two sides that ascend have together; only counted where they are many.
template <class T>
std::size_t count_distinct(const std::vector<T> (&rows)[2]) {
  std::size_t left[2] = {rows[0].size(), rows[1].size()};
  if (left[0] + left[1] < kMany) return 0;
  std::size_t n = 0;
  for (; left[0] + left[1] > 0; ++n) {
    const std::uint64_t key = highest(rows, left);
    for (int side = 0; side < 2; ++side) {
      while (left[side] > 0 && key_of(rows[side][left[side] - 1]) == key) --left[side];
    }
  }
  return n;
}

// Keys that no score has may come in any order as scores.
template <class Score>
void require_descending(const std::vector<Score>& scores) {
  bool sound = scores.empty() || !std::isnan(scores[0]);
  for (std::size_t i = 1; i < scores.size(); ++i) sound &= scores[i] < scores[i - 1];
  if (!sound) throw StateError("a code that no label and score have");
}

}  // namespace

void ScoreGroup::clear() noexcept {
  n_dropped_ = 0;
  has_other_ = false;
  for (int side = 0; side < 2; ++side) {
    keys_[side].clear();
    entries_[side].clear();
  }
}

void ScoreGroup::reserve(std::size_t negatives, std::size_t positives) {
  const std::size_t rows[2] = {negatives, positives};
  for (int side = 0; side < 2; ++side) {
    if (rows[side] < kMany) continue;
    if (spec_.weighted) {
      entries_[side].reserve(rows[side]);
    } else {
      keys_[side].reserve(rows[side]);
    }
  }
}

void ScoreGroup::set_aside(const ScoredRow& row) {
  switch (row.kind) {
    case ScoredKind::kNan:
      if (spec_.nan_drop) break;
      throw InputError("`y_score` is nan, at row " + std::to_string(row.key) +
                       " of the rows read together: wanted a number, or nan=\"drop\"");
    case ScoredKind::kBadLabel:
      throw InputError("`y_true` holds " + std::to_string(static_cast<std::int64_t>(row.key)) +
                       kWanted);
    case ScoredKind::kHugeLabel:
      throw InputError("`y_true` holds a label of about " +
                       std::to_string(static_cast<std::int64_t>(row.key << 3U)) + kWanted);
    case ScoredKind::kDropped:
      break;
    default:
      throw StateError("a code that no label and score have");
  }
  ++n_dropped_;
}

void ScoreGroup::refuse(std::uint64_t label) const {
  const std::string message = "`y_true` has more than one class beside pos_label " +
                              (spec_.positive ? spec_.positive->display(0) : "1");
  const std::string hint = "; scores sweep two: compare `y_true` == label";
  if (((label | other_) & kHashedLabel) != 0) throw InputError(message + hint);
  // Of short codes, the lowest 29 bits are left; they hold labels of 16 bits with their sign.
  const auto shown = [](std::uint64_t bits) {
    const auto low = static_cast<std::int64_t>(bits << 35U) >> 35U;
    const auto half = std::int64_t{1} << 59U;
    return std::to_string(
        bits < (std::uint64_t{1} << 29U) ? low : static_cast<std::int64_t>(bits) - half);
  };
  const std::string both = shown(other_) + " and " + shown(label);
  if (!spec_.positive) throw InputError("`y_true` holds " + both + " beside 1" + kWanted);
  throw InputError(message + ": " + both + hint);
}

void ScoreGroup::refuse_weight() { throw StateError("a weight that no row has"); }

void ScoreGroup::reserve_distinct(std::size_t size) {
  distinct_.clear();
  distinct_.reserve(size);
  for (int side = 0; side < 2; ++side) {
    counts_[side].clear();
    weights_[side].clear();
    if (spec_.weighted) {
      weights_[side].reserve(size);
    } else {
      counts_[side].reserve(size);
    }
  }
}

// Both sides ascend; they are read from their ends, as scores descend.
void ScoreGroup::collapse_counts(int threads) {
  if (keys_[0].size() + keys_[1].size() > std::numeric_limits<std::uint32_t>::max()) {
    throw InputError("a group has 2^32 rows or more: wanted fewer, or a sweep of its rows");
  }
  for_each_task(2, threads, [&] {
    return [&](std::int64_t task) {
      const std::size_t side = task == 0 ? 0 : 1;
      sort_keys(keys_[side], scratch_[side]);
    };
  });
  for (auto& keys : scratch_) give_back(keys);
  reserve_distinct(count_distinct(keys_));
  std::size_t left[2] = {keys_[0].size(), keys_[1].size()};
  n_ = static_cast<double>(left[0] + left[1]);
  while (left[0] + left[1] > 0) {
    const std::uint64_t key = highest(keys_, left);
    distinct_.push_back(key);
    for (int side = 0; side < 2; ++side) {
      const std::size_t before = left[side];
      while (left[side] > 0 && keys_[side][left[side] - 1] == key) --left[side];
      counts_[side].push_back(static_cast<std::uint32_t>(before - left[side]));
    }
  }
  for (auto& keys : keys_) give_back(keys);
  view_.amounts = metrics::Amounts<std::uint32_t>{counts_[1].data(), counts_[0].data()};
}

// Sums at one score are exact: the order of the rows was lost on the way.
void ScoreGroup::collapse_weights() {
  for (auto& entries : entries_) {
    std::sort(entries.begin(), entries.end(),
              [](const auto& one, const auto& two) { return one.first < two.first; });
  }
  reserve_distinct(count_distinct(entries_));
  std::size_t left[2] = {entries_[0].size(), entries_[1].size()};
  Sum2 totals[2];
  while (left[0] + left[1] > 0) {
    const std::uint64_t key = highest(entries_, left);
    distinct_.push_back(key);
    for (int side = 0; side < 2; ++side) {
      const auto& entries = entries_[side];
      const std::size_t end = left[side];
      while (left[side] > 0 && entries[left[side] - 1].first == key) --left[side];
      const double sum = rounded_sum(end - left[side], [&](const auto& add) {
        for (std::size_t i = left[side]; i < end; ++i) add(entries[i].second);
      });
      weights_[side].push_back(sum);
      totals[side].add(sum);
    }
  }
  for (auto& entries : entries_) give_back(entries);
  for (const Sum2& total : totals) require_weight_sum(total.value());
  totals[0].add(totals[1]);
  n_ = totals[0].value();
  view_.amounts = metrics::Amounts<double>{weights_[1].data(), weights_[0].data()};
}

void ScoreGroup::set_view() {
  view_.size = distinct_.size();
  view_.clip = !distinct_.empty() && is_half_key(distinct_.back()) ? kHalfEpsilon : 0.0;
  if (!distinct_.empty() && is_float_key(distinct_.back())) {
    floats_.clear();
    floats_.reserve(distinct_.size());
    for (const auto key : distinct_) floats_.push_back(score_of(static_cast<std::uint32_t>(key)));
    require_descending(floats_);
    view_.scores = floats_.data();
  } else {
    doubles_.clear();
    doubles_.reserve(distinct_.size());
    for (const auto key : distinct_) doubles_.push_back(score_of_wide(key));
    require_descending(doubles_);
    view_.scores = doubles_.data();
  }
  give_back(distinct_);
}

const metrics::SweepView& ScoreGroup::sweep(int threads) {
  if (spec_.weighted) {
    collapse_weights();
  } else {
    collapse_counts(threads);
  }
  set_view();
  return view_;
}

void ScoreGroup::values(double* out, int threads) const {
  metrics::score_values(spec_.asks, view_, threads, out);
  if (!spec_.undefined) return;
  for (std::size_t i = 0; i < spec_.asks.size(); ++i) {
    if (std::isnan(out[i])) out[i] = *spec_.undefined + 0.0;
  }
}

void ScoreGroup::reasons(const double* values, std::string* out) const {
  for (std::size_t i = 0; i < spec_.asks.size(); ++i) {
    const bool replaced = spec_.undefined.has_value();
    out[i].clear();
    if (replaced || std::isnan(values[i])) out[i] = metrics::score_reason(spec_.asks[i], view_, 1);
  }
}

}  // namespace confmat
