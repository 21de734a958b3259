#include "confmat/evaluate/score_group.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "confmat/base/error.hpp"
#include "confmat/base/radix_sort.hpp"
#include "confmat/base/sum2.hpp"
#include "confmat/base/threads.hpp"

namespace confmat {

void ScoreGroup::clear() noexcept {
  n_dropped_ = 0;
  has_other_ = false;
  for (int side = 0; side < 2; ++side) {
    keys_[side].clear();
    entries_[side].clear();
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
                       ": wanted the labels 0 and 1, or False and True, or a pos_label");
    case ScoredKind::kDropped:
      break;
    default:
      throw StateError("a code that no label and score have");
  }
  ++n_dropped_;
}

void ScoreGroup::refuse(std::uint64_t label) const {
  std::string message = "`y_true` has more than two classes: beside pos_label there are ";
  if (((label | other_) & kHashedLabel) != 0) throw InputError(message + "two or more");
  // Of short codes, the lowest 29 bits are left; they hold labels of 16 bits with their sign.
  const auto shown = [](std::uint64_t bits) {
    const auto low = static_cast<std::int64_t>(bits << 35U) >> 35U;
    const auto half = std::int64_t{1} << 59U;
    return std::to_string(
        bits < (std::uint64_t{1} << 29U) ? low : static_cast<std::int64_t>(bits) - half);
  };
  throw InputError(message + shown(other_) + " and " + shown(label));
}

// Both sides ascend; they are read from their ends, as scores descend.
void ScoreGroup::collapse_counts(int threads) {
  for_each_task(2, threads, [&] {
    return [&](std::int64_t task) {
      const std::size_t side = task == 0 ? 0 : 1;
      sort_keys(keys_[side], scratch_[side]);
    };
  });
  distinct_.clear();
  counts_[0].clear();
  counts_[1].clear();
  std::size_t left[2] = {keys_[0].size(), keys_[1].size()};
  n_ = static_cast<double>(left[0] + left[1]);
  while (left[0] + left[1] > 0) {
    std::uint64_t key = left[0] > 0 ? keys_[0][left[0] - 1] : 0;
    if (left[1] > 0) key = std::max(key, keys_[1][left[1] - 1]);
    distinct_.push_back(key);
    for (int side = 0; side < 2; ++side) {
      const std::size_t before = left[side];
      while (left[side] > 0 && keys_[side][left[side] - 1] == key) --left[side];
      counts_[side].push_back(static_cast<std::uint32_t>(before - left[side]));
    }
  }
  view_.amounts = metrics::Amounts<std::uint32_t>{counts_[1].data(), counts_[0].data()};
}

// Weights at one score are added in their own order: that of the rows was lost on the way.
void ScoreGroup::collapse_weights() {
  distinct_.clear();
  weights_[0].clear();
  weights_[1].clear();
  std::size_t left[2];
  Sum2 total;
  for (int side = 0; side < 2; ++side) {
    auto& entries = entries_[side];
    // A row without weight is as good as absent.
    std::erase_if(entries, [](const auto& entry) { return entry.second == 0; });
    std::sort(entries.begin(), entries.end());
    left[side] = entries.size();
  }
  while (left[0] + left[1] > 0) {
    std::uint64_t key = left[0] > 0 ? entries_[0][left[0] - 1].first : 0;
    if (left[1] > 0) key = std::max(key, entries_[1][left[1] - 1].first);
    distinct_.push_back(key);
    for (int side = 0; side < 2; ++side) {
      const auto& entries = entries_[side];
      Sum2 sum;
      while (left[side] > 0 && entries[left[side] - 1].first == key) {
        const double weight = entries[--left[side]].second;
        if (!(weight > 0) || std::isinf(weight)) throw StateError("a weight that no row has");
        sum.add(weight);
      }
      weights_[side].push_back(sum.value());
      total.add(sum);
    }
  }
  n_ = total.value();
  view_.amounts = metrics::Amounts<double>{weights_[1].data(), weights_[0].data()};
}

void ScoreGroup::set_view() {
  view_.size = distinct_.size();
  if (!distinct_.empty() && is_float_key(distinct_.back())) {
    floats_.clear();
    for (const auto key : distinct_) floats_.push_back(score_of(static_cast<std::uint32_t>(key)));
    view_.scores = floats_.data();
  } else {
    doubles_.clear();
    for (const auto key : distinct_) doubles_.push_back(score_of_wide(key));
    view_.scores = doubles_.data();
  }
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

}  // namespace confmat
