// Numbers distinct keys in order of first appearance: open addressing, reused between groups.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace confmat {

template <class Key, class Hash>
class Distinct {
 public:
  std::uint32_t index_of(const Key& key) {
    if (keys_.size() * 2 >= slots_.size()) grow();
    const auto mask = slots_.size() - 1;
    for (auto at = static_cast<std::size_t>(Hash{}(key)) & mask;; at = (at + 1) & mask) {
      if (slots_[at] == kFree) {
        slots_[at] = static_cast<std::uint32_t>(keys_.size());
        used_.push_back(static_cast<std::uint32_t>(at));
        keys_.push_back(key);
        return slots_[at];
      }
      if (keys_[slots_[at]] == key) return slots_[at];
    }
  }
  [[nodiscard]] std::optional<std::uint32_t> find(const Key& key) const {
    if (slots_.empty()) return std::nullopt;
    const auto mask = slots_.size() - 1;
    auto at = static_cast<std::size_t>(Hash{}(key)) & mask;
    for (; slots_[at] != kFree; at = (at + 1) & mask) {
      if (keys_[slots_[at]] == key) return slots_[at];
    }
    return std::nullopt;
  }
  [[nodiscard]] const std::vector<Key>& keys() const noexcept { return keys_; }
  void clear() {
    for (const auto at : used_) slots_[at] = kFree;
    used_.clear();
    keys_.clear();
  }

 private:
  static constexpr std::uint32_t kFree = 0xFFFFFFFF;

  void grow() {
    const auto size = slots_.empty() ? std::size_t{64} : slots_.size() * 4;
    slots_.assign(size, kFree);
    used_.clear();
    for (std::uint32_t i = 0; i < keys_.size(); ++i) {
      auto at = static_cast<std::size_t>(Hash{}(keys_[i])) & (size - 1);
      while (slots_[at] != kFree) at = (at + 1) & (size - 1);
      slots_[at] = i;
      used_.push_back(static_cast<std::uint32_t>(at));
    }
  }

  std::vector<std::uint32_t> slots_;
  std::vector<std::uint32_t> used_;
  std::vector<Key> keys_;
};

}  // namespace confmat
