// The sweeps of slices in bins, made of their lists or tables.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "bin_counter.hpp"
#include "confmat/scores/score_key.hpp"
#include "confmat/state/sweep.hpp"
#include "slice_bin_table.hpp"
#include "slice_lists.hpp"

namespace confmat {

// What one thread counts listed rows in, one slice after the other.
template <class Key>
class SliceSweeps {
  using Score = decltype(score_of(Key{}));

 public:
  // Of slices with more rows than `most_narrow` counts have 64 bits.
  SliceSweeps(unsigned level, std::uint64_t most_narrow)
      : most_narrow_(most_narrow),
        counter_(level),
        used_(counter_.size() / 64 + 1),
        words_(used_.size() / 64 + 1) {}

  // Gives `out` the bins, amounts and scores of a slice without rows that wait for its table. They
  // stay until the next call.
  void fill(SliceRows<Key>& slice, Sweep& out) {
    out.is_exact = true;
    slice.table != nullptr ? fill_from_table(*slice.table, out) : fill_from_lists(slice, out);
  }

 private:
  void fill_from_table(SliceBinTable<Key>& table, Sweep& out) {
    if (table.rows() > most_narrow_) {
      std::vector<std::uint32_t> bins;
      std::vector<std::uint64_t> amounts[2];
      table.for_each_used([&](std::uint32_t bin, const std::uint64_t (&rows)[2]) {
        bins.push_back(bin);
        for (std::size_t side = 0; side < 2; ++side) amounts[side].push_back(rows[side]);
      });
      out.bins = std::move(bins);
      out.negatives = SharedArray<std::uint64_t>(std::move(amounts[0]));
      out.positives = SharedArray<std::uint64_t>(std::move(amounts[1]));
    } else {
      table.list(of_table_);
      lend(of_table_.places(), of_table_.low(), of_table_.high(), out);
    }
    out.is_exact = table.scores().has_value();
    if (!out.is_exact) return;
    std::vector<Key> keys = *table.scores();
    std::ranges::sort(keys, std::greater<>());
    std::vector<Score> scores;
    for (const Key key : keys) scores.push_back(score_of(key));
    out.scores = SharedArray<Score>(std::move(scores));
  }

  void fill_from_lists(const SliceRows<Key>& slice, Sweep& out) {
    std::size_t rows = 0;
    for (const auto& list : slice.lists)
      list.for_each_block([&](const Key*, auto n) { rows += n; });
    const bool marks = !counter_.is_worth(rows);
    for (std::size_t side = 0; side < 2; ++side) {
      slice.lists[side].for_each_block([&](const Key* keys, std::size_t n) {
        counter_.count(keys, n, side,
                       [&](const std::uint32_t* bins, const Key* of, std::size_t some) {
                         note(bins, of, some, marks, out.is_exact);
                       });
      });
    }
    const CellLists& found =
        marks ? counter_.take([&](const auto& visit) { for_each_marked(visit); }) : counter_.take();
    lend(found.places(), found.high(), found.low(), out);
    if (out.is_exact) {
      std::vector<Score> scores;
      scores.reserve(found.places().size());
      for (const std::uint32_t bin : found.places()) scores.push_back(score_of(held_.of(bin)));
      out.scores = SharedArray<Score>(std::move(scores));
    }
    held_.clear();
  }

  using Numbers = std::span<const std::uint32_t>;
  static void lend(Numbers bins, Numbers negatives, Numbers positives, Sweep& out) {
    out.bins = SharedArray<std::uint32_t>(nullptr, bins);
    out.negatives = SharedArray<std::uint32_t>(nullptr, negatives);
    out.positives = SharedArray<std::uint32_t>(nullptr, positives);
  }

  void note(const std::uint32_t* bins, const Key* keys, std::size_t n, bool marks, bool& is_exact) {
    for (std::size_t i = 0; i < n && is_exact; ++i) is_exact = held_.put(bins[i], keys[i]);
    for (std::size_t i = 0; i < n && marks; ++i) {
      const std::size_t bin = bins[i];
      used_[bin / 64] |= std::uint64_t{1} << (bin % 64);
      words_[bin / 4096] |= std::uint64_t{1} << (bin / 64 % 64);
    }
  }
  // Calls visit(bin) for the bins that are marked, descending; then there are none.
  template <class Visit>
  void for_each_marked(const Visit& visit) {
    for (std::size_t group = words_.size(); group-- > 0;) {
      for_each_bit(std::exchange(words_[group], 0), group, [&](std::size_t word) {
        for_each_bit(std::exchange(used_[word], 0), word, visit);
      });
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

  std::uint64_t most_narrow_;
  BinCounter<Key> counter_;
  BinKeys<Key> held_;
  std::vector<std::uint64_t> used_;   // a bit a bin, where rows are few
  std::vector<std::uint64_t> words_;  // a bit for 64 bins
  CellLists of_table_;                // of the last one
};

}  // namespace confmat
