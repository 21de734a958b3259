// Sums of the rows of each bin and class.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "confmat/base/sum2.hpp"
#include "confmat/kernels/wide_loop.hpp"
#include "sweep_entries.hpp"

namespace confmat {

// Which bins may hold something, by groups of neighbours: a few rows are found again without a look
// at every bin.
class BinGroups {
 public:
  explicit BinGroups(std::size_t bins) : bins_(bins), marked_((bins >> kBits) + 1) {}

  static std::size_t of(std::size_t bin) noexcept { return bin >> kBits; }
  [[nodiscard]] std::size_t bins() const noexcept { return bins_; }
  [[nodiscard]] std::span<std::uint8_t> marks() noexcept { return marked_; }
  void mark(std::size_t bin) noexcept { marked_[of(bin)] = 1; }
  void mark_all() noexcept { std::fill(marked_.begin(), marked_.end(), std::uint8_t{1}); }
  // Calls visit(bin) for each bin of a marked group, ascending.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::size_t group = 0; group < marked_.size(); ++group) {
      if (marked_[group] == 0) continue;
      const std::size_t end = std::min((group + 1) << kBits, bins_);
      for (std::size_t bin = group << kBits; bin < end; ++bin) visit(bin);
    }
  }

 private:
  static constexpr unsigned kBits = 8;
  std::size_t bins_;
  std::vector<std::uint8_t> marked_;
};

// Of float weights: their sum, and that of their squares.
struct WeightedSum2 {
  Sum2 sum;
  Sum2 squares;

  void add(double weight) noexcept {
    sum.add(weight);
    squares.add(weight * weight);
  }
  void add(const WeightedSum2& other) noexcept {
    sum.add(other.sum);
    squares.add(other.squares);
  }
  [[nodiscard]] double value() const noexcept { return sum.value(); }
};

// The system gives zeroed memory page by page: what stays empty is free.
// Of floats, sums are WeightedSum2: rounded, they are the same in any order of the rows.
template <class Sum>
class BinTable {
 public:
  static constexpr bool kHasWeights = std::is_same_v<Sum, WeightedSum2>;
  using Value = std::conditional_t<kHasWeights, double, Sum>;

  explicit BinTable(std::size_t bins)
      : cells_(static_cast<Sum*>(std::calloc(bins * 2, sizeof(Sum)))), groups_(bins) {
    if (cells_ == nullptr) throw std::bad_alloc();
    by_turns_.fill(cells_.get());
    if (kHasWeights || bins * 2 > kFewCells) return;
    others_.resize((kTurns - 1) * bins * 2);
    for (std::size_t i = 1; i < kTurns; ++i) by_turns_[i] = others_.data() + (i - 1) * bins * 2;
  }

  // Says how many rows will be added before the next move: of many, every bin is looked at.
  void expect(std::int64_t rows) noexcept {
    if (rows < static_cast<std::int64_t>(groups_.bins())) return;
    if (!all_marked_) groups_.mark_all();
    all_marked_ = true;
  }

  // Calls see(bin, key) for each row.
  template <class Bins, class Key, class Weight, class See>
  void add(const Bins& bins, const RowBlock<Key, Weight>& block, See&& see) noexcept {
    // Bytes are written: nothing is reloaded.
    const std::size_t rows = block.n;
    const Key* const keys = block.keys;
    const std::uint8_t* const positive = block.positive;
    for (std::size_t first = 0; first < rows; first += kAtOnce) {
      const std::size_t n = std::min(kAtOnce, rows - first);
      std::uint32_t cells[kAtOnce];
      wide_loop([&bins, first_key = keys + first, sides = positive + first, n, to = cells] {
        find_cells(bins, first_key, sides, n, to);
      });
      for (std::size_t i = 0; i < n; ++i) see(cells[i] >> 1U, keys[first + i]);
      if (!all_marked_) mark(cells, n);
      if constexpr (std::is_same_v<Weight, Unweighted>) {
        count(cells, n, [&](std::size_t i) { block.look_ahead(first + i); });
      } else {
        for (std::size_t i = 0; i < n; ++i)
          add_to(cells_.get()[cells[i]], block.weights[first + i]);
      }
    }
  }

  // Moves all sums to `total`, which may have wider ones.
  template <class Wider>
  void move_to(BinTable<Wider>& total) noexcept {
    put_together();
    groups_.for_each([&](std::size_t bin) {
      if (!used(bin)) return;
      total.groups().mark(bin);
      for (const std::size_t cell : {bin * 2, bin * 2 + 1}) {
        total.add_cell(cell, std::exchange(cells_.get()[cell], Sum{}));
      }
    });
  }
  template <class More>
  void add_cell(std::size_t cell, const More& more) noexcept {
    add_to(cells_.get()[cell], more);
  }
  [[nodiscard]] BinGroups& groups() noexcept { return groups_; }

  // Calls visit(bin) for each bin that holds something, ascending.
  template <class Visit>
  void for_each_used(Visit&& visit) const {
    groups_.for_each([&](std::size_t bin) {
      if (used(bin)) visit(bin);
    });
  }
  [[nodiscard]] Value of(std::size_t bin, std::size_t positive) const noexcept {
    const Sum& sum = cells_.get()[bin * 2 + positive];
    if constexpr (kHasWeights) {
      return sum.value();
    } else {
      return sum;
    }
  }
  // Of the weights.
  [[nodiscard]] double squares_of(std::size_t bin, std::size_t positive) const noexcept {
    return cells_.get()[bin * 2 + positive].squares.value();
  }
  [[nodiscard]] bool used(std::size_t bin) const noexcept {
    return of(bin, 0) != 0 || of(bin, 1) != 0;
  }
  [[nodiscard]] std::size_t used() const noexcept {
    std::size_t n = 0;
    for_each_used([&](std::size_t) { ++n; });
    return n;
  }

 private:
  static constexpr std::size_t kAtOnce = 512;
  static constexpr std::size_t kTurns = 4;
  static constexpr std::size_t kFewCells = 2048;

  template <class Bins, class Key>
  static void find_cells(const Bins& bins, const Key* keys, const std::uint8_t* sides,
                         std::size_t n, std::uint32_t* cells) noexcept {
    if constexpr (Bins::kFindsTogether) {
      bins.bins(keys, n, cells);
      for (std::size_t i = 0; i < n; ++i) cells[i] = cells[i] * 2 + sides[i];
    } else {
      for (std::size_t i = 0; i < n; ++i) {
        cells[i] = static_cast<std::uint32_t>(bins.bin(keys[i])) * 2 + sides[i];
      }
    }
  }
  void mark(const std::uint32_t* cells, std::size_t n) noexcept {
    const auto groups = groups_.marks();
    for (std::size_t i = 0; i < n; ++i) groups[BinGroups::of(cells[i] >> 1U)] = 1;
  }
  // Two cells are read at a time: what they are added to waits for nothing else, where cells are
  // few not even for the rows just before. Meanwhile the memory of the rows that come next is asked
  // for.
  template <class LookAhead>
  void count(const std::uint32_t* cells, std::size_t n, const LookAhead& look_ahead) noexcept {
    constexpr std::size_t kTogether = 2 * kTurns;
    const auto [table, second, third, fourth] = by_turns_;
    std::size_t i = 0;
    for (; i + kTogether <= n; i += kTogether) {
      look_ahead(i);
      std::uint64_t two[kTogether / 2];
      std::memcpy(two, cells + i, sizeof two);
      for (std::size_t j = 0; j < kTogether / 2; j += 2) {
        ++table[two[j] & 0xFFFFFFFFU];
        ++second[two[j] >> 32U];
        ++third[two[j + 1] & 0xFFFFFFFFU];
        ++fourth[two[j + 1] >> 32U];
      }
    }
    for (; i < n; ++i) ++table[cells[i]];
  }
  void put_together() noexcept {
    const std::size_t cells = others_.size() / (kTurns - 1);
    for (std::size_t i = 0; i < others_.size(); ++i) {
      add_to(cells_.get()[i % cells], std::exchange(others_[i], Sum{}));
    }
  }

  template <class More>
  static void add_to(Sum& sum, const More& more) noexcept {
    if constexpr (kHasWeights) {
      sum.add(more);
    } else {
      sum += more;
    }
  }

  struct Free {
    void operator()(Sum* p) const noexcept { std::free(p); }
  };
  std::unique_ptr<Sum, Free> cells_;
  std::vector<Sum> others_;            // of few cells: kTurns - 1 tables more
  std::array<Sum*, kTurns> by_turns_;  // where rows are counted, one after the other
  BinGroups groups_;
  bool all_marked_ = false;
};

}  // namespace confmat
