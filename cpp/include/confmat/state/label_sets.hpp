// Distinct sets of labels, in one of two forms: bits, or the labels that each set has, where these
// are few of many. What takes a set takes it as a span of either.
#pragma once

#include <algorithm>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "confmat/state/shared_array.hpp"

namespace confmat {

using SetBits = std::span<const std::uint8_t>;      // label j is bit j % 8 of byte j / 8
using SetMembers = std::span<const std::uint32_t>;  // the labels, ascending

// The order of the numbers whose lowest bit is the first label: the same in both forms.
template <class Unit>
std::strong_ordering order_of_sets(std::span<const Unit> one, std::span<const Unit> other) {
  return std::lexicographical_compare_three_way(one.rbegin(), one.rend(), other.rbegin(),
                                                other.rend());
}

// A number that grows with the set in that order, and may be the same for unlike sets.
inline std::uint64_t head_of_set(SetBits set) noexcept {
  std::uint64_t head = 0;
  const std::size_t n = std::min<std::size_t>(set.size(), 8);
  for (std::size_t i = 0; i < n; ++i) head = head << 8U | set[set.size() - 1 - i];
  return head;
}
inline std::uint64_t head_of_set(SetMembers set) noexcept {
  const std::size_t n = set.size();
  const std::uint64_t last = n > 0 ? std::uint64_t{set[n - 1]} + 1 : 0;
  return last << 32U | (n > 1 ? set[n - 2] + 1U : 0U);
}

// Calls visit(label, in_one, in_other) for the labels that either has, ascending.
template <class Visit>
void each_label(SetBits one, SetBits other, const Visit& visit) {
  for (std::size_t byte = 0; byte < one.size(); ++byte) {
    const unsigned of_one = one[byte], of_other = other[byte];
    for (unsigned any = of_one | of_other; any != 0; any &= any - 1) {
      const auto bit = static_cast<unsigned>(std::countr_zero(any));
      visit(8 * byte + bit, (of_one >> bit) & 1U, (of_other >> bit) & 1U);
    }
  }
}
template <class Visit>
void each_label(SetMembers one, SetMembers other, const Visit& visit) {
  for (std::size_t i = 0, j = 0; i < one.size() || j < other.size();) {
    const std::uint64_t a = i < one.size() ? one[i] : UINT64_MAX;
    const std::uint64_t b = j < other.size() ? other[j] : UINT64_MAX;
    const unsigned in_one = a <= b ? 1 : 0, in_other = b <= a ? 1 : 0;
    visit(static_cast<std::size_t>(std::min(a, b)), in_one, in_other);
    i += in_one;
    j += in_other;
  }
}

class LabelSets {
 public:
  // Up to so many labels sets are bits: these are compared faster.
  static constexpr std::size_t kMostBits = 512;
  static constexpr std::size_t bytes_of(std::size_t n_labels) noexcept {
    return (n_labels + 7) / 8;
  }
  // Whether n sets that have so many labels in all are to be lists: where these are smaller.
  static constexpr bool are_better_listed(std::size_t n_labels, std::size_t n,
                                          std::size_t members) noexcept {
    return n_labels > kMostBits &&
           members * sizeof(std::uint32_t) + n * sizeof(std::uint64_t) < n * bytes_of(n_labels);
  }

  LabelSets() = default;
  // So many sets of `bytes` bytes each.
  LabelSets(std::vector<std::uint8_t>&& bits, std::size_t bytes, std::size_t n)
      : bits_(std::move(bits)), bytes_(bytes), n_(n) {}
  // The labels of all sets, and behind the last of each.
  LabelSets(SharedArray<std::uint32_t> members, SharedArray<std::uint64_t> ends)
      : listed_(true), members_(std::move(members)), ends_(std::move(ends)), n_(ends_.size()) {}

  [[nodiscard]] std::size_t size() const noexcept { return n_; }
  [[nodiscard]] bool listed() const noexcept { return listed_; }
  // Needs: not listed.
  [[nodiscard]] SetBits bits(std::size_t i) const noexcept {
    return bits_.view().subspan(i * bytes_, bytes_);
  }
  // Needs: listed.
  [[nodiscard]] SetMembers members(std::size_t i) const noexcept {
    const std::size_t first = i == 0 ? 0 : ends_[i - 1];
    return members_.view().subspan(first, ends_[i] - first);
  }
  // Either; as above.
  template <class Set>
  [[nodiscard]] Set set(std::size_t i) const noexcept {
    if constexpr (std::is_same_v<Set, SetBits>) {
      return bits(i);
    } else {
      return members(i);
    }
  }
  [[nodiscard]] const SharedArray<std::uint8_t>& all_bits() const noexcept { return bits_; }
  // Of all sets, one after the other, and behind the last of each.
  [[nodiscard]] const SharedArray<std::uint32_t>& all_members() const noexcept { return members_; }
  [[nodiscard]] const SharedArray<std::uint64_t>& ends() const noexcept { return ends_; }
  // Calls visit(label), ascending.
  template <class Visit>
  void each(std::size_t i, const Visit& visit) const {
    const auto told = [&](std::size_t label, unsigned, unsigned) { visit(label); };
    if (listed_) {
      each_label(members(i), SetMembers{}, told);
    } else {
      each_label(bits(i), bits(i), told);
    }
  }
  [[nodiscard]] std::size_t memory() const noexcept {
    return bits_.size() + members_.size() * sizeof(std::uint32_t) +
           ends_.size() * sizeof(std::uint64_t);
  }

  // How many labels all sets have together.
  [[nodiscard]] std::size_t n_members() const;
  // The same sets in another form, of so many labels.
  [[nodiscard]] LabelSets in_form(bool listed, std::size_t n_labels) const;
  // In the better form.
  [[nodiscard]] LabelSets compact(std::size_t n_labels) const {
    return in_form(are_better_listed(n_labels, n_, n_members()), n_labels);
  }

  friend bool operator==(const LabelSets& one, const LabelSets& other) {
    return one.listed_ == other.listed_ && one.n_ == other.n_ &&
           std::ranges::equal(one.bits_.view(), other.bits_.view()) &&
           std::ranges::equal(one.members_.view(), other.members_.view()) &&
           std::ranges::equal(one.ends_.view(), other.ends_.view());
  }

 private:
  bool listed_ = false;
  SharedArray<std::uint8_t> bits_;
  std::size_t bytes_ = 0;
  SharedArray<std::uint32_t> members_;
  SharedArray<std::uint64_t> ends_;
  std::size_t n_ = 0;
};

// Sets in the making, one after the other.
class LabelSetsBuilder {
 public:
  LabelSetsBuilder(bool listed, std::size_t n_labels)
      : listed_(listed), bytes_(LabelSets::bytes_of(n_labels)) {}
  void reserve(std::size_t sets, std::size_t members) {
    if (listed_) {
      members_.reserve(members);
      ends_.reserve(sets);
    } else {
      bits_.reserve(sets * bytes_);
    }
  }
  // Needs: a set of the same form.
  void add(SetBits set) {
    bits_.insert(bits_.end(), set.begin(), set.end());
    ++n_;
  }
  void add(SetMembers set) {
    members_.insert(members_.end(), set.begin(), set.end());
    ends_.push_back(members_.size());
  }
  // A set whose labels follow, ascending.
  void begin() {
    if (listed_) {
      ends_.push_back(members_.size());
    } else {
      bits_.resize(bits_.size() + bytes_);
      ++n_;
    }
  }
  void add_label(std::size_t label) {
    if (listed_) {
      members_.push_back(static_cast<std::uint32_t>(label));
      ends_.back() = members_.size();
    } else {
      bits_[bits_.size() - bytes_ + label / 8] |= static_cast<std::uint8_t>(1U << (label % 8));
    }
  }
  [[nodiscard]] LabelSets take() {
    if (listed_) return {std::move(members_), std::move(ends_)};
    return {std::move(bits_), bytes_, n_};
  }

 private:
  bool listed_;
  std::size_t bytes_;
  std::size_t n_ = 0;
  std::vector<std::uint8_t> bits_;
  std::vector<std::uint32_t> members_;
  std::vector<std::uint64_t> ends_;
};

// Which set comes first where sets with the first label come before those without, those with it
// and the second before those with it alone, and so on.
std::vector<std::uint32_t> by_first_labels(const LabelSets& sets);

}  // namespace confmat
