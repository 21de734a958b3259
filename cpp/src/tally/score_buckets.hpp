// Buckets of scores by their leading bits, each group of these cut once more by as many bits as it
// has scores, so that about one falls in each bucket whatever their distribution.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "confmat/base/interrupt.hpp"

namespace confmat {

class ScoreBuckets {
 public:
  ScoreBuckets() = default;
  // In any order, no nan and no -0.0 among them. Needs: there is one; fewer than 2^32.
  explicit ScoreBuckets(std::span<const double> scores) {
    std::int64_t most = std::numeric_limits<std::int64_t>::min();
    least_ = std::numeric_limits<std::int64_t>::max();
    for (const auto [from, to] : Strides(scores.size())) {
      for (std::size_t i = from; i < to; ++i) {
        least_ = std::min(least_, ordered(scores[i]));
        most = std::max(most, ordered(scores[i]));
      }
    }
    span_ = static_cast<std::uint64_t>(most) - static_cast<std::uint64_t>(least_);
    const int bits = std::min(static_cast<int>(std::bit_width(scores.size())) + 1, kMostGroupBits);
    shift_ = std::max(static_cast<int>(std::bit_width(span_)) - bits, 0);
    std::vector<std::uint32_t> held((span_ >> static_cast<unsigned>(shift_)) + 1);
    for (const auto [from, to] : Strides(scores.size())) {
      for (std::size_t i = from; i < to; ++i) {
        const auto up =
            static_cast<std::uint64_t>(ordered(scores[i])) - static_cast<std::uint64_t>(least_);
        ++held[up >> static_cast<unsigned>(shift_)];
      }
    }
    groups_.resize(held.size());
    for (std::size_t group = 0; group < held.size(); ++group) {
      const int cut = std::min(static_cast<int>(std::bit_width(held[group])), shift_);
      groups_[group] = {size_, static_cast<std::uint32_t>(shift_ - cut)};
      size_ += std::uint32_t{1} << static_cast<unsigned>(cut);
    }
  }

  [[nodiscard]] std::uint32_t size() const noexcept { return size_; }

  // Of any score but -0.0; those beyond the scores go to the outer buckets.
  [[nodiscard]] std::uint32_t of(double score) const noexcept {
    const std::int64_t place = std::max(ordered(score), least_);
    const std::uint64_t up =
        std::min(static_cast<std::uint64_t>(place) - static_cast<std::uint64_t>(least_), span_);
    const Group group = groups_[up >> static_cast<unsigned>(shift_)];
    const std::uint64_t rest = up & ((std::uint64_t{1} << static_cast<unsigned>(shift_)) - 1);
    return group.bucket + static_cast<std::uint32_t>(rest >> group.shift);
  }

 private:
  static constexpr int kMostGroupBits = 12;

  struct Group {
    std::uint32_t bucket = 0;  // its first
    std::uint32_t shift = 0;   // of the rest of a score, for the bucket within
  };

  // Ascending with the score.
  static std::int64_t ordered(double score) noexcept {
    const auto bits = std::bit_cast<std::int64_t>(score);
    return bits ^ static_cast<std::int64_t>(static_cast<std::uint64_t>(bits >> 63) >> 1U);
  }

  std::int64_t least_ = 0;  // as ordered() has it
  std::uint64_t span_ = 0;  // from there to the largest
  int shift_ = 0;           // of the distance from the least one, for the group
  std::uint32_t size_ = 0;
  std::vector<Group> groups_;
};

}  // namespace confmat
