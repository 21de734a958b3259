// Rows of a table of probabilities that are not members of a ladder, and are looked up on it.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "confmat/base/exact_sum.hpp"
#include "confmat/batch/gather.hpp"
#include "confmat/tally/probabilities.hpp"
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

// The rows of other classes, looked up on a ladder many at a time: those near each other
// together, so that the part of the ladder that they need stays in cache.
template <class Amount>
class Others {
 public:
  // `block`: the most rows that come at a time.
  Others(const ProbabilityTable& table, std::size_t block, Rungs<Amount>& rungs,
         WinSums<Amount>& wins, bool fill)
      : table_(table),
        rungs_(rungs),
        wins_(wins),
        fill_(fill),
        most_(std::min(table.classes.size(), rungs.size() > kInCache ? kMost : block)) {
    if (!rungs.empty()) waiting_ = std::make_unique_for_overwrite<Row[]>(most_);
  }

  // Scores of class i, of rows from `row` on.
  void add(std::size_t i, std::span<const double> scores, std::size_t row) {
    if (rungs_.empty()) return;
    if (size_ + scores.size() > most_) look_up();
    const std::size_t k = table_.columns.size();
    for (const double score : scores) {  // no jump: what does not count is overwritten
      const std::uint16_t truth = table_.classes[row];
      waiting_[size_].score = score;
      waiting_[size_].row = static_cast<std::uint32_t>(row);
      waiting_[size_].truth = truth;
      size_ += is_class(truth, k) && truth != i && amount_of<Amount>(table_, row) != 0;
      ++row;
    }
  }

  void look_up() {
    const Row* const from = rungs_.size() > kInCache ? near_together() : waiting_.get();
    constexpr std::size_t kMany = SortedScores::kMany;
    std::array<double, kMany> scores;
    std::array<std::size_t, kMany> places;
    for (std::size_t first = 0; first < size_; first += kMany) {
      const std::size_t n = std::min(kMany, size_ - first);
      for (std::size_t i = 0; i < n; ++i) scores[i] = from[first + i].score;
      rungs_.places(scores.data(), n, places.data());
      for (std::size_t i = 0; i < n; ++i) {
        const Row& one = from[first + i];
        const auto amount = amount_of<Amount>(table_, one.row);
        add_to(wins_[one.truth], amount,
               fill_ ? rungs_.add_at(places[i], one.score, amount) : rungs_.wins_at(places[i]));
      }
    }
    size_ = 0;
  }

 private:
  static constexpr std::size_t kMost = std::size_t{1} << 16;
  static_assert(kMost >= kBlock);
  static constexpr std::size_t kInCache = 4096;  // rungs

  struct Row {
    double score;
    std::uint32_t row;
    std::uint16_t truth;
  };

  const Row* near_together() {
    if (near_ == nullptr) near_ = std::make_unique_for_overwrite<Row[]>(most_);
    std::array<std::uint32_t, SortedScores::kParts + 1> next{};
    for (std::size_t i = 0; i < size_; ++i) ++next[rungs_.part(waiting_[i].score) + 1];
    for (std::size_t part = 1; part < next.size(); ++part) next[part] += next[part - 1];
    for (std::size_t i = 0; i < size_; ++i) {
      near_[next[rungs_.part(waiting_[i].score)]++] = waiting_[i];
    }
    return near_.get();
  }

  const ProbabilityTable& table_;
  Rungs<Amount>& rungs_;
  WinSums<Amount>& wins_;
  bool fill_;
  std::size_t most_;  // that wait
  std::size_t size_ = 0;
  std::unique_ptr<Row[]> waiting_;
  std::unique_ptr<Row[]> near_;
};

}  // namespace confmat
