// The counts of one slice with many rows: a table of all bins of a level, in pages that are there
// once a row lies in them, and the score of each bin while none has a second one.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "bin_counter.hpp"
#include "confmat/kernels/cell_lists.hpp"
#include "confmat/scores/unit_bins.hpp"
#include "slice_blocks.hpp"
#include "slice_keys.hpp"

namespace confmat {

// What a thread needs for one table after the other.
template <class Key>
class TableScratch {
 public:
  BinKeys<Key> keys;
  BinCounter<Key>& counter(unsigned level) {
    if (!counter_ || counter_->level() != level) counter_.emplace(level);
    return *counter_;
  }

 private:
  std::optional<BinCounter<Key>> counter_;
};

template <class Key>
class SliceBinTable {
 public:
  // Beyond so many rows counts have 64 bits.
  SliceBinTable(unsigned level, std::uint64_t most_narrow)
      : level_(level), most_narrow_(most_narrow) {
    lay_out(false);
  }
  SliceBinTable(const SliceBinTable&) = delete;
  SliceBinTable& operator=(const SliceBinTable&) = delete;
  ~SliceBinTable() = default;  // its pages go with all blocks

  [[nodiscard]] std::uint64_t rows() const noexcept { return counted_[0] + counted_[1]; }
  // The scores of the bins in use; none: one has several.
  [[nodiscard]] const std::optional<std::vector<Key>>& scores() const noexcept { return scores_; }

  // Adds the rows of a list of each class.
  void add(const KeyList<Key> (&lists)[2], Blocks& blocks, TableScratch<Key>& scratch) {
    const std::size_t rows_of[] = {lists[0].size(), lists[1].size()};
    const std::size_t n = rows_of[0] + rows_of[1];
    if (!is_wide_ && rows() + n > most_narrow_) widen(blocks);
    if (scores_) note_scores(lists, scratch.keys);
    BinCounter<Key>& counter = scratch.counter(level_);
    const bool at_once = counter.is_worth(n);
    for (std::size_t side = 0; side < 2; ++side) {
      lists[side].for_each_block([&](const Key* keys, std::size_t some) {
        at_once ? counter.count(keys, some, side, [](auto...) {})
                : add_keys(keys, some, side, blocks);
      });
      counted_[side] += rows_of[side];
    }
    if (!at_once) return;
    const CellLists& found = counter.take();
    for (const std::uint32_t bin : found.places()) open_for(bin, blocks);
    is_wide_ ? add_counts<std::uint64_t>(found) : add_counts<std::uint32_t>(found);
  }

  // Joins its bins to those of a coarser level.
  void coarsen(unsigned level, Blocks& blocks, BinKeys<Key>& held) {
    const UnitJoin join(level_, level);
    rebuild(level, is_wide_, blocks, [&](std::uint32_t bin) { return join(bin); });
    if (!scores_) return;
    note_scores({{}, {}}, held);
  }

  // Calls visit(bin, negatives, positives) for each bin in use, descending.
  template <class Visit>
  void for_each_used(Visit&& visit) const {
    is_wide_ ? each_used<std::uint64_t>(pages_, shift_, visit)
             : each_used<std::uint32_t>(pages_, shift_, visit);
  }
  // Whether counts have 64 bits.
  [[nodiscard]] bool is_wide() const noexcept { return is_wide_; }
  // Lists bins in use, descending; low counts are of negatives. Needs: counts have 32 bits.
  void list(CellLists& out) const {
    std::array<std::uint64_t, std::size_t{1} << kMostShift> cells;
    const std::size_t n = std::size_t{1} << shift_;
    out.clear();
    for (std::size_t page = pages_.size(); page-- > 0;) {
      if (pages_[page] == nullptr) continue;
      std::memcpy(cells.data(), pages_[page], n * sizeof(std::uint64_t));
      out.take(cells.data(), n, static_cast<std::uint32_t>((page + 1) * n - 1));
    }
  }

 private:
  static constexpr unsigned kMostShift = 10;   // bins of the largest blocks, as a power of two
  static constexpr unsigned kLargeLevels = 7;  // that have so many bins

  using PageList = std::vector<std::byte*>;

  void lay_out(bool wide) {
    is_wide_ = wide;
    const unsigned fewer = level_ > kLargeLevels ? level_ - kLargeLevels : 0;
    shift_ = kMostShift - fewer - (wide ? 1 : 0);
    pages_.assign((unit_level(level_).size >> shift_) + 1, nullptr);
  }
  [[nodiscard]] unsigned size_class() const noexcept {
    const unsigned fewer = level_ > kLargeLevels ? level_ - kLargeLevels : 0;
    return kLargest - fewer;
  }
  static void give_back(PageList& pages, unsigned size_class, Blocks& blocks) {
    for (std::byte*& page : pages) {
      if (page != nullptr) blocks.give(std::exchange(page, nullptr), size_class);
    }
  }
  void open_for(std::uint32_t bin, Blocks& blocks) {
    if (pages_[bin >> shift_] == nullptr) open_page(bin >> shift_, blocks);
  }
  void open_page(std::size_t page, Blocks& blocks) {
    pages_[page] = blocks.take(size_class());
    std::memset(pages_[page], 0, block_bytes(size_class()));
  }
  // The highest bin of a page comes first.
  template <class Count>
  [[nodiscard]] Count* cell(std::uint32_t bin, std::size_t side) const noexcept {
    auto* const page = reinterpret_cast<Count*>(pages_[bin >> shift_]);
    return page + std::size_t{~bin & ((1U << shift_) - 1)} * 2 + side;
  }

  void add_keys(const Key* keys, std::size_t n, std::size_t side, Blocks& blocks) {
    each_bin_of(keys, n, [&](const std::uint32_t* bins, const Key*, std::size_t some) {
      for (std::size_t i = 0; i < some; ++i) open_for(bins[i], blocks);
      is_wide_ ? count<std::uint64_t>(bins, some, side) : count<std::uint32_t>(bins, some, side);
      return true;
    });
  }
  template <class Count>
  void add_counts(const CellLists& found) noexcept {
    const auto bins = found.places(), negatives = found.high(), positives = found.low();
    for (std::size_t i = 0; i < bins.size(); ++i) {
      Count* const of = cell<Count>(bins[i], 0);
      of[0] += negatives[i];
      of[1] += positives[i];
    }
  }
  template <class Count>
  void count(const std::uint32_t* bins, std::size_t n, std::size_t side) noexcept {
    constexpr std::size_t kAhead = 24;
    for (std::size_t i = 0; i < n; ++i) {
      if (i + kAhead < n) __builtin_prefetch(cell<Count>(bins[i + kAhead], side), 1);
      ++*cell<Count>(bins[i], side);
    }
  }

  // Whether each bin still has one score, and which.
  void note_scores(const KeyList<Key> (&lists)[2], BinKeys<Key>& held) {
    bool is_single = put_all(scores_->data(), scores_->size(), held);
    for (const KeyList<Key>& list : lists) {
      list.for_each_block(
          [&](const Key* keys, std::size_t n) { is_single = is_single && put_all(keys, n, held); });
    }
    if (is_single) {
      scores_ = held.take();
    } else {
      scores_.reset();
      held.clear();
    }
  }
  bool put_all(const Key* keys, std::size_t n, BinKeys<Key>& held) const {
    return each_bin_of(keys, n, [&](const std::uint32_t* bins, const Key* of, std::size_t some) {
      for (std::size_t i = 0; i < some; ++i) {
        if (!held.put(bins[i], of[i])) return false;
      }
      return true;
    });
  }

  // Calls visit(bins, keys, n) for some keys after others as long as it returns true.
  template <class Visit>
  bool each_bin_of(const Key* keys, std::size_t n, const Visit& visit) const {
    const UnitBins<Key> bins(level_);
    std::uint32_t found[kBinsAtOnce];
    for (std::size_t first = 0; first < n; first += kBinsAtOnce) {
      const std::size_t some = std::min(kBinsAtOnce, n - first);
      bins.bins(keys + first, some, found);
      if (!visit(found, keys + first, some)) return false;
    }
    return true;
  }

  void widen(Blocks& blocks) {
    rebuild(level_, true, blocks, [](std::uint32_t bin) { return bin; });
  }
  // Counts again what it holds, in other bins or wider cells.
  template <class BinOf>
  void rebuild(unsigned level, bool wide, Blocks& blocks, const BinOf& bin_of) {
    PageList before = std::exchange(pages_, {});
    const unsigned shift = shift_;
    const unsigned before_class = size_class();
    const bool was_wide = is_wide_;
    level_ = level;
    lay_out(wide);
    const auto move = [&](std::uint32_t bin, std::uint64_t negatives, std::uint64_t positives) {
      const std::uint32_t to = bin_of(bin);
      open_for(to, blocks);
      const std::uint64_t more[] = {negatives, positives};
      for (std::size_t side = 0; side < 2; ++side) {
        if (wide) {
          *cell<std::uint64_t>(to, side) += more[side];
        } else {
          *cell<std::uint32_t>(to, side) += static_cast<std::uint32_t>(more[side]);
        }
      }
    };
    was_wide ? each_used<std::uint64_t>(before, shift, move)
             : each_used<std::uint32_t>(before, shift, move);
    give_back(before, before_class, blocks);
  }

  template <class Count, class Visit>
  static void each_used(const PageList& pages, unsigned shift, Visit&& visit) {
    for (std::size_t page = pages.size(); page-- > 0;) {
      if (pages[page] == nullptr) continue;
      const auto* const cells = reinterpret_cast<const Count*>(pages[page]);
      const std::size_t last = ((page + 1) << shift) - 1;
      for (std::size_t at = 0; at < std::size_t{1} << shift; ++at) {
        const Count negatives = cells[2 * at];
        const Count positives = cells[2 * at + 1];
        if ((negatives | positives) == 0) continue;
        visit(static_cast<std::uint32_t>(last - at), negatives, positives);
      }
    }
  }

  unsigned level_;
  std::uint64_t most_narrow_;
  bool is_wide_ = false;
  unsigned shift_ = 0;
  PageList pages_;
  std::uint64_t counted_[2] = {0, 0};  // negatives, positives
  std::optional<std::vector<Key>> scores_ = std::vector<Key>();
};

}  // namespace confmat
