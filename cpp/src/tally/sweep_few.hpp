// Bins of few rows: those of their distinct scores, without a table of all bins.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "confmat/base/pages.hpp"
#include "confmat/scores/score_key.hpp"
#include "confmat/tally/sweep.hpp"
#include "confmat/tally/sweep_binned.hpp"

namespace confmat {

// Up to so many rows a table of all bins takes longer to make than these to sort.
inline constexpr std::int64_t kFewRows = 2048;

// Entries of distinct scores as those of their bins, both descending.
class Joined {
 public:
  template <class Bins, class Score>
  Joined(const Bins& bins, const Pages<Score>& scores) : at_(scores.size()) {
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const auto bin = static_cast<std::uint32_t>(bins.bin(score_key(scores[i])));
      if (bins_.empty() || bins_.back() != bin) bins_.push_back(bin);
      at_[i] = bins_.size() - 1;
    }
  }

  [[nodiscard]] Pages<std::uint32_t> bins() const {
    Pages<std::uint32_t> out(bins_.size());
    std::copy(bins_.begin(), bins_.end(), out.data());
    return out;
  }
  [[nodiscard]] bool are_single() const noexcept { return bins_.size() == at_.size(); }

  template <class Sum, class T>
  [[nodiscard]] Pages<Sum> sums(const Pages<T>& of_scores) const {
    if (of_scores.size() != at_.size()) return {};  // squares of counts are not kept
    Pages<Sum> out(bins_.size());
    std::fill_n(out.data(), bins_.size(), Sum{});
    for (std::size_t i = 0; i < of_scores.size(); ++i) {
      out[at_[i]] += static_cast<Sum>(of_scores[i]);
    }
    return out;
  }

 private:
  std::vector<std::uint32_t> bins_;
  std::vector<std::size_t> at_;
};

inline Tallies joined(const Joined& into, const Tallies& tallies) {
  return std::visit(
      [&]<class T>(const Pages<T>& of_scores) -> Tallies {
        using Sum = std::conditional_t<std::is_same_v<T, double>, double, std::uint64_t>;
        return into.sums<Sum>(of_scores);
      },
      tallies);
}

// As sweep_binned(). Needs: no edges are given.
inline SweptBins few_binned(Chunks y_true, Chunks y_score, Chunks sample_weight, BinMap map,
                            const SweepOptions& options) {
  Swept exact = sweep(y_true, y_score, sample_weight, options);
  const SweepState& from = exact.state;
  SweptBins out;
  out.rows = std::move(exact.rows);
  std::visit(
      [&]<class Score>(const Pages<Score>& scores) {
        constexpr bool kIsDouble = std::is_same_v<Score, double>;
        using Key = std::conditional_t<kIsDouble, std::uint64_t, std::uint32_t>;
        out.of_float64 = kIsDouble;
        const Joined into = map.bins<Key>([&](const auto& bins) { return Joined(bins, scores); });
        out.state = BinnedState{.bins = into.bins(),
                                .positives = joined(into, from.positives),
                                .negatives = joined(into, from.negatives),
                                .positive_squares = into.sums<double>(from.positive_squares),
                                .negative_squares = into.sums<double>(from.negative_squares)};
        if (!into.are_single()) return;
        Pages<Score> kept(scores.size());
        std::copy_n(scores.data(), scores.size(), kept.data());
        out.state.scores = std::move(kept);
      },
      from.scores);
  return out;
}

}  // namespace confmat
