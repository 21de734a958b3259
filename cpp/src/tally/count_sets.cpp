// Counts ranges of rows, each by the pairs of sets that occur there, and adds them up.
#include "confmat/tally/count_sets.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "confmat/base/error.hpp"
#include "confmat/base/threads.hpp"
#include "confmat/tally/set_pairs.hpp"
#include "listed_sets.hpp"
#include "pairs_of_sets.hpp"
#include "state_of_pairs.hpp"

namespace confmat {
namespace {

void check_lists(const SetSide& side, std::int64_t rows, std::size_t n_labels, int threads) {
  const auto* const lists = std::get_if<SetLists>(&side);
  if (lists == nullptr) return;
  const std::span ends = lists->ends;
  const std::span labels = lists->labels;
  const std::int64_t last_end = ends.empty() ? 0 : ends.back();
  if (std::ssize(ends) != rows || last_end != std::ssize(labels)) {
    throw InputError("lists of other sizes than their labels");
  }
  over_ranges(thread_count(threads, rows), rows, [&](int, std::int64_t first, std::int64_t last) {
    bool ascend = first > 0 || ends.empty() || ends[0] >= 0;
    for (std::int64_t i = std::max<std::int64_t>(first, 1); i < last; ++i) {
      const auto at = static_cast<std::size_t>(i);
      ascend &= ends[at] >= ends[at - 1];
    }
    if (!ascend) throw InputError("lists of other sizes than their labels");
  });
  const std::int64_t n = std::ssize(labels);
  over_ranges(thread_count(threads, n), n, [&](int, std::int64_t first, std::int64_t last) {
    std::uint32_t most = 0;
    for (std::int64_t i = first; i < last; ++i) {
      most = std::max(most, labels[static_cast<std::size_t>(i)]);
    }
    if (first < last && most >= n_labels) throw InputError("a code that is no label");
  });
}

// As many as are worth it: each has a table of all labels.
int parts_for(std::int64_t rows, std::size_t n_labels, int threads) {
  const auto labels = static_cast<std::int64_t>(std::max<std::size_t>(n_labels, 1));
  return static_cast<int>(
      std::clamp<std::int64_t>(4 * rows / labels, 1, thread_count(threads, rows)));
}

// Pairs of them, side by side, until one is left.
SetCounts summed_in_pairs(std::vector<SetCounts> states) {
  const auto n = states.size();
  for (std::size_t step = 1; step < n; step *= 2) {
    const auto pairs = static_cast<int>((n - step + 2 * step - 1) / (2 * step));
    for_each_part(pairs, pairs, [&](int pair) {
      const std::size_t at = static_cast<std::size_t>(pair) * 2 * step;
      states[at] = added(states[at], states[at + step]);
      states[at + step] = {};
    });
  }
  return std::move(states[0]);
}

}  // namespace

SetCounts count_sets(const SetSide& truth, const SetSide& prediction, std::int64_t rows,
                     SharedLabels labels, const SetWeights& weights, int threads) {
  const std::size_t n_labels = labels->size();
  check_lists(truth, rows, n_labels, threads);
  check_lists(prediction, rows, n_labels, threads);
  SetCounts out;
  const bool plain = weights.kind == SetWeights::Kind::kNone;
  const auto* const true_lists = std::get_if<SetLists>(&truth);
  const auto* const predicted_lists = std::get_if<SetLists>(&prediction);
  if (plain && n_labels > LabelSets::kMostBits && true_lists != nullptr &&
      predicted_lists != nullptr && can_count_listed(*true_lists, *predicted_lists)) {
    out = count_listed(*true_lists, *predicted_lists, rows, std::move(labels),
                       parts_for(rows, n_labels, threads));
  } else if (plain && n_labels > 0 && n_labels <= kMostSetLabels) {
    const auto few = static_cast<unsigned>(n_labels);
    SetPairs found = count_set_pairs(truth, prediction, rows, few, threads);
    out = state_of_pairs(pairs_of(found, few), std::move(labels), std::move(found.cells));
  } else {
    const int parts = parts_for(rows, n_labels, threads);
    std::vector<SetCounts> counted(static_cast<std::size_t>(parts));
    over_ranges(parts, rows, [&](int part, std::int64_t first, std::int64_t last) {
      counted[static_cast<std::size_t>(part)] = state_of_pairs(
          without_zeros(pairs_of(truth, prediction, first, last, n_labels, weights)), labels);
    });
    out = summed_in_pairs(std::move(counted));
  }
  out.rows = {.counted = rows};
  return out;
}

}  // namespace confmat
