// Integers numbered in the order they were added: an open-addressing hash table.
// Cost: about 1 ns a lookup while the table is in cache.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace confmat {

class IntSet {
 public:
  static constexpr std::uint32_t kAbsent = UINT32_MAX;

  IntSet() : slots_(std::size_t{1} << kFirstBits) {}

  [[nodiscard]] std::uint32_t find(std::int64_t value) const noexcept {
    for (std::size_t at = home(value);; at = (at + 1) & (slots_.size() - 1)) {
      const Slot& slot = slots_[at];
      if (slot.number == kAbsent || slot.value == value) return slot.number;
    }
  }

  // The number of the value, a new one if it is absent.
  std::uint32_t add(std::int64_t value) {
    const std::uint32_t known = find(value);
    if (known != kAbsent) return known;
    // At most half full, so that a search always meets an empty slot soon.
    if ((values_.size() + 1) * 2 > slots_.size()) grow();
    values_.push_back(value);
    const auto number = static_cast<std::uint32_t>(values_.size() - 1);
    put(value, number);
    return number;
  }

  [[nodiscard]] const std::vector<std::int64_t>& values() const noexcept { return values_; }
  [[nodiscard]] std::uint32_t size() const noexcept {
    return static_cast<std::uint32_t>(values_.size());
  }

 private:
  struct Slot {
    std::int64_t value = 0;
    std::uint32_t number = kAbsent;
  };

  // The high bits of multiples of the golden ratio: neighbours, as most labels are, hardly ever
  // meet.
  [[nodiscard]] std::size_t home(std::int64_t value) const noexcept {
    return static_cast<std::size_t>((static_cast<std::uint64_t>(value) * 0x9E3779B97F4A7C15U) >>
                                    shift_);
  }

  void put(std::int64_t value, std::uint32_t number) noexcept {
    std::size_t at = home(value);
    while (slots_[at].number != kAbsent) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = {value, number};
  }

  void grow() {
    slots_.assign(slots_.size() * 2, Slot{});
    --shift_;
    for (std::size_t i = 0; i < values_.size(); ++i) put(values_[i], static_cast<std::uint32_t>(i));
  }

  static constexpr unsigned kFirstBits = 6;
  unsigned shift_ = 64 - kFirstBits;
  std::vector<Slot> slots_;
  std::vector<std::int64_t> values_;
};

}  // namespace confmat
