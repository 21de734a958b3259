// The sweeps of slices in bins, made of their lists or tables.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

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
        cells_(bins_.size() * 2),
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
    for (std::size_t side = 0; side < 2; ++side) {
      slice.lists[side].for_each_block([&](const Key* keys, std::size_t n) {
        rows += n;
        count(keys, n, side, out.is_exact);
      });
    }
    std::vector<std::uint32_t> bins, amounts[2];
    std::vector<Score> scores;
    const std::size_t most = std::min(rows, bins_.size());
    for (auto* const of : {&bins, &amounts[0], &amounts[1]}) of->reserve(most);
    if (out.is_exact) scores.reserve(most);
    for (std::size_t group = words_.size(); group-- > 0;) {
      for_each_bit(std::exchange(words_[group], 0), group, [&](std::size_t word) {
        for_each_bit(std::exchange(used_[word], 0), word, [&](std::size_t bin) {
          bins.push_back(static_cast<std::uint32_t>(bin));
          for (std::size_t side = 0; side < 2; ++side) {
            amounts[side].push_back(std::exchange(cells_[2 * bin + side], 0));
          }
          if (out.is_exact) scores.push_back(score_of(held_.of(static_cast<std::uint32_t>(bin))));
        });
      });
    }
    held_.clear();
    give(out, std::move(bins), amounts);
    if (out.is_exact) out.scores = SharedArray<Score>(std::move(scores));
  }

  void count(const Key* keys, std::size_t n, std::size_t side, bool& is_exact) {
    std::uint32_t found[kBinsAtOnce];
    for (std::size_t first = 0; first < n; first += kBinsAtOnce) {
      const std::size_t some = std::min(kBinsAtOnce, n - first);
      bins_.bins(keys + first, some, found);
      for (std::size_t i = 0; i < some && is_exact; ++i) {
        is_exact = held_.put(found[i], keys[first + i]);
      }
      for (std::size_t i = 0; i < some; ++i) {
        const std::size_t bin = found[i];
        ++cells_[2 * bin + side];
        used_[bin / 64] |= std::uint64_t{1} << (bin % 64);
        words_[bin / 4096] |= std::uint64_t{1} << (bin / 64 % 64);
      }
    }
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

  UnitBins<Key> bins_;
  BinKeys<Key> held_;
  std::vector<std::uint32_t> cells_;
  std::vector<std::uint64_t> used_;   // a bit a bin
  std::vector<std::uint64_t> words_;  // a bit for 64 bins
};

}  // namespace confmat
