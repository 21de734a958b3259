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
  SliceGroup(LargestBlocks& largest, std::uint64_t most_narrow)
      : blocks_(largest), most_narrow_(most_narrow) {}
  SliceGroup(SliceGroup&&) noexcept = default;
  SliceGroup& operator=(SliceGroup&&) = delete;
  SliceGroup(const SliceGroup&) = delete;
  SliceGroup& operator=(const SliceGroup&) = delete;
  ~SliceGroup() = default;

  // What a table takes at a level, with the lists of rows that wait for it.
  static std::size_t table_bytes(unsigned level) noexcept {
    return unit_level(level).size * sizeof(std::uint64_t) + 2 * (kWaitingBytes >> level);
  }

  void resize(std::size_t slices) { slices_.resize(slices); }
  [[nodiscard]] const SliceRows<Key>& slice(std::size_t at) const noexcept { return slices_[at]; }
  // Of lists and tables, as their numbers of rows and the level call for.
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
  [[nodiscard]] std::size_t bytes_at(unsigned level) const {
    const std::size_t table = table_bytes(level);
    std::size_t out = 0;
    for (const SliceRows<Key>& slice : slices_) {
      out += slice.table != nullptr ? table : std::min<std::size_t>(slice.bytes, table);
    }
    return out;
  }

  void append(std::span<const ListedKey<Key>> rows, unsigned level, TableScratch<Key>& scratch) {
    slices_.size() > kFewSlices ? append_each<true>(rows, level, scratch)
                                : append_each<false>(rows, level, scratch);
  }

  // Joins bins, so that fewer rows have to be listed.
  void coarsen(unsigned level, TableScratch<Key>& scratch) {
    const StopSign sign;
    bytes_ = 0;
    for (SliceRows<Key>& slice : slices_) {
      sign.obey();
      if (slice.table != nullptr) {
        empty_lists(slice, scratch);
        slice.table->coarsen(level, blocks_, scratch.keys);
        bytes_ += table_bytes(level);
      } else if (slice.bytes > table_bytes(level)) {
        bytes_ += slice.bytes;
        make_table(slice, level, scratch);
      } else {
        bytes_ += slice.bytes;
      }
    }
  }

  // Adds what waits for a table.
  void settle(TableScratch<Key>& scratch) {
    const StopSign sign;
    for (SliceRows<Key>& slice : slices_) {
      sign.obey();
      if (slice.table != nullptr) empty_lists(slice, scratch);
    }
  }

 private:
  // Of each list beside a table at level 0: so many rows that each line of the table gets several.
  static constexpr std::size_t kWaitingBytes = std::size_t{1} << 16U;
  static unsigned waiting_class(unsigned level) noexcept {
    constexpr unsigned kLevels = 3;  // that wait in several of the largest blocks
    static_assert(kWaitingBytes >> kLevels == block_bytes(kLargest));
    return level < kLevels ? kLargest : kLargest + kLevels - level;
  }
  static_assert(kMostUnitLevel <= kLargest + 3);

  static constexpr std::size_t kFewSlices = 64;  // which stay in the first-level cache

  // Of many slices what comes next is asked for: a slice first, then where its list ends.
  template <bool kMany>
  void append_each(std::span<const ListedKey<Key>> rows, unsigned level,
                   TableScratch<Key>& scratch) {
    constexpr std::size_t kAhead = 12;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if constexpr (kMany) {
        if (i + 2 * kAhead < rows.size()) __builtin_prefetch(&list(rows[i + 2 * kAhead]), 1);
        if (i + kAhead < rows.size()) __builtin_prefetch(list(rows[i + kAhead]).at, 1);
      }
      const ListedKey<Key> row = rows[i];
      KeyList<Key>& of = list(row);
      if (of.at == of.end) make_room(slices_[row.list / 2], row.list % 2, level, scratch);
      if constexpr (!kMany) __builtin_prefetch(of.at + 64 / sizeof(Key), 1);
      *of.at++ = row.key;
    }
  }
  KeyList<Key>& list(const ListedKey<Key>& row) noexcept {
    return slices_[row.list / 2].lists[row.list % 2];
  }

  // Blocks double what a list has, up to a size, so that how many bytes it takes follows from its
  // rows.
  static unsigned next_class(const KeyList<Key>& list) noexcept {
    if (list.block == nullptr || list.block->previous == nullptr) return 0;
    return std::min(list.block->size_class + 1, kLargest);
  }

  // Apart from the loop that calls it, which then keeps what it needs in registers.
  [[gnu::noinline]] void make_room(SliceRows<Key>& slice, std::size_t side, unsigned level,
                                   TableScratch<Key>& scratch) {
    KeyList<Key>& list = slice.lists[side];
    if (slice.table == nullptr) {
      const unsigned next = next_class(list);
      if (slice.bytes + block_bytes(next) <= table_bytes(level)) {
        list.open(blocks_.take(next), next);
        slice.bytes += block_bytes(next);
        bytes_ += block_bytes(next);
        return;
      }
      make_table(slice, level, scratch);
    }
    const unsigned next = waiting_class(level);
    if (list.blocks() * block_bytes(next) >= kWaitingBytes >> level) empty_lists(slice, scratch);
    list.open(blocks_.take(next), next);
  }

  void make_table(SliceRows<Key>& slice, unsigned level, TableScratch<Key>& scratch) {
    slice.table = std::make_unique<SliceBinTable<Key>>(level, most_narrow_);
    bytes_ += table_bytes(level) - slice.bytes;
    slice.bytes = 0;
    empty_lists(slice, scratch);
  }

  void empty_lists(SliceRows<Key>& slice, TableScratch<Key>& scratch) {
    if (slice.lists[0].block == nullptr && slice.lists[1].block == nullptr) return;
    slice.table->add(slice.lists, blocks_, scratch);
    for (KeyList<Key>& list : slice.lists) list.clear(blocks_);
  }

  std::vector<SliceRows<Key>> slices_;
  Blocks blocks_;
  std::uint64_t most_narrow_;
  std::size_t bytes_ = 0;
};

}  // namespace confmat
