// Rows of a table of probabilities as the ladder of a class sees them: its members, and the others,
// which are looked up on it.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

#include "confmat/base/exact_sum.hpp"
#include "confmat/base/interrupt.hpp"
#include "confmat/tally/probabilities.hpp"
#include "probability_block.hpp"
#include "rungs.hpp"

namespace confmat {

constexpr bool is_class(std::uint16_t code, std::size_t k) noexcept { return code < k; }

template <class Amount>
Amount amount_of(const ProbabilityTable& table, std::size_t row) noexcept {
  if constexpr (std::is_same_v<Amount, double>) {
    return table.weights[row];
  } else {
    return 1;
  }
}

// A row of another class than that of the ladder, or of the same.
template <class Amount>
struct Scored {
  double score;
  std::uint32_t truth;
  Amount amount;
};
template <>
struct Scored<std::uint64_t> {
  double score;
  std::uint32_t truth;
  static constexpr std::uint64_t amount = 1;
};

// take(c, n, fill) for blocks of rows of a few columns, whose values share cache lines in a table
// that lies row after row; fill(to, own) writes the rows that count, up to n, and says how many:
// those of class first + c, or the others.
template <class Amount, class Take>
void over_columns(const ProbabilityTable& table, std::size_t first, std::size_t columns,
                  const Take& take) {
  const auto rows = static_cast<std::int64_t>(table.classes.size());
  const std::size_t k = table.columns.size();
  ProbabilityBlock block(table.columns.subspan(first, columns));
  const StopSign sign;
  for (std::int64_t row = 0; row < rows;) {
    sign.obey();
    const std::int64_t n = std::min(block.most_rows(), rows - row);
    const double* p = block.columns(row, static_cast<std::size_t>(n));
    for (std::size_t c = 0; c < columns; ++c, p += n) {
      take(c, static_cast<std::size_t>(n), [&](Scored<Amount>* to, bool own) {
        std::size_t kept = 0;
        for (std::int64_t r = 0; r < n; ++r) {
          const auto at = static_cast<std::size_t>(row + r);
          const std::uint16_t truth = table.classes[at];
          const auto amount = amount_of<Amount>(table, at);
          to[kept].score = p[r];
          to[kept].truth = truth;
          if constexpr (std::is_same_v<Amount, double>) to[kept].amount = amount;
          kept += is_class(truth, k) && (truth == first + c) == own && amount != 0 ? 1U : 0U;
        }
        return kept;
      });
    }
    row += n;
  }
}

// Sums of the wins of one class against each other one; exact, so in any order.
template <class Amount>
using WinSums =
    std::vector<std::conditional_t<std::is_same_v<Amount, double>, ExactSum, std::uint64_t>>;

inline void add_to(std::uint64_t& sum, std::uint64_t amount, std::uint64_t wins) noexcept {
  sum += amount * wins;
}
inline void add_to(ExactSum& sum, double amount, double wins) noexcept {
  const double product = amount * wins;
  if (std::isfinite(product)) sum.add(product);
}

// The others of one class, looked up on its ladder many at a time: those near each other together,
// so that the part of the ladder that they need stays in cache.
template <class Amount>
class Others {
 public:
  // `rows`: those of the table.
  Others(Rungs<Amount>& rungs, WinSums<Amount>& wins, bool fill, std::size_t rows)
      : rungs_(rungs),
        wins_(wins),
        fill_(fill),
        most_(std::min(rows, kMost)),
        waiting_(std::make_unique_for_overwrite<Scored<Amount>[]>(most_)) {}

  // Room for n more. Needs: n rows of a block.
  Scored<Amount>* room(std::size_t n) {
    if (size_ + n > most_) look_up();
    return waiting_.get() + size_;
  }
  void took(std::size_t n) noexcept { size_ += n; }

  void look_up() {
    const Scored<Amount>* from = waiting_.get();
    if (rungs_.size() > kInCache) from = near_together();
    constexpr std::size_t kMany = SortedScores::kMany;
    std::array<double, kMany> scores;
    std::array<std::size_t, kMany> places;
    for (std::size_t first = 0; first < size_; first += kMany) {
      const std::size_t n = std::min(kMany, size_ - first);
      for (std::size_t i = 0; i < n; ++i) scores[i] = from[first + i].score;
      rungs_.places(scores.data(), n, places.data());
      for (std::size_t i = 0; i < n; ++i) {
        const Scored<Amount>& row = from[first + i];
        add_to(wins_[row.truth], row.amount,
               fill_ ? rungs_.add_at(places[i], row.score, row.amount) : rungs_.wins_at(places[i]));
      }
    }
    size_ = 0;
  }

 private:
  static constexpr std::size_t kMost = std::size_t{1} << 16;  // more than a block has
  static constexpr std::size_t kInCache = 4096;               // rungs

  const Scored<Amount>* near_together() {
    if (near_ == nullptr) near_ = std::make_unique_for_overwrite<Scored<Amount>[]>(most_);
    std::array<std::uint32_t, SortedScores::kParts + 1> next{};
    for (std::size_t i = 0; i < size_; ++i) ++next[rungs_.part(waiting_[i].score) + 1];
    for (std::size_t part = 1; part < next.size(); ++part) next[part] += next[part - 1];
    for (std::size_t i = 0; i < size_; ++i)
      near_[next[rungs_.part(waiting_[i].score)]++] = waiting_[i];
    return near_.get();
  }

  Rungs<Amount>& rungs_;
  WinSums<Amount>& wins_;
  bool fill_;
  std::size_t most_;
  std::size_t size_ = 0;
  std::unique_ptr<Scored<Amount>[]> waiting_;
  std::unique_ptr<Scored<Amount>[]> near_;
};

}  // namespace confmat
