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

  [[nodiscard]] Pages<std::uint64_t> sums(const Tallies& of_scores) const {
    Pages<std::uint64_t> out(bins_.size());
    std::fill_n(out.data(), bins_.size(), std::uint64_t{0});
    std::visit(
        [&](const auto& tallies) {
          for (std::size_t i = 0; i < at_.size(); ++i) {
            out[at_[i]] += static_cast<std::uint64_t>(tallies[i]);
          }
        },
        of_scores);
    return out;
  }

 private:
  std::vector<std::uint32_t> bins_;
  std::vector<std::size_t> at_;
};

// As sweep_binned() without weights. Needs: no edges are given.
inline SweptBins few_binned(Chunks y_true, Chunks y_score, BinMap map,
                            const SweepOptions& options) {
  Swept exact = sweep(y_true, y_score, {}, options);
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
                                .positives = into.sums(from.positives),
                                .negatives = into.sums(from.negatives)};
        if (!into.are_single()) return;
        Pages<Score> kept(scores.size());
        std::copy_n(scores.data(), scores.size(), kept.data());
        out.state.scores = std::move(kept);
      },
      from.scores);
  return out;
}

}  // namespace confmat
