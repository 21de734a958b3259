// The numbers of all keys of a row as one: its place among all combinations of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>

#include "confmat/kernels/wide_loop.hpp"
#include "confmat/tally/group_keys.hpp"

namespace confmat {

// Reads block by block; serves one thread.
class KeySlots {
 public:
  // Needs: at least one key; all outlive it.
  KeySlots(std::span<const GroupKey> keys, std::int64_t row, Scratch& scratch) : keys_(keys) {
    for (const GroupKey& key : keys) readers_.emplace_back(key, row, scratch);
  }

  [[nodiscard]] std::int64_t left() const noexcept {
    std::int64_t rows = readers_.front().left();
    for (const GroupKeyReader& reader : readers_) rows = std::min(rows, reader.left());
    return rows;
  }
  // Of the next n rows. Whether a row has a value for which no number stands. Needs: n <= kBlock
  // and n <= left().
  bool read(std::size_t n, std::uint32_t* slots) {
    bool is_outside = false;
    for (std::size_t at = 0; at < keys_.size(); ++at) {
      std::uint32_t* const numbers = at == 0 ? slots : next_.get();
      readers_[at].read(n, numbers);
      is_outside |= has(numbers, n, keys_[at].outside());
      if (at == 0) continue;
      const auto count = static_cast<std::uint32_t>(keys_[at].numbers());
      wide_loop([=] {
        for (std::size_t i = 0; i < n; ++i) slots[i] = slots[i] * count + numbers[i];
      });
    }
    return is_outside;
  }
  void advance(std::int64_t n) {
    for (GroupKeyReader& reader : readers_) reader.advance(n);
  }
  // Of the first key.
  [[nodiscard]] const Cursor& cursor() const noexcept { return readers_.front().cursor(); }

 private:
  static bool has(const std::uint32_t* numbers, std::size_t n, std::uint32_t wanted) {
    std::uint32_t any = 0;
    wide_loop([=, &any] {
      std::uint32_t found = 0;
      for (std::size_t i = 0; i < n; ++i) {
        found |= static_cast<std::uint32_t>(numbers[i] == wanted);
      }
      any = found;
    });
    return any != 0;
  }

  std::span<const GroupKey> keys_;
  std::deque<GroupKeyReader> readers_;
  std::unique_ptr<std::uint32_t[]> next_ = std::make_unique_for_overwrite<std::uint32_t[]>(kBlock);
};

}  // namespace confmat
