// Distinct keys of one or more words, numbered as they are first met.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "confmat/base/error.hpp"

namespace confmat {

class DistinctSets {
 public:
  explicit DistinctSets(std::size_t words) : words_(words), slots_(kFirstSlots) {}

  [[nodiscard]] std::size_t size() const noexcept { return n_; }
  [[nodiscard]] std::span<const std::uint64_t> at(std::size_t i) const noexcept {
    return std::span(keys_).subspan(i * words_, words_);
  }

  std::uint32_t number_of(const std::uint64_t* key) {
    std::size_t at = hash(key) & (slots_.size() - 1);
    for (;; at = (at + 1) & (slots_.size() - 1)) {
      const std::uint32_t slot = slots_[at];
      if (slot == 0) break;
      if (std::equal(key, key + words_, keys_.data() + (slot - 1) * words_)) return slot - 1;
    }
    if (n_ == UINT32_MAX - 1) throw InputError("more than 2^32 - 2 distinct sets of labels");
    keys_.insert(keys_.end(), key, key + words_);
    slots_[at] = static_cast<std::uint32_t>(++n_);
    if (2 * n_ > slots_.size()) grow();
    return static_cast<std::uint32_t>(n_ - 1);
  }

 private:
  static constexpr std::size_t kFirstSlots = 256;

  [[nodiscard]] std::size_t hash(const std::uint64_t* key) const noexcept {
    std::uint64_t mixed = 0;
    for (std::size_t i = 0; i < words_; ++i) {
      mixed = (mixed ^ key[i]) * 0x9E3779B97F4A7C15U;
      mixed ^= mixed >> 32U;
    }
    return mixed;
  }
  void grow() {
    std::vector<std::uint32_t> slots(2 * slots_.size());
    for (std::size_t i = 0; i < n_; ++i) {
      std::size_t at = hash(keys_.data() + i * words_) & (slots.size() - 1);
      while (slots[at] != 0) at = (at + 1) & (slots.size() - 1);
      slots[at] = static_cast<std::uint32_t>(i + 1);
    }
    slots_ = std::move(slots);
  }

  std::size_t words_;
  std::size_t n_ = 0;
  std::vector<std::uint64_t> keys_;
  std::vector<std::uint32_t> slots_;  // number + 1; 0: free
};

}  // namespace confmat
