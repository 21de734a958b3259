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
    if (indexed_ < keys_.size()) index();
    const auto mask = slots_.size() - 1;
    for (auto at = static_cast<std::size_t>(Hash{}(key)) & mask;; at = (at + 1) & mask) {
      if (slots_[at] == kFree) {
        slots_[at] = static_cast<std::uint32_t>(keys_.size());
        used_.push_back(static_cast<std::uint32_t>(at));
        keys_.push_back(key);
        ++indexed_;
        return slots_[at];
      }
      if (keys_[slots_[at]] == key) return slots_[at];
    }
  }
  // Without looking it up, now or before the next index_of(). Needs: it is not there.
  void append(const Key& key) { keys_.push_back(key); }
  // Needs: nothing was appended.
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
    indexed_ = 0;
  }

 private:
  static constexpr std::uint32_t kFree = 0xFFFFFFFF;

  void grow() {
    std::size_t size = slots_.empty() ? std::size_t{64} : slots_.size() * 4;
    while (keys_.size() * 2 >= size) size *= 4;
    slots_.assign(size, kFree);
    used_.clear();
    indexed_ = 0;
    index();
  }
  void index() {
    const std::size_t mask = slots_.size() - 1;
    for (; indexed_ < keys_.size(); ++indexed_) {
      auto at = static_cast<std::size_t>(Hash{}(keys_[indexed_])) & mask;
      while (slots_[at] != kFree) at = (at + 1) & mask;
      slots_[at] = static_cast<std::uint32_t>(indexed_);
      used_.push_back(static_cast<std::uint32_t>(at));
    }
  }

  std::vector<std::uint32_t> slots_;
  std::vector<std::uint32_t> used_;
  std::vector<Key> keys_;
  std::size_t indexed_ = 0;  // of the keys
};

}  // namespace confmat
