// Keys and classes in memory of our own as runs of equal scores; memory is kept between calls.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "confmat/base/threads.hpp"
#include "confmat/batch/gather.hpp"
#include "confmat/kernels/table.hpp"
#include "sweep_bucket.hpp"
#include "sweep_partition.hpp"

namespace confmat {

template <class Key, class Weight>
class ListSweep {
 public:
  using Out = RunsOut<Key, Weight>;

  // Runs of all rows, valid until the next call; `size` says how many.
  // `dealt()` is called where the rows are very many, and not read again.
  // Needs: n < 2^32, and the rows do not change.
  template <class Dealt>
  Out run(const RowBlock<Key, Weight>& rows, int threads, std::size_t& size, const Dealt& dealt) {
    if (rows.n > kFewRows) return dealt_out(Source{rows}, rows.n, threads, size, dealt);
    Out out{};
    size = few(rows, [&](std::size_t most) {
      out = {scores_.get(most), positives_.get(most), negatives_.get(most)};
      if constexpr (kHasSquares<Weight>) {
        out.positive_squares = positive_squares_.get(most);
        out.negative_squares = negative_squares_.get(most);
      }
      return out;
    });
    return out;
  }

  // Of very many rows that fill(first, n, keys, positive) writes, on any thread.
  template <class Fill>
  Out run_filled(std::size_t n, const Fill& fill, int threads, std::size_t& size) {
    return dealt_out(FilledSource<Fill>{fill}, n, threads, size, [] {});
  }

  // The same in memory of the caller: `room(most)` is called once, and is as much. Returns how many
  // runs there are; these are as many, but where scores have both signs.
  template <class Room>
  std::size_t few(const RowBlock<Key, Weight>& rows, const Room& room) {
    const auto [low, high] = range_of(rows);
    if (rows.n == 0 || static_cast<Key>(high - low) < kHalf) {
      const std::size_t runs =
          rows.n == 0 ? 0 : bucket_.prepare(all(rows, low), rows.n, 0, high - low);
      const Out out = room(runs);
      if (runs > 0) bucket_.emit(low, out);
      return runs;
    }
    // The class needs a bit of its own: one half of all keys at a time.
    const Out out = room(rows.n);
    const std::size_t above = half(rows, kHalf, high, out);
    return above + half(rows, low, kHalf - 1, out.from(above));
  }

 private:
  using E = Entry<Key, Weight>;
  static constexpr std::size_t kFewRows = std::size_t{1} << 17;
  static constexpr Key kHalf = Key{1} << (sizeof(Key) * 8 - 1);

  struct Source {
    RowBlock<Key, Weight> all;

    template <class Visit>
    void keys(std::int64_t first, std::int64_t last, Visit&& visit) const {
      visit(all.keys + first, static_cast<std::size_t>(last - first));
    }
    template <class Visit>
    void rows(std::int64_t first, std::int64_t last, bool /*again*/, Visit&& visit) const {
      for (std::int64_t at = first; at < last; at += static_cast<std::int64_t>(kBlock)) {
        RowBlock<Key, Weight> block{
            static_cast<std::size_t>(std::min(last - at, static_cast<std::int64_t>(kBlock))),
            all.keys + at, all.positive + at};
        if constexpr (!std::is_same_v<Weight, Unweighted>) block.weights = all.weights + at;
        visit(block);
      }
    }
  };

  template <class Fill>
  struct FilledSource {
    const Fill& fill;

    template <class Visit>
    void keys(std::int64_t first, std::int64_t last, Visit&& visit) const {
      rows(first, last, true,
           [&](const RowBlock<Key, Weight>& block) { visit(block.keys, block.n); });
    }
    template <class Visit>
    void rows(std::int64_t first, std::int64_t last, bool /*again*/, Visit&& visit) const {
      constexpr std::size_t kAtOnce = 1024;
      static_assert(kAtOnce <= kBlock);  // for which users of blocks have room
      Key keys[kAtOnce];
      std::uint8_t positive[kAtOnce];
      const auto end = static_cast<std::size_t>(last);
      for (auto at = static_cast<std::size_t>(first); at < end; at += kAtOnce) {
        const std::size_t n = std::min(kAtOnce, end - at);
        fill(at, n, keys, positive);
        visit(RowBlock<Key, Weight>{n, keys, positive});
      }
    }
  };

  template <class Rows, class Dealt>
  Out dealt_out(const Rows& rows, std::size_t n, int threads, std::size_t& size,
                const Dealt& dealt) {
    const auto total = static_cast<std::int64_t>(n);
    const int on = threads == 1 ? 1 : thread_count(threads, total);
    pages_ = {};  // before the new ones are made
    pages_ = Partition<Key, Weight, Rows>(rows, total, on).run(dealt);
    size = pages_.scores.size();
    return pages_.out();
  }

  // The least and the largest key.
  static std::pair<Key, Key> range_of(const RowBlock<Key, Weight>& rows) noexcept {
    if constexpr (sizeof(Key) == 4) {
      Extremes range;
      const Kernels::Range widen = kernels().range[static_cast<std::size_t>(DType::kUInt32)];
      widen(reinterpret_cast<const std::byte*>(rows.keys), rows.n, range);
      return {static_cast<Key>(range.low), static_cast<Key>(range.high)};
    } else {
      Key low = std::numeric_limits<Key>::max(), high = 0;
      for (std::size_t i = 0; i < rows.n; ++i) {
        low = std::min(low, rows.keys[i]);
        high = std::max(high, rows.keys[i]);
      }
      return {low, high};
    }
  }

  static E entry(const RowBlock<Key, Weight>& rows, std::size_t i, Key low) noexcept {
    const auto bits = static_cast<Key>(((rows.keys[i] - low) << 1U) | rows.positive[i]);
    if constexpr (std::is_same_v<Weight, Unweighted>) {
      return bits;
    } else {
      return {bits, rows.weights[i]};
    }
  }

  E* all(const RowBlock<Key, Weight>& rows, Key low) {
    E* const entries = entries_.get(rows.n);
    for (std::size_t i = 0; i < rows.n; ++i) entries[i] = entry(rows, i, low);
    return entries;
  }

  // Of the rows with keys low ... high. Needs: there is one.
  std::size_t half(const RowBlock<Key, Weight>& rows, Key low, Key high, const Out& out) {
    E* const entries = entries_.get(rows.n);
    std::size_t n = 0;
    for (std::size_t i = 0; i < rows.n; ++i) {
      entries[n] = entry(rows, i, low);
      n += rows.keys[i] - low <= high - low;
    }
    const std::size_t runs = bucket_.prepare(entries, n, 0, high - low);
    bucket_.emit(low, out);
    return runs;
  }

  Bucket<Key, Weight> bucket_;
  Room<E> entries_;
  Room<typename Out::Score> scores_;
  Room<typename Out::Tally> positives_;
  Room<typename Out::Tally> negatives_;
  Room<double> positive_squares_;  // of float weights
  Room<double> negative_squares_;
  RunPages<Key, Weight> pages_;
};

}  // namespace confmat
