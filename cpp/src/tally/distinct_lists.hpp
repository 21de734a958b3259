// Distinct lists of labels, numbered as they are first met.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "confmat/base/error.hpp"
#include "confmat/state/label_sets.hpp"

namespace confmat {

class DistinctLists {
 public:
  // Room for so many lists with so many labels in all: of which memory is touched as it is filled.
  void reserve(std::size_t lists, std::size_t labels) {
    ends_.reserve(lists);
    members_.reserve(labels);
  }

  static std::uint32_t mark_of(SetMembers list) noexcept {
    std::uint64_t mixed = list.size();
    for (const std::uint32_t label : list) {
      mixed = (mixed ^ label) * 0x9E3779B97F4A7C15U;
      mixed ^= mixed >> 32U;
    }
    return static_cast<std::uint32_t>((mixed * 0x9E3779B97F4A7C15U) >> 32U);
  }
  // Asks for the memory in which a list of that mark will be looked up.
  void look_ahead(std::uint32_t mark) const noexcept {
    __builtin_prefetch(slots_.data() + (mark >> shift_), 1);
  }
  // `mark`: that of the list.
  std::uint32_t number_of(SetMembers list, std::uint32_t mark) {
    std::size_t at = mark >> shift_;
    for (; slots_[at].number != 0; at = (at + 1) & (slots_.size() - 1)) {
      const Slot slot = slots_[at];
      if (slot.mark == mark && std::ranges::equal(list, this->list(slot.number - 1))) {
        return slot.number - 1;
      }
    }
    if (ends_.size() == kMost) throw InputError("more than 2^30 distinct sets of labels");
    members_.insert(members_.end(), list.begin(), list.end());
    ends_.push_back(members_.size());
    const auto number = static_cast<std::uint32_t>(ends_.size());
    slots_[at] = {mark, number};
    if (2 * ends_.size() > slots_.size()) grow();
    return number - 1;
  }
  [[nodiscard]] LabelSets take() {
    slots_ = {};
    return {std::move(members_), std::move(ends_)};
  }

 private:
  struct Slot {
    std::uint32_t mark = 0;
    std::uint32_t number = 0;  // + 1; 0: free
  };
  static constexpr std::size_t kMost = std::size_t{1} << 30U;
  static constexpr unsigned kFirstBits = 8;

  [[nodiscard]] SetMembers list(std::size_t i) const noexcept {
    const std::size_t first = i == 0 ? 0 : ends_[i - 1];
    return SetMembers(members_).subspan(first, ends_[i] - first);
  }
  // A slot is where the highest bits of its mark say: so both tables are passed in order.
  void grow() {
    std::vector<Slot> slots(2 * slots_.size());
    --shift_;
    for (const Slot& slot : slots_) {
      if (slot.number == 0) continue;
      std::size_t at = slot.mark >> shift_;
      while (slots[at].number != 0) at = (at + 1) & (slots.size() - 1);
      slots[at] = slot;
    }
    slots_ = std::move(slots);
  }

  std::vector<std::uint32_t> members_;
  std::vector<std::uint64_t> ends_;
  unsigned shift_ = 32 - kFirstBits;
  std::vector<Slot> slots_ = std::vector<Slot>(std::size_t{1} << kFirstBits);
};

}  // namespace confmat
