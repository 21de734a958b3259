// The scores of the members of one class, so that it is quick to tell how many of them are above
// another score: in buckets, so that few are left to compare with.
// Cost: 16 bytes a member; 5 to 15 ns a score that is looked up.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "confmat/base/interrupt.hpp"
#include "score_buckets.hpp"

namespace confmat {

class MemberTable {
 public:
  MemberTable() = default;
  // In any order; nan counts as the least score. Needs: fewer than 2^32.
  explicit MemberTable(std::vector<double>&& members) : size_(members.size()) {
    if (members.empty()) return;
    constexpr double kLeast = -std::numeric_limits<double>::infinity();
    for (double& member : members) member = member == member ? member + 0.0 : kLeast;
    buckets_ = ScoreBuckets(members);
    fill(members);
  }

  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

  // Of each score: twice the members above it, and the members at it. nan stands below all.
  // Needs: not empty; n <= kMany; no -0.0.
  static constexpr std::size_t kMany = 256;
  void wins(const double* scores, std::size_t n, std::uint64_t* out) const noexcept {
    std::array<std::uint32_t, kMany> first;
    for (std::size_t i = 0; i < n; ++i) {
      first[i] = buckets_.of(scores[i]);
      __builtin_prefetch(start_.data() + first[i]);
    }
    std::array<std::uint32_t, kMany> end;
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint32_t at = first[i];
      first[i] = start_[at];
      end[i] = start_[at + 1];
      __builtin_prefetch(scores_.data() + first[i]);
    }
    for (std::size_t i = 0; i < n; ++i) out[i] = wins_within(scores[i], first[i], end[i]);
  }

 private:
  static constexpr std::size_t kAtOnce = 4;

  [[nodiscard]] std::uint64_t wins_within(double score, std::uint32_t first,
                                          std::uint32_t end) const noexcept {
    const double* const from = scores_.data() + first;
    std::uint64_t below = 0;
    std::uint64_t up_to = 0;
    if (end - first <= kAtOnce) {  // without a jump: those of later buckets are larger anyway
      for (std::size_t i = 0; i < kAtOnce; ++i) {
        below += from[i] < score ? 1 : 0;
        up_to += from[i] <= score ? 1 : 0;
      }
    } else {  // sorted
      const double* const last = scores_.data() + end;
      below = static_cast<std::uint64_t>(std::lower_bound(from, last, score) - from);
      up_to = static_cast<std::uint64_t>(std::upper_bound(from, last, score) - from);
    }
    const std::uint64_t lost = 2 * std::uint64_t{first} + below + up_to;
    return 2 * std::uint64_t{size_} - (score == score ? lost : 0);
  }

  void fill(const std::vector<double>& members) {
    start_.assign(std::size_t{buckets_.size()} + 2, 0);
    std::vector<std::uint32_t> found(members.size());
    for (const auto [from, to] : Strides(members.size())) {
      for (std::size_t i = from; i < to; ++i) {
        found[i] = buckets_.of(members[i]);
        ++start_[std::size_t{found[i]} + 2];
      }
    }
    for (std::size_t i = 2; i < start_.size(); ++i) start_[i] += start_[i - 1];
    scores_.resize(members.size() + kAtOnce, std::numeric_limits<double>::quiet_NaN());
    for (const auto [from, to] : Strides(members.size())) {
      for (std::size_t i = from; i < to; ++i) {
        scores_[start_[std::size_t{found[i]} + 1]++] = members[i];
      }
    }
    const StopSign sign;
    for (std::size_t i = 0; i < buckets_.size(); ++i) {
      if ((i & 0xFFFFU) == 0) sign.obey();
      if (start_[i + 1] - start_[i] <= kAtOnce) continue;
      std::sort(scores_.begin() + start_[i], scores_.begin() + start_[i + 1]);
    }
  }

  std::size_t size_ = 0;
  ScoreBuckets buckets_;
  std::vector<std::uint32_t> start_;  // of the members of each bucket; one more at the end
  std::vector<double> scores_;        // bucket by bucket; and a few nans to read past the end
};

}  // namespace confmat
