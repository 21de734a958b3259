// The rows of many slices: keys of scores in lists by slice and class, and tables of bins where a
// list would be larger than its table.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "confmat/base/interrupt.hpp"
#include "slice_bin_table.hpp"
#include "slice_blocks.hpp"
#include "slice_keys.hpp"

namespace confmat {

// Of rows that are not in the table; then the table, or how many bytes the lists take without one.
template <class Key>
struct alignas(64) SliceRows {
  KeyList<Key> lists[2];  // of negatives, positives
  std::unique_ptr<SliceBinTable<Key>> table;
  std::uint64_t bytes = 0;
};
static_assert(sizeof(SliceRows<std::uint32_t>) == 64);

// A row: whose list of a group it belongs to (slice * 2 + class), and the key of its score.
template <class Key>
struct ListedKey {
  std::uint32_t list;
  Key key;
};

// Some of the slices, which one thread at a time adds to.
template <class Key>
class SliceGroup {
 public:
  explicit SliceGroup(LargestBlocks& largest) : blocks_(largest) {}
  SliceGroup(SliceGroup&&) noexcept = default;
  SliceGroup& operator=(SliceGroup&&) = delete;
  SliceGroup(const SliceGroup&) = delete;
  SliceGroup& operator=(const SliceGroup&) = delete;
  ~SliceGroup() = default;

  // What a slice with a table takes at a level: the table, as much for rows that wait for it, and
  // as much again for its state; and, the more rows there are, the more counts beyond a byte.
  static std::size_t full_bytes(unsigned level, std::uint64_t rows = 0) noexcept {
    return 2 * most_listed(level) + 2 * (kWaitingBytes >> level) +
           SliceBinTable<Key>::most_beyond(rows, level);
  }

  // What a slice of so many rows of each class takes at a level.
  static std::size_t bytes_of(std::uint64_t negatives, std::uint64_t positives,
                              unsigned level) noexcept {
    const std::size_t listed = listed_bytes(negatives) + listed_bytes(positives);
    return listed <= most_listed(level) ? listed : full_bytes(level, negatives + positives);
  }

  void resize(std::size_t slices) { slices_.resize(slices); }
  [[nodiscard]] SliceRows<Key>& slice(std::size_t at) noexcept { return slices_[at]; }
  // Of lists and tables, as their numbers of rows and the level call for, where no count is beyond
  // a byte.
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
  // The same of another level, and with such counts.
  [[nodiscard]] std::size_t bytes_at(unsigned level) const {
    const std::size_t most = most_listed(level);
    std::size_t out = 0;
    for (const SliceRows<Key>& slice : slices_) {
      const bool is_full = slice.table != nullptr || slice.bytes > most;
      out += is_full ? full_bytes(level, rows_of(slice)) : slice.bytes;
    }
    return out;
  }

  void append(std::span<const ListedKey<Key>> rows, unsigned level, BinKeys<Key>& held) {
    slices_.size() > kFewSlices ? append_each<true>(rows, level, held)
                                : append_each<false>(rows, level, held);
  }

  // Whether lists have become larger than their tables.
  [[nodiscard]] bool has_grown() const noexcept { return !grown_.empty(); }
  // Of the slices whose lists have.
  void make_tables(unsigned level, BinKeys<Key>& held) {
    for (const std::size_t at : std::exchange(grown_, {})) make_table(slices_[at], level, held);
  }
  // Joins bins, so that fewer rows have to be listed.
  void coarsen(unsigned level, BinKeys<Key>& held) {
    const StopSign sign;
    bytes_ = 0;
    grown_.clear();
    for (SliceRows<Key>& slice : slices_) {
      sign.obey();
      if (slice.table != nullptr) {
        empty_lists(slice, held);
        slice.table->coarsen(level, blocks_, held);
      } else if (slice.bytes > most_listed(level)) {
        make_table(slice, level, held);
      }
      bytes_ += slice.table != nullptr ? full_bytes(level) : slice.bytes;
    }
  }

  // Adds what waits for a table.
  void settle(BinKeys<Key>& held) {
    const StopSign sign;
    for (SliceRows<Key>& slice : slices_) {
      sign.obey();
      if (slice.table != nullptr) empty_lists(slice, held);
    }
  }

 private:
  // Of each list beside a table at level 0: so many rows that each line of the table gets several.
  static constexpr std::size_t kWaitingBytes = std::size_t{1} << 17U;
  static unsigned waiting_class(unsigned level) noexcept {
    constexpr unsigned kLevels = 4;  // that wait in several of the largest blocks
    static_assert(kWaitingBytes >> kLevels == block_bytes(kLargest));
    return level < kLevels ? kLargest : kLargest + kLevels - level;
  }
  static_assert(kMostUnitLevel <= kLargest + 4);
  static std::size_t most_listed(unsigned level) noexcept {
    return SliceBinTable<Key>::bytes(level);
  }

  static constexpr std::size_t kFewSlices = 64;  // which stay in the first-level cache

  // Of many slices what comes next is asked for: a slice first, then where its list ends.
  template <bool kMany>
  void append_each(std::span<const ListedKey<Key>> rows, unsigned level, BinKeys<Key>& held) {
    constexpr std::size_t kAhead = 12;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if constexpr (kMany) {
        if (i + 2 * kAhead < rows.size()) __builtin_prefetch(&list(rows[i + 2 * kAhead]), 1);
        if (i + kAhead < rows.size()) __builtin_prefetch(list(rows[i + kAhead]).at, 1);
      }
      const ListedKey<Key> row = rows[i];
      KeyList<Key>& of = list(row);
      if (of.at == of.end) make_room(slices_[row.list / 2], row.list % 2, level, held);
      if constexpr (!kMany) __builtin_prefetch(of.at + 64 / sizeof(Key), 1);
      *of.at++ = row.key;
    }
  }
  KeyList<Key>& list(const ListedKey<Key>& row) noexcept {
    return slices_[row.list / 2].lists[row.list % 2];
  }

  static std::uint64_t rows_of(const SliceRows<Key>& slice) noexcept {
    const std::uint64_t counted = slice.table == nullptr ? 0 : slice.table->rows();
    return counted + slice.lists[0].size() + slice.lists[1].size();
  }

  // Blocks double what a list has, up to a size, so that how many bytes it takes follows from its
  // rows.
  static unsigned next_class(const KeyList<Key>& list) noexcept {
    if (list.block == nullptr || list.block->previous == nullptr) return 0;
    return std::min(list.block->size_class + 1, kLargest);
  }

  // Of a list of so many rows, as next_class() makes it.
  static std::size_t listed_bytes(std::uint64_t rows) noexcept {
    const auto rows_in = [](unsigned size_class) {
      return (block_bytes(size_class) - sizeof(BlockHead)) / sizeof(Key);
    };
    std::size_t bytes = 0;
    std::uint64_t room = 0;
    for (unsigned block = 0; room < rows; ++block) {
      const unsigned next = std::min(block == 0 ? 0 : block - 1, kLargest);
      const std::uint64_t blocks = next < kLargest ? 1 : (rows - room - 1) / rows_in(next) + 1;
      bytes += blocks * block_bytes(next);
      room += blocks * rows_in(next);
    }
    return bytes;
  }

  // Apart from the loop that calls it, which then keeps what it needs in registers.
  [[gnu::noinline]] void make_room(SliceRows<Key>& slice, std::size_t side, unsigned level,
                                   BinKeys<Key>& held) {
    KeyList<Key>& list = slice.lists[side];
    if (slice.table == nullptr) return lengthen(slice, list, level);
    const unsigned next = waiting_class(level);
    if (list.blocks() * block_bytes(next) >= kWaitingBytes >> level) empty_lists(slice, held);
    list.open(blocks_.take(next), next);
  }
  // Tables are made once all rows of a batch are there, as many may call for coarser bins.
  void lengthen(SliceRows<Key>& slice, KeyList<Key>& list, unsigned level) {
    const unsigned next = next_class(list);
    list.open(blocks_.take(next), next);
    const bool was_small = slice.bytes <= most_listed(level);
    bytes_ += was_small ? block_bytes(next) : 0;
    slice.bytes += block_bytes(next);
    if (!was_small || slice.bytes <= most_listed(level)) return;
    bytes_ += full_bytes(level) - slice.bytes;
    grown_.push_back(static_cast<std::size_t>(&slice - slices_.data()));
  }

  void make_table(SliceRows<Key>& slice, unsigned level, BinKeys<Key>& held) {
    slice.table = std::make_unique<SliceBinTable<Key>>(level);
    empty_lists(slice, held);
  }

  void empty_lists(SliceRows<Key>& slice, BinKeys<Key>& held) {
    if (slice.lists[0].block == nullptr && slice.lists[1].block == nullptr) return;
    slice.table->add(slice.lists, blocks_, held);
    for (KeyList<Key>& list : slice.lists) list.clear(blocks_);
  }

  std::vector<SliceRows<Key>> slices_;
  Blocks blocks_;
  std::vector<std::size_t> grown_;  // lists that are to become tables
  std::size_t bytes_ = 0;
};

}  // namespace confmat
