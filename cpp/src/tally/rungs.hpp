// The rungs of one ladder while it is filled: scores of members, sorted, and what others add to
// them and to the gaps between them.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "confmat/base/interrupt.hpp"
#include "confmat/base/radix_sort.hpp"
#include "confmat/base/rounded_sum.hpp"
#include "confmat/base/sum2.hpp"
#include "confmat/scores/score_key.hpp"
#include "confmat/tally/ladders.hpp"
#include "score_buckets.hpp"

namespace confmat {

// Distinct scores, ascending, and where a score stands among them: 2 i + 1 at the i-th of them,
// 2 i below it and above the one before. Buckets find the few scores that are left to search.
class SortedScores {
 public:
  SortedScores() = default;
  // Needs: ascending, distinct, no -0.0; at least one.
  explicit SortedScores(std::vector<double> scores)
      : scores_(std::move(scores)),
        first_(scores_.front()),
        last_(scores_.back()),
        buckets_(scores_),
        start_(std::size_t{buckets_.size()} + 1) {
    part_shift_ = std::max(static_cast<int>(std::bit_width(start_.size())) - 8, 0);
    for (const double score : scores_) ++start_[buckets_.of(score) + 1];
    for (std::size_t i = 1; i < start_.size(); ++i) start_[i] += start_[i - 1];
    scores_.insert(scores_.end(), kAtOnce, std::numeric_limits<double>::infinity());
  }
  [[nodiscard]] double operator[](std::size_t i) const noexcept { return scores_[i]; }

  // nan stands below all. Needs: at least one score.
  [[nodiscard]] std::size_t place(double score) const noexcept {
    if (!(score >= first_)) return 0;
    if (score > last_) return 2 * (scores_.size() - kAtOnce);
    const std::size_t at = buckets_.of(score);
    std::size_t i = start_[at];
    const std::size_t end = start_[at + 1];
    if (end - i <= kAtOnce) {  // without a branch: scores of later buckets are larger anyway
      const double* scores_here = scores_.data() + i;
      for (std::size_t step = 0; step < kAtOnce; ++step) i += scores_here[step] < score ? 1 : 0;
    } else {
      const auto from = scores_.begin() + static_cast<std::ptrdiff_t>(i);
      const auto to = scores_.begin() + static_cast<std::ptrdiff_t>(end);
      i = static_cast<std::size_t>(std::lower_bound(from, to, score) - scores_.begin());
    }
    return 2 * i + (scores_[i] == score ? 1 : 0);
  }

  // Which of kParts neighbouring parts a score belongs to; those beyond the ends to the outer ones.
  static constexpr std::size_t kParts = 256;
  [[nodiscard]] std::size_t part(double score) const noexcept {
    if (!(score >= first_)) return 0;
    return buckets_.of(score) >> part_shift_;
  }

  // place() of several, none of which waits for the memory of another. Needs: n <= kMany.
  static constexpr std::size_t kMany = 256;
  void places(const double* scores, std::size_t n, std::size_t* out) const noexcept {
    for (std::size_t i = 0; i < n; ++i) {
      const double score = scores[i];
      out[i] = score >= first_ && score <= last_ ? buckets_.of(score) : 0;
      __builtin_prefetch(start_.data() + out[i]);
    }
    for (std::size_t i = 0; i < n; ++i) __builtin_prefetch(scores_.data() + start_[out[i]]);
    for (std::size_t i = 0; i < n; ++i) out[i] = place(scores[i]);
  }

 private:
  static constexpr std::size_t kAtOnce = 4;

  std::vector<double> scores_;  // and a few infinities to read past the end
  double first_ = 0;
  double last_ = 0;
  ScoreBuckets buckets_;
  std::vector<std::uint32_t> start_;  // of the scores of each bucket; one more at the end
  int part_shift_ = 0;
};

// Amount: std::uint64_t counts or double weights.
template <class Amount>
class Rungs {
 public:
  using Member = std::pair<double, Amount>;

  // The order of the members changes nothing; nan is the least one.
  explicit Rungs(std::vector<Member> members) {
    constexpr double kLeast = -std::numeric_limits<double>::infinity();
    for (Member& member : members) {
      member.first = std::isnan(member.first) ? kLeast : member.first + 0.0;
    }
    std::vector<Member> scratch;
    sort_records(members, scratch, [](const Member& member) { return score_key(member.first); });
    scratch = {};
    const StopSign sign;
    std::vector<double> distinct;
    for (std::size_t first = 0, end = 0; first < members.size(); first = end) {
      if ((distinct.size() & 0xFFFFU) == 0) sign.obey();
      const double score = members[first].first;
      while (end < members.size() && members[end].first == score) ++end;
      distinct.push_back(score);
      members_.push_back(sum_of_run(std::span(members).subspan(first, end - first)));
    }
    if (distinct.empty()) return;
    sorted_ = SortedScores(std::move(distinct));
    places_.resize(2 * members_.size() + 1);
    wins_.resize(2 * members_.size() + 1);
    Sum above{};
    for (std::size_t i = members_.size(); i-- > 0;) {
      if ((i & 0xFFFFU) == 0) sign.obey();
      wins_[2 * i + 2] = 2 * amount_in(above);
      wins_[2 * i + 1] = 2 * amount_in(above) + members_[i];
      add_to(above, members_[i]);
    }
    wins_[0] = 2 * amount_in(above);
  }

  [[nodiscard]] bool empty() const noexcept { return members_.empty(); }
  [[nodiscard]] std::size_t size() const noexcept { return members_.size(); }
  [[nodiscard]] std::size_t part(double score) const noexcept { return sorted_.part(score); }

  // Where scores stand among the rungs. Needs: not empty, n <= SortedScores::kMany.
  void places(const double* scores, std::size_t n, std::size_t* out) const noexcept {
    sorted_.places(scores, n, out);
    for (std::size_t i = 0; i < n; ++i) {
      __builtin_prefetch(wins_.data() + out[i]);
      __builtin_prefetch(places_.data() + out[i], 1);
    }
  }

  // Twice the amount of members above a score at that place, ties counted once.
  [[nodiscard]] Amount wins_at(std::size_t place) const noexcept { return wins_[place]; }

  // Adds one that is no member, at its place. Returns wins_at(at).
  Amount add_at(std::size_t at, double score, Amount amount) noexcept {
    if (at == 0) {  // most of the rows: kept out of the table, whose cells would wait for another
      add_to(below_.amount, amount);
      below_.lowest = score < below_.lowest ? score : below_.lowest;
      return wins_[0];
    }
    Place& place = places_[at];
    add_to(place.amount, amount);
    place.lowest = score < place.lowest ? score : place.lowest;
    return wins_[at];
  }

  // Adds what another ladder of the same members has got. Of weights, in the same order always.
  void merge(const Rungs& other) noexcept {
    below_.take(other.below_);
    for (std::size_t i = 0; i < places_.size(); ++i) places_[i].take(other.places_[i]);
  }

  // Appends this ladder.
  void write(Ladders& out) const {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    const auto lowest = [](const Place& place) {
      return amount_in(place.amount) > 0 ? place.lowest : kNone;
    };
    const auto amount = [](const Place& place) {
      return static_cast<double>(amount_in(place.amount));
    };
    const StopSign sign;
    for (std::size_t i = members_.size(); i-- > 0;) {
      if ((i & 0xFFFFU) == 0) sign.obey();
      out.scores.push_back(sorted_[i]);
      out.members.push_back(static_cast<double>(members_[i]));
      out.others.push_back(amount(places_[2 * i + 1]));
      out.between.push_back(amount(places_[2 * i + 2]));
      out.lowest.push_back(lowest(places_[2 * i + 2]));
    }
    out.offsets.push_back(static_cast<std::int64_t>(out.scores.size()));
    out.below.push_back(amount(below_));
    out.lowest_below.push_back(lowest(below_));
  }

 private:
  static constexpr bool kWeights = std::is_same_v<Amount, double>;
  // Of weights, of twice the precision: rounded, it is the same in any order of the rows.
  using Sum = std::conditional_t<kWeights, Sum2, Amount>;

  template <class Of>
  static void add_to(Sum& sum, const Of& more) noexcept {
    if constexpr (kWeights) {
      sum.add(more);
    } else {
      sum += more;
    }
  }
  static Amount amount_in(const Sum& sum) noexcept {
    if constexpr (kWeights) {
      return sum.value();
    } else {
      return sum;
    }
  }
  static Amount sum_of_run(std::span<const Member> run) {
    const auto over_run = [run](const auto& add) {
      for (const auto [first, last] : Strides(run.size())) {
        for (std::size_t i = first; i < last; ++i) add(run[i].second);
      }
    };
    if (run.size() == 1) return run[0].second;
    if constexpr (kWeights) {
      return rounded_sum(run.size(), over_run);
    } else {
      Amount sum{};
      over_run([&sum](Amount amount) { sum += amount; });
      return sum;
    }
  }

  struct Place {
    Sum amount{};
    double lowest = std::numeric_limits<double>::infinity();
    void take(const Place& other) noexcept {
      add_to(amount, other.amount);
      lowest = std::min(lowest, other.lowest);
    }
  };

  SortedScores sorted_;
  std::vector<Amount> members_;  // at each score
  std::vector<Amount> wins_;     // at each place, see SortedScores
  std::vector<Place> places_;
  Place below_;
};

}  // namespace confmat
