// Merges the runs of parts of the rows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "confmat/base/interrupt.hpp"
#include "confmat/base/pages.hpp"
#include "confmat/base/weight_sum.hpp"
#include "confmat/tally/sweep.hpp"
#include "sweep_partition.hpp"

namespace confmat {

template <class To, class From>
Pages<To> converted(const Pages<From>& values) {
  Pages<To> pages(values.size());
  for (const auto [first, last] : Strides(values.size())) {
    std::copy(values.data() + first, values.data() + last, pages.data() + first);
  }
  return pages;
}

inline bool fits_32_bits(const Pages<std::uint64_t>& counts) {
  std::uint64_t bits = 0;
  for (const auto [first, last] : Strides(counts.size())) {
    for (std::size_t i = first; i < last; ++i) bits |= counts[i];
  }
  return bits <= UINT32_MAX;
}

template <class Key, class Weight>
SweepState state_of(RunPages<Key, Weight>&& runs) {
  return {std::move(runs.scores), std::move(runs.positives), std::move(runs.negatives),
          std::move(runs.positive_squares), std::move(runs.negative_squares)};
}

// Needs: sums of counts are below 2^64.
template <class Key, class Weight>
RunPages<Key, Weight> merge_two(const RunPages<Key, Weight>& a, const RunPages<Key, Weight>& b) {
  constexpr std::size_t kBetweenLooks = std::size_t{1} << 16;
  RunPages<Key, Weight> out(a.scores.size() + b.scores.size());
  std::size_t i = 0;
  std::size_t j = 0;
  std::size_t at = 0;
  const StopSign sign;
  for (; i < a.scores.size() || j < b.scores.size(); ++at) {
    if (at % kBetweenLooks == 0) sign.obey();
    const bool from_a = j == b.scores.size() || (i < a.scores.size() && a.scores[i] >= b.scores[j]);
    const bool from_b = !from_a || (j < b.scores.size() && b.scores[j] == a.scores[i]);
    const auto add = [&]<class T>(Pages<T> RunPages<Key, Weight>::* side) {
      (out.*side)[at] = (from_a ? (a.*side)[i] : T{}) + (from_b ? (b.*side)[j] : T{});
    };
    out.scores[at] = from_a ? a.scores[i] : b.scores[j];
    add(&RunPages<Key, Weight>::positives);
    add(&RunPages<Key, Weight>::negatives);
    if constexpr (kHasSquares<Weight>) {
      add(&RunPages<Key, Weight>::positive_squares);
      add(&RunPages<Key, Weight>::negative_squares);
    }
    i += from_a ? 1 : 0;
    j += from_b ? 1 : 0;
  }
  out.shrink(at);
  return out;
}

// The state of the rows of all parts, of which there is one. Throws InputError: integer weights sum
// to more than 2^63 - 1.
template <class Key, class Weight>
SweepState merged(std::vector<RunPages<Key, Weight>> parts) {
  if (parts.size() == 1) return state_of(std::move(parts.front()));
  if constexpr (std::is_same_v<Weight, Unweighted>) {
    std::vector<RunPages<Key, std::uint64_t>> wide(parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i) {
      wide[i].scores = std::move(parts[i].scores);
      wide[i].positives = converted<std::uint64_t>(std::exchange(parts[i].positives, {}));
      wide[i].negatives = converted<std::uint64_t>(std::exchange(parts[i].negatives, {}));
    }
    SweepState out = merged(std::move(wide));
    auto& positives = std::get<Pages<std::uint64_t>>(out.positives);
    auto& negatives = std::get<Pages<std::uint64_t>>(out.negatives);
    if (fits_32_bits(positives) && fits_32_bits(negatives)) {
      out.positives = converted<std::uint32_t>(positives);
      out.negatives = converted<std::uint32_t>(negatives);
    }
    return out;
  } else {
    if constexpr (std::is_same_v<Weight, std::uint64_t>) {
      std::int64_t total = 0;
      for (const RunPages<Key, Weight>& part : parts) {
        for (const auto [first, last] : Strides(part.scores.size())) {
          add_counts(part.positives.span().subspan(first, last - first), total);
          add_counts(part.negatives.span().subspan(first, last - first), total);
        }
      }
    }
    while (parts.size() > 1) {  // neighbours, so that each row is moved log(parts) times
      std::vector<RunPages<Key, Weight>> left;
      for (std::size_t i = 0; i + 1 < parts.size(); i += 2) {
        left.push_back(merge_two(parts[i], parts[i + 1]));
        parts[i] = {};
        parts[i + 1] = {};
      }
      if (parts.size() % 2 == 1) left.push_back(std::move(parts.back()));
      parts = std::move(left);
    }
    return state_of(std::move(parts.front()));
  }
}

}  // namespace confmat
