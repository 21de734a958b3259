// Adds up what is counted of sets of labels, and takes it away.
#include "confmat/state/set_counts.hpp"

#include <algorithm>
#include <compare>
#include <numeric>
#include <span>
#include <string>
#include <utility>

#include "confmat/base/error.hpp"
#include "confmat/base/interrupt.hpp"
#include "each_of_both.hpp"

namespace confmat {
namespace {

constexpr std::size_t kNone = EntryMerge::kNone;
using Operation = EntryMerge::Operation;

[[noreturn]] void refuse_difference(const std::string& what) {
  throw InputError("cannot subtract: " + what + " has more rows in the second than in the first");
}

// One label more, which no row has.
EntrySums with_absent(const EntrySums& cells, const EntrySums& total) {
  EntryMerge out(cells, total, Operation::kAdd);
  for (std::size_t i = 0; i < cells.size(); ++i) out.next(i, kNone);
  out.next(kNone, 0);
  for (int i = 0; i < 3; ++i) out.next(kNone, kNone);
  return out.take();
}

// The labels of a state among those of a sum.
class Placed {
 public:
  Placed(const SetCounts& of, const std::vector<std::uint32_t>& at, std::size_t n_labels)
      : of_(of), at_(at), own_(of.labels->size()) {
    // NOLINTNEXTLINE(bugprone-narrowing-conversions): a label set has fewer than 2^32
    from_.assign(n_labels, own_);
    for (std::size_t i = 0; i < own_; ++i) from_[at_.empty() ? i : at_[i]] = i;
    moves_ = n_labels != own_ || !std::ranges::is_sorted(at_);
  }

  // Those of its cells, where it lacks labels with those of one that no row has.
  [[nodiscard]] EntrySums cells() const {
    return from_.size() == own_ ? of_.cells : with_absent(of_.cells, total_of(of_.of_sizes));
  }
  // Which of its labels it is; the number of its labels: none.
  [[nodiscard]] std::size_t from(std::size_t label) const { return from_[label]; }

  // The sets, of labels of the sum and in the form wanted, and in which order they ascend.
  void place_sets(bool listed) {
    order_.resize(of_.sets.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    if (!moves_) {
      sets_ = of_.sets.in_form(listed, own_);
      return;
    }
    const bool sorted = std::ranges::is_sorted(at_);
    LabelSetsBuilder out(listed, from_.size());
    std::vector<std::size_t> labels;
    for (const auto [first, last] : Strides(of_.sets.size())) {
      for (std::size_t set = first; set < last; ++set) {
        labels.clear();
        of_.sets.each(set, [&](std::size_t i) { labels.push_back(at_.empty() ? i : at_[i]); });
        if (!sorted) std::ranges::sort(labels);
        out.begin();
        for (const std::size_t label : labels) out.add_label(label);
      }
    }
    sets_ = out.take();
    if (sorted) return;
    std::ranges::sort(order_, [&](std::size_t a, std::size_t b) {
      return sets_.listed() ? order_of_sets(sets_.members(a), sets_.members(b)) < 0
                            : order_of_sets(sets_.bits(a), sets_.bits(b)) < 0;
    });
  }
  [[nodiscard]] const std::vector<std::size_t>& ascending() const noexcept { return order_; }
  [[nodiscard]] const LabelSets& sets() const noexcept { return sets_; }

 private:
  const SetCounts& of_;
  const std::vector<std::uint32_t>& at_;
  std::size_t own_;
  std::vector<std::size_t> from_;
  bool moves_ = false;
  LabelSets sets_;
  std::vector<std::size_t> order_;
};

class Merge {
 public:
  Merge(const SetCounts& one, const SetCounts& other, const MergedLabels& labels,
        Operation operation)
      : one_(one),
        other_(other),
        operation_(operation),
        left_(one, labels.of_one, labels.labels->size()),
        right_(other, labels.of_other, labels.labels->size()) {
    out_.labels = labels.labels;
  }

  SetCounts run() {
    sizes();
    cells();
    sets();
    return std::move(out_);
  }

 private:
  // First, as their total is that of all rows.
  void sizes() {
    const auto [left, right] = in_one_form(one_.of_sizes, other_.of_sizes);
    EntryMerge merge(left, right, operation_);
    const auto key = [](const SetCounts& of, std::size_t i) {
      return of.sizes.view().subspan(3 * i, 3);
    };
    std::vector<std::uint32_t> found;
    each_of_both(
        left.size(), right.size(),
        [&](std::size_t i, std::size_t j) {
          const auto a = key(one_, i), b = key(other_, j);
          return std::lexicographical_compare_three_way(a.begin(), a.end(), b.begin(), b.end());
        },
        [&](std::size_t i, std::size_t j) {
          const auto sizes = i == kNone ? key(other_, j) : key(one_, i);
          if (!merge.next(i, j)) {
            refuse_difference("sets of " + std::to_string(sizes[1]) + " true and " +
                              std::to_string(sizes[2]) + " predicted labels");
          }
          if (merge.is_last_zero()) return merge.drop_last();
          found.insert(found.end(), sizes.begin(), sizes.end());
        });
    merge.check_total();
    out_.sizes = std::move(found);
    out_.of_sizes = merge.take();
  }

  void cells() {
    const auto [left, right] = in_one_form(left_.cells(), right_.cells());
    EntryMerge merge(left, right, operation_);
    const std::size_t n_labels = out_.labels->size();
    for (std::size_t label = 0; label < n_labels; ++label) {
      for (std::size_t cell = 0; cell < 4; ++cell) {
        if (!merge.next(4 * left_.from(label) + cell, 4 * right_.from(label) + cell)) {
          refuse_difference("the label " + quoted_label(out_.labels->labels, label));
        }
      }
    }
    out_.cells = merge.take();
  }

  void sets() {
    const std::size_t n = one_.sets.size() + other_.sets.size();
    const std::size_t members = one_.sets.n_members() + other_.sets.n_members();
    const bool listed = LabelSets::are_better_listed(out_.labels->size(), n, members);
    left_.place_sets(listed);
    right_.place_sets(listed);
    if (listed) {
      merge_sets<SetMembers>();
    } else {
      merge_sets<SetBits>();
    }
  }

  template <class Set>
  void merge_sets() {
    const auto [left, right] = in_one_form(one_.of_sets, other_.of_sets);
    EntryMerge merge(left, right, operation_);
    const auto& of_left = left_.ascending();
    const auto& of_right = right_.ascending();
    const std::size_t n_labels = out_.labels->size();
    LabelSetsBuilder found(left_.sets().listed(), n_labels);
    each_of_both(
        of_left.size(), of_right.size(),
        [&](std::size_t i, std::size_t j) {
          return order_of_sets(left_.sets().template set<Set>(of_left[i]),
                               right_.sets().template set<Set>(of_right[j]));
        },
        [&](std::size_t i, std::size_t j) {
          bool is_zero = true;
          for (std::size_t side = 0; side < 3; ++side) {
            if (!merge.next(i == kNone ? kNone : 3 * of_left[i] + side,
                            j == kNone ? kNone : 3 * of_right[j] + side)) {
              refuse_difference("a set of labels");
            }
            is_zero = is_zero && merge.is_last_zero();
          }
          if (is_zero) {
            for (int side = 0; side < 3; ++side) merge.drop_last();
            return;
          }
          found.add(i == kNone ? right_.sets().template set<Set>(of_right[j])
                               : left_.sets().template set<Set>(of_left[i]));
        });
    out_.sets = found.take().compact(n_labels);
    out_.of_sets = merge.take();
  }

  const SetCounts& one_;
  const SetCounts& other_;
  Operation operation_;
  Placed left_, right_;
  SetCounts out_;
};

}  // namespace

SetCounts added(const SetCounts& one, const SetCounts& other) {
  const MergedLabels labels = merge_labels(one.labels, other.labels);
  SetCounts out = Merge(one, other, labels, Operation::kAdd).run();
  out.rows = added(one.rows, other.rows);
  return out;
}

SetCounts taken_away(const SetCounts& one, const SetCounts& other) {
  const MergedLabels labels = remaining_labels(one.labels, other.labels);
  SetCounts out = Merge(one, other, labels, Operation::kSubtract).run();
  out.rows = taken_away(one.rows, other.rows);
  return out;
}

bool are_same(const SetCounts& one, const SetCounts& other) {
  return one.labels->labels == other.labels->labels && one.rows.dropped == other.rows.dropped &&
         std::ranges::equal(one.sizes.view(), other.sizes.view()) && one.sets == other.sets &&
         are_same(one.cells, other.cells) && are_same(one.of_sizes, other.of_sizes) &&
         are_same(one.of_sets, other.of_sets);
}

}  // namespace confmat
