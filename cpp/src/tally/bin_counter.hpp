// Keys of scores counted by bins and class in a table of all bins of a level, which stays in a
// cache: one list after the other.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "confmat/kernels/table.hpp"
#include "confmat/scores/unit_bins.hpp"

namespace confmat {

// Of a key each; at a time, as kernels take them.
inline constexpr std::size_t kBinsAtOnce = 512;

template <class Key>
class BinCounter {
 public:
  // Bins with rows, descending, and their negatives and positives. They stay until the next ones.
  struct Found {
    std::span<const std::uint32_t> bins, negatives, positives;
  };

  explicit BinCounter(unsigned level) : level_(level), bins_(level), cells_(bins_.size()) {}

  [[nodiscard]] unsigned level() const noexcept { return level_; }
  [[nodiscard]] std::size_t size() const noexcept { return cells_.size(); }
  // Whether so many rows are worth a look at all bins.
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
      note(found, keys + first, some);
      for (std::size_t i = 0; i < some; ++i) *(lowest - found[i]) += row;
    }
  }
  // Then there are none. `rows`: at least as many as were counted.
  Found take(std::size_t rows) {
    make_room(rows);
    return found(kernels().take_pairs(cells_.data(), cells_.size(), lowest_place(),
                                      lists_[0].data(), lists_[2].data(), lists_[1].data()));
  }
  // The same, where for_each_bin(visit) calls visit(bin) for all bins with rows, descending.
  template <class ForEachBin>
  Found take(std::size_t rows, const ForEachBin& for_each_bin) {
    make_room(rows);
    std::size_t n = 0;
    for_each_bin([&](std::size_t bin) {
      const std::uint64_t counts = std::exchange(cells_[lowest_place() - bin], 0);
      lists_[0][n] = static_cast<std::uint32_t>(bin);
      lists_[1][n] = static_cast<std::uint32_t>(counts >> 32U);
      lists_[2][n++] = static_cast<std::uint32_t>(counts);
    });
    return found(n);
  }

 private:
  void make_room(std::size_t rows) {
    const std::size_t most = std::min(rows, size()) + kPairsBeyond;
    for (auto& list : lists_) {
      if (list.size() < most) list.resize(most);
    }
  }
  [[nodiscard]] Found found(std::size_t n) const noexcept {
    const auto first = [n](const auto& list) { return std::span(list).first(n); };
    return {first(lists_[0]), first(lists_[1]), first(lists_[2])};
  }
  [[nodiscard]] std::uint32_t lowest_place() const noexcept {
    return static_cast<std::uint32_t>(cells_.size() - 1);
  }

  unsigned level_;
  UnitBins<Key> bins_;
  std::vector<std::uint64_t> cells_;  // the highest bin first: positives, 2^32 times negatives
  std::array<std::vector<std::uint32_t>, 3> lists_;
};

}  // namespace confmat
