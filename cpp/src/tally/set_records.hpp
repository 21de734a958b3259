// Sets of labels of rows in the order of sets, equal ones together: by numbers that hold the last
// labels of each, and where these are the same, by those before.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "confmat/base/interrupt.hpp"
#include "confmat/base/radix_sort.hpp"

namespace confmat {

// A set that a row has, without its labels.
struct SetRecord {
  enum Side : std::uint32_t { kTrue, kPredicted, kBoth };

  std::uint64_t head;
  std::uint32_t first;      // its labels begin there, among those of the true or predicted sets
  std::uint32_t size : 29;  // how many these are
  std::uint32_t side : 2;
  std::uint32_t repeats : 1;  // the set before it
};

class SetRecords {
 public:
  static constexpr std::uint64_t kMostLabels = std::uint64_t{1} << 32U;  // of all rows of a side

  // The labels of all true sets and of all predicted ones; each set ascends.
  SetRecords(std::span<const std::uint32_t> truth, std::span<const std::uint32_t> prediction,
             std::size_t n_labels)
      : truth_(truth.data()),
        prediction_(prediction.data()),
        bits_(static_cast<unsigned>(std::bit_width(n_labels))),
        of_head_(64 / bits_) {}

  [[nodiscard]] const std::uint32_t* labels(const SetRecord& of) const noexcept {
    return (of.side == SetRecord::kPredicted ? prediction_ : truth_) + of.first;
  }
  // Its head is that of its last labels.
  [[nodiscard]] SetRecord record(SetRecord::Side side, std::size_t first,
                                 std::size_t size) const noexcept {
    SetRecord out{0, static_cast<std::uint32_t>(first),
                  static_cast<std::uint32_t>(size) & kMostInRow,
                  static_cast<std::uint32_t>(side) & 3U, 0};
    out.head = head(out, 0);
    return out;
  }
  // In the order of sets; tells which repeat the set before.
  void sort(std::vector<SetRecord>& records) {
    sort_records(records, scratch_, [](const SetRecord& one) { return one.head; });
    split(records, 0);
    const StopSign sign;
    while (!left_.empty()) {
      sign.obey();
      const auto [same, known] = left_.back();
      left_.pop_back();
      bool differ = false;
      for (SetRecord& one : same) {
        one.head = head(one, known);
        differ |= one.head != same.front().head;
      }
      if (differ) std::ranges::sort(same, {}, &SetRecord::head);
      split(same, known);
    }
  }

 private:
  static constexpr std::uint32_t kMostInRow = (std::uint32_t{1} << 29U) - 1;

  struct Left {
    std::span<SetRecord> records;  // whose last labels are the same
    std::size_t known;             // how many these are
  };

  // Of the labels before the last `known`: a digit for each, the last one first; 0: there is none.
  [[nodiscard]] std::uint64_t head(const SetRecord& of, std::size_t known) const noexcept {
    const std::uint32_t* const set = labels(of);
    std::uint64_t out = 0;
    for (std::size_t i = known; i < known + of_head_; ++i) {
      out = out << bits_ | (i < of.size ? std::uint64_t{set[of.size - 1 - i]} + 1 : 0);
    }
    return out;
  }

  // Of records in the order of their heads, which hold as many labels behind the last `known`.
  void split(std::span<SetRecord> records, std::size_t known) {
    const std::uint64_t last_digit = (std::uint64_t{1} << bits_) - 1;
    for (std::size_t first = 0, end = 1; first < records.size(); first = end++) {
      const std::uint64_t head = records[first].head;
      while (end < records.size() && records[end].head == head) ++end;
      if (end - first == 1) continue;
      if ((head & last_digit) != 0) {
        left_.push_back({records.subspan(first, end - first), known + of_head_});
        continue;
      }
      for (std::size_t i = first + 1; i < end; ++i) records[i].repeats = 1;  // no labels are left
    }
  }

  const std::uint32_t* truth_;
  const std::uint32_t* prediction_;
  unsigned bits_;        // of a label
  std::size_t of_head_;  // labels
  std::vector<Left> left_;
  std::vector<SetRecord> scratch_;
};

}  // namespace confmat
