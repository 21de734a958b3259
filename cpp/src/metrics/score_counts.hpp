// A block of counts whose running sums are small: loops in which no step waits for the one before,
// so that the compiler can make vectors of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "confmat/base/sum2.hpp"
#include "confmat/base/wide.hpp"
#include "score_block.hpp"

namespace confmat::metrics {

// Positives and negatives within a block down to each score, that score included.
struct RunningCounts {
  std::int32_t tp[kBlock];
  std::int32_t fp[kBlock];

  template <class S, class A>
  explicit RunningCounts(const Block<S, A>& b) noexcept {
    std::int32_t p = 0;
    std::int32_t n = 0;
    for (std::size_t i = 0; i < b.size; ++i) {
      p += static_cast<std::int32_t>(b.p[i]);
      n += static_cast<std::int32_t>(b.n[i]);
      tp[i] = p;
      fp[i] = n;
    }
  }
};

// Whether running sums of a block fit 31 bits, and P N 62 bits; and whether there is a row at its
// first score or above. `below` is what lies above the next block.
template <class S, class A>
bool is_small(const Block<S, A>& b, const Above<A>& above, const Above<A>& below,
              const Sides<A>& sides) noexcept {
  constexpr std::int64_t kMostWithin = std::int64_t{1} << 30;
  constexpr std::int64_t kMostPairs = std::int64_t{1} << 62;
  return below.tp.value() - above.tp.value() < kMostWithin &&
         below.fp.value() - above.fp.value() < kMostWithin &&
         (sides.positives == 0 || sides.negatives < kMostPairs / sides.positives) &&
         above.tp.value() + above.fp.value() + static_cast<std::int64_t>(b.p[0] + b.n[0]) > 0;
}

template <class S, class A>
Int128 pairs_of(const Block<S, A>& b, const Above<A>& above, const RunningCounts& within) {
  const std::size_t last = b.size - 1;
  // No sum passes 2 * tp * fp of the block, which is less than 2^61.
  auto total = static_cast<std::uint64_t>(b.n[0]) * static_cast<std::uint64_t>(b.p[0]);
  for (std::size_t i = 1; i < b.size; ++i) {
    const auto twice = static_cast<std::uint32_t>(within.tp[i - 1] + within.tp[i]);
    total += std::uint64_t{twice} * static_cast<std::uint32_t>(b.n[i]);
  }
  return 2 * Int128{above.tp.value()} * within.fp[last] + total;
}

template <class S, class A>
Sum2 precision_of(const Block<S, A>& b, const Above<A>& above, bool trapezoids,
                  const RunningCounts& within) {
  const auto tp = static_cast<double>(above.tp.value());
  const auto rows = static_cast<double>(above.tp.value() + above.fp.value());
  double precision[kBlock + 1];
  precision[0] = rows > 0 ? tp / rows : 1.0;
  for (std::size_t i = 0; i < b.size; ++i) {
    precision[i + 1] = (tp + within.tp[i]) / (rows + (within.tp[i] + within.fp[i]));
  }
  double terms[kBlock];
  for (std::size_t i = 0; i < b.size; ++i) {
    const double at = static_cast<std::int32_t>(b.p[i]);
    terms[i] = at * (trapezoids ? 0.5 * (precision[i] + precision[i + 1]) : precision[i + 1]);
  }
  return sum_of(terms, b.size);
}

template <class S, class A>
Sum2 placements_of(const Block<S, A>& b, const Above<A>& above, const Sides<A>& sides,
                   const RunningCounts& within) {
  const Placements placements(sides);
  const auto rest = static_cast<double>(sides.positives - above.tp.value());
  const auto fp = static_cast<double>(above.fp.value());
  double terms[kBlock];
  for (std::size_t i = 0; i < b.size; ++i) {
    const double p = static_cast<std::int32_t>(b.p[i]);
    const double n = static_cast<std::int32_t>(b.n[i]);
    terms[i] = placements.term(p, n, rest - within.tp[i], fp + within.fp[i] - n);
  }
  return sum_of(terms, b.size);
}

// The largest distance in the block, or one reached elsewhere. Over a stretch of scores it moves by
// no more than the rows of one side times the total of the other, so few need a closer look.
template <class S, class A>
Int128 distance_of(const Block<S, A>& b, const Above<A>& above, const Sides<A>& sides,
                   const RunningCounts& within) {
  constexpr std::size_t kStretch = 64;
  const auto gap = [&](std::size_t i) {
    return (above.tp.value() + within.tp[i]) * sides.negatives -
           (above.fp.value() + within.fp[i]) * sides.positives;
  };
  auto most = static_cast<std::int64_t>(sides.reached);
  std::int64_t before = above.tp.value() * sides.negatives - above.fp.value() * sides.positives;
  std::int64_t tp = 0;
  std::int64_t fp = 0;
  for (std::size_t first = 0; first < b.size; first += kStretch) {
    const std::size_t last = std::min(first + kStretch, b.size) - 1;
    const std::int64_t up = (within.tp[last] - tp) * sides.negatives;
    const std::int64_t down = (within.fp[last] - fp) * sides.positives;
    if (std::max(before + up, down - before) > most) {
      for (std::size_t i = first; i <= last; ++i) most = std::max(most, std::abs(gap(i)));
    }
    before += up - down;
    tp = within.tp[last];
    fp = within.fp[last];
  }
  return most;
}

template <class S, class A>
Partial<A> partial_of(const Block<S, A>& b, const Above<A>& above, const Above<A>& below,
                      const Sides<A>& sides, unsigned needs, double clip) {
  Partial<A> out;
  const auto in_order = [&](const auto&... within) {
    if ((needs & kPairs) != 0) out.pairs = pairs_of(b, above, within...);
    if ((needs & kSteps) != 0) out.steps = precision_of(b, above, false, within...);
    if ((needs & kTrapezoids) != 0) out.trapezoids = precision_of(b, above, true, within...);
    if ((needs & kDistance) != 0) out.distance = distance_of(b, above, sides, within...);
    if ((needs & kPlacements) != 0) out.placements = placements_of(b, above, sides, within...);
  };
  if constexpr (kCounts<A>) {
    if (is_small(b, above, below, sides)) {
      in_order(RunningCounts(b));
    } else {
      in_order();
    }
  } else {
    in_order();
  }
  if ((needs & kGains) != 0) out.gains = gains_of(b, above, sides);
  if ((needs & kSquares) != 0) out.squares = squares_of(b);
  if ((needs & kLogs) != 0) out.logs = logs_of(b, clip);
  return out;
}

}  // namespace confmat::metrics
