// Keys of scores counted by bins and class in a table of all bins of a level, which stays in a
// cache: one list after the other.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "confmat/kernels/cell_lists.hpp"
#include "confmat/kernels/wide_loop.hpp"
#include "confmat/scores/unit_bins.hpp"

namespace confmat {

template <class Key>
class BinCounter {
 public:
  explicit BinCounter(unsigned level) : level_(level), bins_(level), cells_(bins_.size()) {}

  [[nodiscard]] unsigned level() const noexcept { return level_; }
  [[nodiscard]] std::size_t size() const noexcept { return cells_.size(); }
  // Whether so many rows are worth a look at all bins between those that they have.
  [[nodiscard]] bool is_worth(std::size_t rows) const noexcept { return rows >= size() / 16; }

  // Counts rows of a class (0: negative); calls note(bins, keys, n) for some after others. Needs:
  // fewer than 2^32 rows.
  template <class Note>
  void count(const Key* keys, std::size_t n, std::size_t side, const Note& note) {
    std::uint32_t found[kBinsAtOnce];
    std::uint64_t* const lowest = &cells_.back();
    const std::uint64_t row = std::uint64_t{1} << (side == 0 ? 32U : 0U);
    for (std::size_t first = 0; first < n; first += kBinsAtOnce) {
      const std::size_t some = std::min(kBinsAtOnce, n - first);
      bins_.bins(keys + first, some, found);
      widen(found, some);
      note(found, keys + first, some);
      for (std::size_t i = 0; i < some; ++i) *(lowest - found[i]) += row;
    }
  }
  // The bins with rows, descending; low counts are of positives, high ones of negatives. Then there
  // are none; what is returned stays until the next ones.
  const CellLists& take() {
    found_.clear();
    if (least_ <= most_) {
      found_.take(&cells_[lowest_place() - most_], std::size_t{most_} - least_ + 1, most_);
    }
    forget_range();
    return found_;
  }
  // The same, where for_each_bin(visit) calls visit(bin) for all bins with rows, descending.
  template <class ForEachBin>
  const CellLists& take(const ForEachBin& for_each_bin) {
    found_.clear();
    for_each_bin([&](std::size_t bin) {
      const auto place = static_cast<std::uint32_t>(bin);
      found_.put(place, std::exchange(cells_[lowest_place() - place], 0));
    });
    forget_range();
    return found_;
  }

 private:
  void widen(const std::uint32_t* bins, std::size_t n) noexcept {
    wide_loop([=, this] {
      std::uint32_t least = least_, most = most_;
      for (std::size_t i = 0; i < n; ++i) {
        least = std::min(least, bins[i]);
        most = std::max(most, bins[i]);
      }
      least_ = least;
      most_ = most;
    });
  }
  void forget_range() noexcept {
    least_ = UINT32_MAX;
    most_ = 0;
  }
  [[nodiscard]] std::uint32_t lowest_place() const noexcept {
    return static_cast<std::uint32_t>(cells_.size() - 1);
  }

  unsigned level_;
  UnitBins<Key> bins_;
  std::vector<std::uint64_t> cells_;  // the highest bin first: positives, 2^32 times negatives
  std::uint32_t least_ = UINT32_MAX, most_ = 0;  // of the bins with rows
  CellLists found_;
};

}  // namespace confmat
