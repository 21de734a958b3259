// The scores of the members of one class, so that it is quick to tell how many of them are above
// another score: in buckets by the leading bits, each cut once more by as many bits as it has
// members, so that few are left to compare with whatever their distribution.
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

namespace confmat {

class MemberTable {
 public:
  MemberTable() = default;
  // In any order; nan counts as the least score. Needs: fewer than 2^32.
  explicit MemberTable(std::vector<double>&& members) : size_(members.size()) {
    if (members.empty()) return;
    constexpr double kLeast = -std::numeric_limits<double>::infinity();
    least_ = std::numeric_limits<std::int64_t>::max();
    std::int64_t most = std::numeric_limits<std::int64_t>::min();
    for (double& member : members) {
      member = member == member ? member + 0.0 : kLeast;
      least_ = std::min(least_, ordered(member));
      most = std::max(most, ordered(member));
    }
    span_ = static_cast<std::uint64_t>(most) - static_cast<std::uint64_t>(least_);
    const int bits = std::min(static_cast<int>(std::bit_width(size_)) + 1, kMostGroupBits);
    shift_ = std::max(static_cast<int>(std::bit_width(span_)) - bits, 0);
    cut_groups(members);
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
      first[i] = bucket(scores[i]);
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
  static constexpr int kMostGroupBits = 12;
  static constexpr std::size_t kAtOnce = 4;

  struct Group {
    std::uint32_t bucket = 0;  // its first
    std::uint32_t shift = 0;   // of the rest of a score, for the bucket within
  };

  // Ascending with the score.
  static std::int64_t ordered(double score) noexcept {
    const auto bits = std::bit_cast<std::int64_t>(score);
    return bits ^ static_cast<std::int64_t>(static_cast<std::uint64_t>(bits >> 63) >> 1U);
  }

  // Scores beyond the members go to the outer buckets.
  [[nodiscard]] std::uint32_t bucket(double score) const noexcept {
    const std::int64_t place = std::max(ordered(score), least_);
    const std::uint64_t up =
        std::min(static_cast<std::uint64_t>(place) - static_cast<std::uint64_t>(least_), span_);
    const Group group = groups_[up >> static_cast<unsigned>(shift_)];
    const std::uint64_t rest = up & ((std::uint64_t{1} << static_cast<unsigned>(shift_)) - 1);
    return group.bucket + static_cast<std::uint32_t>(rest >> group.shift);
  }

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

  void cut_groups(const std::vector<double>& members) {
    const std::size_t groups = static_cast<std::size_t>(span_ >> static_cast<unsigned>(shift_)) + 1;
    std::vector<std::uint32_t> held(groups);
    for (const auto [from, to] : Strides(members.size())) {
      for (std::size_t i = from; i < to; ++i) {
        const auto up =
            static_cast<std::uint64_t>(ordered(members[i])) - static_cast<std::uint64_t>(least_);
        ++held[up >> static_cast<unsigned>(shift_)];
      }
    }
    groups_.resize(groups);
    for (std::size_t group = 0; group < groups; ++group) {
      const int bits = std::min(static_cast<int>(std::bit_width(held[group])), shift_);
      groups_[group] = {buckets_, static_cast<std::uint32_t>(shift_ - bits)};
      buckets_ += std::uint32_t{1} << static_cast<unsigned>(bits);
    }
  }

  void fill(const std::vector<double>& members) {
    start_.assign(std::size_t{buckets_} + 2, 0);
    std::vector<std::uint32_t> found(members.size());
    for (const auto [from, to] : Strides(members.size())) {
      for (std::size_t i = from; i < to; ++i) {
        found[i] = bucket(members[i]);
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
    for (std::size_t i = 0; i < buckets_; ++i) {
      if ((i & 0xFFFFU) == 0) sign.obey();
      if (start_[i + 1] - start_[i] <= kAtOnce) continue;
      std::sort(scores_.begin() + start_[i], scores_.begin() + start_[i + 1]);
    }
  }

  std::size_t size_ = 0;
  std::int64_t least_ = 0;  // of the members, as ordered() has it
  std::uint64_t span_ = 0;  // from there to the largest
  int shift_ = 0;           // of the distance from the least one, for the group
  std::uint32_t buckets_ = 0;
  std::vector<Group> groups_;
  std::vector<std::uint32_t> start_;  // of the members of each bucket; one more at the end
  std::vector<double> scores_;        // bucket by bucket; and a few nans to read past the end
};

}  // namespace confmat
