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
      if (n > kFewRows && last / 4 < n) return count(excess, static_cast<std::size_t>(last) + 1);
    }
    for (const auto [begin, end] : Strides(n)) {
      for (std::size_t i = begin; i < end; ++i) bits_of(entries[i]) -= excess;
    }
    const auto high = static_cast<unsigned>(std::bit_width(last)) + 1;
    sorter_.sort(entries, spare_.get(n), n, high);
    std::size_t runs = 1;
    for (const auto [begin, end] : Strides(n - 1)) {
      for (std::size_t i = begin; i < end; ++i) {
        runs += (bits_of(std::as_const(entries[i + 1])) ^ bits_of(std::as_const(entries[i]))) > 1;
      }
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
  static constexpr std::size_t kBetweenLooks = std::size_t{1} << 16;
  static constexpr std::size_t kTogether = 16;
  static constexpr std::size_t kRoundedOnce = 2;  // a sum of so many terms is

  // Cell k holds the negatives and positives of key low + k.
  std::size_t count(Key excess, std::size_t cells) {
    cells_ = cells;
    if (table_.size() < cells * 2) table_.resize(cells * 2);
    std::uint32_t* const table = table_.data();
    for (const auto [begin, end] : Strides(n_)) {
      for (std::size_t i = begin; i < end; ++i) {
        ++table[static_cast<Key>(bits_of(std::as_const(entries_[i])) - excess)];
      }
    }
    std::size_t runs = 0;
    for (const auto [begin, end] : Strides(cells)) {
      for (std::size_t k = begin; k < end; ++k) {
        std::uint64_t both;
        std::memcpy(&both, table + 2 * k, sizeof both);
        runs += both != 0;
      }
    }
    runs_ = runs;
    return runs;
  }

  // The table is left empty, as it was found.
  void emit_cells(Key low, const RunsOut<Key, Weight>& out) {
    std::uint32_t* const table = table_.data();
    std::size_t at = 0;
    // Empty cells are overwritten by the next one: no branch. The last run ends the loop, so that
    // nothing is written behind it.
    for (std::size_t k = cells_ - 1; at < runs_; --k) {
      const std::uint32_t negatives = table[2 * k];
      const std::uint32_t positives = table[2 * k + 1];
      out.scores[at] = score_of(static_cast<Key>(low + static_cast<Key>(k)));
      out.positives[at] = positives;
      out.negatives[at] = negatives;
      at += (negatives | positives) != 0;
    }
    std::memset(table, 0, cells_ * 2 * sizeof(std::uint32_t));
  }

  void emit_sorted(Key low, const RunsOut<Key, Weight>& out) {
    const E* const entries = entries_;
    Key previous = entries[n_ - 1];
    std::size_t at = 0;
    std::uint32_t rows = 0;
    std::uint32_t positives = 0;
    for (const auto [begin, end] : Strides(n_)) {
      for (std::size_t i = n_ - begin; i > n_ - end;) {
        const std::size_t first = i - std::min(kTogether, i - (n_ - end));
        if (i - first == kTogether && rows > 0 && are_apart(entries + first, previous)) {
          for (std::size_t j = 0; j < kTogether; ++j) {
            const Key bits = entries[i - 1 - j];
            const std::uint32_t side = static_cast<std::uint32_t>(bits & 1U);
            out.scores[at + 1 + j] = score_of(static_cast<Key>(low + (bits >> 1U)));
            out.positives[at + 1 + j] = side;
            out.negatives[at + 1 + j] = side ^ 1U;
          }
          at += kTogether;
          rows = 1;
          previous = entries[first];
          positives = static_cast<std::uint32_t>(previous & 1U);
          i = first;
          continue;
        }
        while (i > first) {
          const Key bits = entries[--i];
          const bool fresh = (bits ^ previous) > 1;
          at += fresh ? 1 : 0;
          rows = (fresh ? 0 : rows) + 1;
          positives = (fresh ? 0 : positives) + static_cast<std::uint32_t>(bits & 1U);
          out.scores[at] = score_of(static_cast<Key>(low + (bits >> 1U)));
          out.positives[at] = positives;
          out.negatives[at] = rows - positives;
          previous = bits;
        }
      }
    }
  }

  // Whether kTogether entries and the one behind them have a score each.
  static bool are_apart(const E* entries, Key behind) noexcept {
    bool equal = (entries[kTogether - 1] ^ behind) <= 1;
    for (std::size_t j = 0; j + 1 < kTogether; ++j) equal |= (entries[j] ^ entries[j + 1]) <= 1;
    return !equal;
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
  std::size_t runs_ = 0;   // in the table
  EntrySorter<E> sorter_;
  Room<E> spare_;
  std::vector<std::uint32_t> table_;
};

}  // namespace confmat
