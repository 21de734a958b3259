// The counts of one slice with many rows: a byte for each bin of a level and class, in pages that
// are there once a row lies in them, and the score of each bin while none has a second one.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "confmat/kernels/cell_lists.hpp"
#include "confmat/kernels/wide_loop.hpp"
#include "confmat/scores/unit_bins.hpp"
#include "full_bytes.hpp"
#include "slice_blocks.hpp"
#include "slice_keys.hpp"

namespace confmat {

template <class Key>
class SliceBinTable {
 public:
  // What it takes at a level where no count is beyond a byte, and what more after so many rows.
  static std::size_t bytes(unsigned level) noexcept {
    return 2 * std::size_t{unit_level(level).size};
  }
  static std::size_t most_beyond(std::uint64_t rows, unsigned level) noexcept {
    return FullBytes::most_bytes(rows, all_bins(level));
  }

  explicit SliceBinTable(unsigned level) { lay_out(level); }
  SliceBinTable(const SliceBinTable&) = delete;
  SliceBinTable& operator=(const SliceBinTable&) = delete;
  ~SliceBinTable() = default;  // its pages go with all blocks

  [[nodiscard]] std::uint64_t rows() const noexcept { return rows_; }
  // The scores of the bins in use; none: one has several.
  [[nodiscard]] const std::optional<std::vector<Key>>& scores() const noexcept { return scores_; }

  // Adds the rows of a list of each class.
  void add(const KeyList<Key> (&lists)[2], Blocks& blocks, BinKeys<Key>& held) {
    if (scores_) note_scores(lists, held);
    request();
    for (std::size_t side = 0; side < 2; ++side) {
      lists[side].for_each_block([&](const Key* keys, std::size_t n) {
        each_bin_of(keys, n, [&](const std::uint32_t* bins, const Key*, std::size_t some) {
          count(bins, some, side, blocks);
          return true;
        });
        rows_ += n;
      });
    }
  }

  // Joins its bins to those of a coarser level.
  void coarsen(unsigned level, Blocks& blocks, BinKeys<Key>& held) {
    const UnitJoin join(level_, level);
    std::vector<std::byte*> before = std::exchange(pages_, {});
    FullBytes full = std::move(full_);
    const unsigned shift = shift_, size_class = size_class_;
    lay_out(level);
    each_used(before, shift, full, [&](std::uint32_t bin, const std::uint64_t (&rows)[2]) {
      for (std::size_t side = 0; side < 2; ++side) put(join(bin), side, rows[side], blocks);
    });
    for (std::byte* page : before) {
      if (page != nullptr) blocks.give(page, size_class);
    }
    if (scores_) note_scores({{}, {}}, held);
  }

  // Calls visit(bin, {negatives, positives}) for each bin in use, descending.
  template <class Visit>
  void for_each_used(const Visit& visit) {
    each_used(pages_, shift_, full_, visit);
  }
  // Lists bins in use, descending; low counts are of negatives. Needs: fewer than 2^32 rows.
  void list(CellLists& out) {
    out.clear();
    std::array<std::uint64_t, kMostCells> cells;
    each_page(pages_, shift_, full_, [&](const std::uint8_t* page, std::uint32_t last, auto fulls) {
      const std::size_t n = std::size_t{1} << shift_;
      std::uint64_t* const to = cells.data();
      wide_loop([=] {
        for (std::size_t i = 0; i < n; ++i) {
          to[i] = page[2 * i] | std::uint64_t{page[2 * i + 1]} << 32U;
        }
      });
      for (const auto& [cell, times] : fulls) {
        to[last - cell / 2] += (times * 256) << (cell % 2 == 0 ? 0U : 32U);
      }
      out.take(to, n, last);
    });
  }

 private:
  static constexpr unsigned kMostShift = 12;  // bins of the largest blocks, as a power of two
  static constexpr std::size_t kMostCells = std::size_t{1} << kMostShift;
  static_assert(2 * kMostCells == block_bytes(kLargest));
  // With that of infinity.
  static std::size_t all_bins(unsigned level) noexcept {
    return std::size_t{unit_level(level).size} + 1;
  }
  static constexpr unsigned kLargeLevels = 4;  // that have so many bins

  void lay_out(unsigned level) {
    const unsigned fewer = level > kLargeLevels ? level - kLargeLevels : 0;
    level_ = level;
    shift_ = kMostShift - fewer;
    size_class_ = kLargest - fewer;
    pages_.assign((unit_level(level).size >> shift_) + 1, nullptr);
    full_ = FullBytes(all_bins(level));
  }
  // Asks for the whole table.
  void request() const noexcept {
    for (const std::byte* page : pages_) {
      if (page == nullptr) continue;
      for (std::size_t at = 0; at < block_bytes(size_class_); at += 64) {
        __builtin_prefetch(page + at, 1, 2);
      }
    }
  }
  // Counts of the page of a bin, the highest bin first: negatives, positives.
  std::uint8_t* page_of(std::uint32_t bin, Blocks& blocks) {
    std::byte*& page = pages_[bin >> shift_];
    if (page == nullptr) {
      page = blocks.take(size_class_);
      std::memset(page, 0, block_bytes(size_class_));
    }
    return reinterpret_cast<std::uint8_t*>(page);
  }
  [[nodiscard]] std::size_t place(std::uint32_t bin, std::size_t side) const noexcept {
    return std::size_t{~bin & ((1U << shift_) - 1)} * 2 + side;
  }

  void count(const std::uint32_t* bins, std::size_t n, std::size_t side, Blocks& blocks) {
    std::uint32_t cells[kBinsAtOnce];
    const std::uint32_t flip = (1U << shift_) - 1, last = static_cast<std::uint32_t>(side);
    wide_loop([=, to = cells] {
      for (std::size_t i = 0; i < n; ++i) to[i] = (bins[i] ^ flip) * 2 + last;
    });
    // Bytes may be anything to a compiler, so what does not change has a name.
    std::byte* const* const pages = pages_.data();
    const unsigned shift = shift_ + 1;
    const std::uint32_t mask = (1U << shift) - 1;
    for (std::size_t i = 0; i < n; ++i) {
      auto* page = reinterpret_cast<std::uint8_t*>(pages[cells[i] >> shift]);
      if (page == nullptr) page = page_of(bins[i], blocks);
      if (++page[cells[i] & mask] == 0) full_.add(bins[i], side, 1);
    }
  }
  void put(std::uint32_t bin, std::size_t side, std::uint64_t rows, Blocks& blocks) {
    std::uint8_t& held = page_of(bin, blocks)[place(bin, side)];
    const std::uint64_t sum = held + rows;
    held = static_cast<std::uint8_t>(sum);
    if (sum >= 256) full_.add(bin, side, sum / 256);
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

  // Calls visit(page, last, fulls) for each page that is there, descending: its highest bin, and
  // which of its bytes were full.
  template <class Visit>
  static void each_page(const std::vector<std::byte*>& pages, unsigned shift, FullBytes& full,
                        const Visit& visit) {
    std::vector<FullBytes::Full> held;
    for (std::size_t at = pages.size(); at-- > 0;) {
      if (pages[at] == nullptr) continue;
      const auto last = static_cast<std::uint32_t>(((at + 1) << shift) - 1);
      visit(reinterpret_cast<const std::uint8_t*>(pages[at]), last,
            full.of_bins(static_cast<std::uint32_t>(at << shift), last, held));
    }
  }
  template <class Visit>
  static void each_used(const std::vector<std::byte*>& pages, unsigned shift, FullBytes& full,
                        const Visit& visit) {
    each_page(pages, shift, full, [&](const std::uint8_t* page, std::uint32_t last, auto fulls) {
      auto next = fulls.rbegin();
      for (std::size_t i = 0; i < std::size_t{1} << shift; ++i) {
        const auto bin = static_cast<std::uint32_t>(last - i);
        std::uint64_t rows[] = {page[2 * i], page[2 * i + 1]};
        for (; next != fulls.rend() && next->cell / 2 == bin; ++next) {
          rows[next->cell % 2] += next->times * 256;
        }
        if ((rows[0] | rows[1]) != 0) visit(bin, rows);
      }
    });
  }

  unsigned level_ = 0;
  unsigned shift_ = 0;
  unsigned size_class_ = 0;
  std::vector<std::byte*> pages_;
  FullBytes full_{0};
  std::uint64_t rows_ = 0;
  std::optional<std::vector<Key>> scores_ = std::vector<Key>();
};

}  // namespace confmat
