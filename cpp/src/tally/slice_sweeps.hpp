// The sweeps of slices in bins, made of their lists or tables.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "confmat/kernels/table.hpp"
#include "confmat/scores/score_key.hpp"
#include "confmat/scores/unit_bins.hpp"
#include "confmat/state/sweep.hpp"
#include "slice_bin_table.hpp"
#include "slice_lists.hpp"

namespace confmat {

// What one thread counts listed rows in, one slice after the other.
template <class Key>
class SliceSweeps {
  using Score = decltype(score_of(Key{}));

 public:
  explicit SliceSweeps(unsigned level)
      : bins_(level),
        cells_(bins_.size()),
        used_(bins_.size() / 64 + 1),
        words_(used_.size() / 64 + 1) {}

  // Gives `out` the bins, amounts and scores of a slice without rows that wait for its table.
  void fill(const SliceRows<Key>& slice, Sweep& out) {
    out.is_exact = true;
    slice.table != nullptr ? fill_from_table(*slice.table, out) : fill_from_lists(slice, out);
  }

 private:
  void fill_from_table(const SliceBinTable<Key>& table, Sweep& out) {
    std::vector<std::uint32_t> bins;
    std::vector<std::uint64_t> amounts[2];
    table.for_each_used([&](std::uint32_t bin, std::uint64_t negatives, std::uint64_t positives) {
      bins.push_back(bin);
      amounts[0].push_back(negatives);
      amounts[1].push_back(positives);
    });
    give(out, std::move(bins), amounts);
    out.is_exact = table.scores().has_value();
    if (!out.is_exact) return;
    std::vector<Key> keys = *table.scores();
    std::ranges::sort(keys, std::greater<>());
    std::vector<Score> scores;
    for (const Key key : keys) scores.push_back(score_of(key));
    out.scores = SharedArray<Score>(std::move(scores));
  }

  template <class Count>
  static void give(Sweep& out, std::vector<std::uint32_t> bins, std::vector<Count> (&amounts)[2]) {
    out.bins = SharedArray<std::uint32_t>(std::move(bins));
    out.negatives = SharedArray<Count>(std::move(amounts[0]));
    out.positives = SharedArray<Count>(std::move(amounts[1]));
  }

  void fill_from_lists(const SliceRows<Key>& slice, Sweep& out) {
    std::size_t rows = 0;
    for (const auto& list : slice.lists)
      list.for_each_block([&](const Key*, auto n) { rows += n; });
    const bool marks = rows < bins_.size() / kFewBins;
    for (std::size_t side = 0; side < 2; ++side) {
      slice.lists[side].for_each_block([&](const Key* keys, std::size_t n) {
        count(keys, n, std::uint64_t{1} << (side == 0 ? 32U : 0U), marks, out.is_exact);
      });
    }
    std::vector<std::uint32_t> bins(std::min(rows, bins_.size()) + kPairsBeyond);
    std::vector<std::uint32_t> amounts[2] = {bins, bins};
    const std::size_t found = marks ? take_marked(bins, amounts) : take_all(bins, amounts);
    for (auto* const of : {&bins, &amounts[0], &amounts[1]}) of->resize(found);
    if (out.is_exact) {
      std::vector<Score> scores;
      scores.reserve(found);
      for (const std::uint32_t bin : bins) scores.push_back(score_of(held_.of(bin)));
      out.scores = SharedArray<Score>(std::move(scores));
    }
    held_.clear();
    give(out, std::move(bins), amounts);
  }

  void count(const Key* keys, std::size_t n, std::uint64_t row, bool marks, bool& is_exact) {
    std::uint32_t found[kBinsAtOnce];
    std::uint64_t* const lowest = &cells_.back();
    for (std::size_t first = 0; first < n; first += kBinsAtOnce) {
      const std::size_t some = std::min(kBinsAtOnce, n - first);
      bins_.bins(keys + first, some, found);
      for (std::size_t i = 0; i < some && is_exact; ++i) {
        is_exact = held_.put(found[i], keys[first + i]);
      }
      for (std::size_t i = 0; i < some; ++i) *(lowest - found[i]) += row;
      for (std::size_t i = 0; i < some && marks; ++i) {
        const std::size_t bin = found[i];
        used_[bin / 64] |= std::uint64_t{1} << (bin % 64);
        words_[bin / 4096] |= std::uint64_t{1} << (bin / 64 % 64);
      }
    }
  }

  // Both give the bins with rows, descending, and their negatives and positives; then there are
  // none. They return how many.
  std::size_t take_all(std::vector<std::uint32_t>& bins, std::vector<std::uint32_t> (&amounts)[2]) {
    return kernels().take_pairs(cells_.data(), cells_.size(), lowest_place(), bins.data(),
                                amounts[1].data(), amounts[0].data());
  }
  std::size_t take_marked(std::vector<std::uint32_t>& bins,
                          std::vector<std::uint32_t> (&amounts)[2]) {
    std::size_t found = 0;
    for (std::size_t group = words_.size(); group-- > 0;) {
      for_each_bit(std::exchange(words_[group], 0), group, [&](std::size_t word) {
        for_each_bit(std::exchange(used_[word], 0), word, [&](std::size_t bin) {
          const std::uint64_t rows = std::exchange(cells_[lowest_place() - bin], 0);
          bins[found] = static_cast<std::uint32_t>(bin);
          amounts[0][found] = static_cast<std::uint32_t>(rows >> 32U);
          amounts[1][found++] = static_cast<std::uint32_t>(rows);
        });
      });
    }
    return found;
  }
  [[nodiscard]] std::uint32_t lowest_place() const noexcept {
    return static_cast<std::uint32_t>(cells_.size() - 1);
  }

  // Calls visit(64 * word + bit) for each bit, from the highest down.
  template <class Visit>
  static void for_each_bit(std::uint64_t bits, std::size_t word, const Visit& visit) {
    while (bits != 0) {
      const auto bit = static_cast<unsigned>(std::bit_width(bits)) - 1;
      bits ^= std::uint64_t{1} << bit;
      visit(64 * word + bit);
    }
  }

  static constexpr std::size_t kFewBins = 16;  // of which one has a row: fewer rows are few

  UnitBins<Key> bins_;
  BinKeys<Key> held_;
  std::vector<std::uint64_t> cells_;  // the highest bin first: positives, 2^32 times negatives
  std::vector<std::uint64_t> used_;   // a bit a bin, where rows are few
  std::vector<std::uint64_t> words_;  // a bit for 64 bins
};

}  // namespace confmat
