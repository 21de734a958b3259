// Entries of neighbouring scores become runs of equal scores: by a table over the possible keys
// when there are few of these, else by sorting.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "confmat/base/room.hpp"
#include "confmat/base/rounded_sum.hpp"
#include "confmat/base/weight_sum.hpp"
#include "confmat/base/wide.hpp"
#include "confmat/kernels/table.hpp"
#include "confmat/kernels/wide_loop.hpp"
#include "confmat/scores/score_key.hpp"
#include "sweep_entries.hpp"

namespace confmat {

inline double tally_of(double sum) noexcept { return sum; }
inline std::uint64_t tally_of(std::uint64_t sum) noexcept { return sum; }
inline std::uint64_t tally_of(UInt128 sum) noexcept {
  return sum < kBeyondCounts ? static_cast<std::uint64_t>(sum) : kBeyondCounts;
}

template <class Weight>
inline constexpr bool kHasSquares = std::is_same_v<Weight, double>;

// Where runs go: one entry for every distinct score, descending.
template <class Key, class Weight>
struct RunsOut {
  using Score = decltype(score_of(Key{}));
  // Sums of integer weights beyond 2^63 - 1 are kBeyondCounts.
  using Tally = std::conditional_t<std::is_same_v<Weight, Unweighted>, std::uint32_t, Weight>;

  Score* scores;
  Tally* positives;
  Tally* negatives;
  // Of float weights, else null: the sums of their squares.
  double* positive_squares = nullptr;
  double* negative_squares = nullptr;

  [[nodiscard]] RunsOut from(std::size_t at) const noexcept {
    RunsOut out{scores + at, positives + at, negatives + at};
    if constexpr (kHasSquares<Weight>) {
      out.positive_squares = positive_squares + at;
      out.negative_squares = negative_squares + at;
    }
    return out;
  }
};

// One bucket at a time: first how many scores it has, then these.
template <class Key, class Weight>
class Bucket {
 public:
  using E = Entry<Key, Weight>;

  // The number of distinct keys. The entries hold (key - low) * 2 + class, plus `excess`, modulo
  // the width of a key; they are used as working memory until emit().
  // Needs: 0 <= key - low <= last < half of all keys; 0 < n < 2^32.
  std::size_t prepare(E* entries, std::size_t n, Key excess, Key last) {
    entries_ = entries;
    n_ = n;
    cells_ = 0;
    if constexpr (!kWeighted) {
      if (n > kFewRows && last / 4 < n && last <= kMostPlace) {
        return count(excess, static_cast<std::size_t>(last) + 1);
      }
    }
    for (const auto [begin, end] : Strides(n)) {
      for (std::size_t i = begin; i < end; ++i) bits_of(entries[i]) -= excess;
    }
    const auto high = static_cast<unsigned>(std::bit_width(last)) + 1;
    sorter_.sort(entries, spare_.get(n), n, high);
    std::size_t runs = 1;
    for (const auto [begin, end] : Strides(n - 1)) {
      wide_loop([entries, &runs, first = begin, last = end] {
        std::size_t found = 0;
        for (std::size_t i = first; i < last; ++i) found += are_apart(entries[i], entries[i + 1]);
        runs += found;
      });
    }
    return runs;
  }

  // Writes them. Needs: as many entries there.
  void emit(Key low, const RunsOut<Key, Weight>& out) {
    if constexpr (kWeighted) {
      emit_sums(low, out);
    } else if (cells_ > 0) {
      emit_cells(low, out);
    } else {
      emit_sorted(low, out);
    }
  }

 private:
  static constexpr bool kWeighted = !std::is_same_v<Weight, Unweighted>;
  static constexpr std::size_t kFewRows = 24;
  static constexpr Key kMostPlace = UINT32_MAX;  // as cells are listed
  static constexpr std::size_t kBetweenLooks = std::size_t{1} << 16;
  static constexpr std::size_t kRoundedOnce = 2;  // a sum of so many terms is

  static bool are_apart(const E& entry, const E& next) noexcept {
    return (bits_of(entry) ^ bits_of(next)) > 1;
  }

  // Cell k holds the positives of the key `cells - 1 - k` above the least, and 2^32 times the
  // negatives.
  std::size_t count(Key excess, std::size_t cells) {
    cells_ = cells;
    if (table_.size() < cells) table_.resize(cells);
    std::uint64_t* const table = table_.data();
    const auto most = static_cast<Key>(excess + 2 * cells - 1);
    for (const auto [begin, end] : Strides(n_)) {
      for (std::size_t i = begin; i < end; ++i) {
        const auto below = static_cast<Key>(most - bits_of(std::as_const(entries_[i])));
        table[below >> 1U] += std::uint64_t{1} << (32 * (below & 1U));
      }
    }
    std::size_t runs = 0;
    for (const auto [begin, end] : Strides(cells)) {
      wide_loop([table, &runs, first = begin, last = end] {
        std::size_t used = 0;
        for (std::size_t k = first; k < last; ++k) used += table[k] != 0 ? 1 : 0;
        runs += used;
      });
    }
    return runs;
  }

  // The table is left empty, as it was found.
  void emit_cells(Key low, const RunsOut<Key, Weight>& out) {
    constexpr std::size_t kAtOnce = 1024;
    std::uint32_t places[kAtOnce + kPairsBeyond];
    std::uint32_t positives[kAtOnce + kPairsBeyond];
    std::uint32_t negatives[kAtOnce + kPairsBeyond];
    std::size_t at = 0;
    for (std::size_t first = 0; first < cells_; first += kAtOnce) {
      const std::size_t n = std::min(kAtOnce, cells_ - first);
      const std::size_t runs = kernels().take_pairs(table_.data() + first, n,
                                                    static_cast<std::uint32_t>(cells_ - 1 - first),
                                                    places, positives, negatives);
      for (std::size_t i = 0; i < runs; ++i) {
        out.scores[at + i] = score_of(static_cast<Key>(low + places[i]));
      }
      std::memcpy(out.positives + at, positives, runs * sizeof *positives);
      std::memcpy(out.negatives + at, negatives, runs * sizeof *negatives);
      at += runs;
    }
  }

  // In stretches that end between two runs: none is cut.
  void emit_sorted(Key low, const RunsOut<Key, Weight>& out) {
    const StopSign sign;
    RunsOut<Key, Weight> to = out;
    for (std::size_t end = n_; end > 0;) {
      sign.obey();
      std::size_t first = end - std::min(end, kBetweenLooks);
      while (first > 0 && !are_apart(entries_[first], entries_[first - 1])) --first;
      to = to.from(write_runs(entries_ + first, end - first, low, to));
      end = first;
    }
  }

  std::size_t write_runs(const std::uint32_t* entries, std::size_t n, std::uint32_t low,
                         const RunsOut<Key, Weight>& out) const {
    return kernels().runs32(entries, n, low, out.scores, out.positives, out.negatives);
  }
  std::size_t write_runs(const std::uint64_t* entries, std::size_t n, std::uint64_t low,
                         const RunsOut<Key, Weight>& out) const {
    return kernels().runs64(entries, n, low, out.scores, out.positives, out.negatives);
  }

  // Sums of a run are exact and then rounded, whatever the order of its rows.
  void emit_sums(Key low, const RunsOut<Key, Weight>& out) {
    if constexpr (kWeighted) {
      const StopSign sign;
      std::size_t at = 0;
      for (std::size_t end = n_; end > 0; ++at) {
        if (at % kBetweenLooks == 0) sign.obey();
        const Key key = entries_[end - 1].bits >> 1U;
        std::size_t first = end - 1;
        while (first > 0 && (entries_[first - 1].bits >> 1U) == key) --first;
        const std::span<const E> run(entries_ + first, end - first);
        const auto [negatives, positives] = sums_of(run, sign);
        out.scores[at] = score_of(static_cast<Key>(low + key));
        out.negatives[at] = negatives;
        out.positives[at] = positives;
        if constexpr (kHasSquares<Weight>) {
          const auto [of_negatives, of_positives] = squares_of(run);
          out.negative_squares[at] = of_negatives;
          out.positive_squares[at] = of_positives;
        }
        end = first;
      }
    }
  }

  // Of negatives and of positives.
  static std::array<Weight, 2> sums_of(std::span<const E> run, const StopSign& sign) {
    std::conditional_t<std::is_same_v<Weight, double>, double, UInt128> sums[2] = {0, 0};
    if constexpr (kHasSquares<Weight>) {
      if (run.size() > kRoundedOnce) {
        const auto weight = [](double of) { return of; };
        return {rounded_side(run, 0, weight), rounded_side(run, 1, weight)};
      }
    }
    for (std::size_t i = 0; i < run.size(); ++i) {
      if ((i + 1) % kBetweenLooks == 0) sign.obey();
      sums[run[i].bits & 1U] += run[i].weight;
    }
    return {tally_of(sums[0]), tally_of(sums[1])};
  }

  static std::array<double, 2> squares_of(std::span<const E> run) {
    const auto square = [](double of) { return of * of; };
    if (run.size() > kRoundedOnce) {
      return {rounded_side(run, 0, square), rounded_side(run, 1, square)};
    }
    std::array<double, 2> out{0, 0};
    for (const E& entry : run) out[entry.bits & 1U] += square(entry.weight);
    return out;
  }

  template <class Of>
  static double rounded_side(std::span<const E> run, Key side, const Of& of) {
    return rounded_sum(run.size(), [&](const auto& add) {
      for (const auto [from, to] : Strides(run.size())) {
        for (std::size_t i = from; i < to; ++i) {
          if ((run[i].bits & 1U) == side) add(of(run[i].weight));
        }
      }
    });
  }

  E* entries_ = nullptr;
  std::size_t n_ = 0;
  std::size_t cells_ = 0;  // of the table; 0: the entries are sorted
  EntrySorter<E> sorter_;
  Room<E> spare_;
  std::vector<std::uint64_t> table_;
};

}  // namespace confmat
