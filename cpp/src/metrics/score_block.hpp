// One block of a sweep, and what is summed over it: kernels for the pass in score_sums.cpp. A and S
// are the types of amounts and scores.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "confmat/base/sum2.hpp"
#include "confmat/base/wide.hpp"
#include "confmat/metrics/score.hpp"
#include "confmat/metrics/score_row.hpp"

namespace confmat::metrics {

inline constexpr std::size_t kBlock = 2048;
// Counts add up in 64 bits and multiply in 128; weights carry a compensation.
template <class A>
struct Running {
  std::int64_t total = 0;
  void add(A x) { total += static_cast<std::int64_t>(x); }
  void add(const Running& other) { total += other.total; }
  [[nodiscard]] std::int64_t value() const { return total; }
};
template <>
struct Running<double> {
  Sum2 total;
  void add(double x) { total.add(x); }
  void add(const Running& other) { total.add(other.total); }
  [[nodiscard]] double value() const { return total.value(); }
};

template <class A>
constexpr bool kCounts = !std::is_same_v<A, double>;
template <class A>
using Total = std::conditional_t<kCounts<A>, std::int64_t, double>;
template <class A>
using Product = std::conditional_t<kCounts<A>, Int128, double>;
template <class A>
using ProductSum = std::conditional_t<kCounts<A>, Int128, Sum2>;

template <class A>
struct Above {  // what lies above a block, or within one
  Running<A> tp, fp;
};

template <class A>
struct Partial {
  ProductSum<A> pairs{};
  Product<A> distance{};
  Sum2 steps, trapezoids, squares, logs, placements, gains;
};

template <class S, class A>
struct Block {
  const S* scores;
  const A* p;
  const A* n;
  std::size_t size;
};

template <class A>
struct Sides {
  Total<A> positives, negatives;  // P and N
  Product<A> reached{};           // of counts: P N times a distance that some score has
  double lost = 0;                // 1 minus the area, for placements
};

template <class S, class A>
ProductSum<A> pairs_of(const Block<S, A>& b, Above<A> above) {
  ProductSum<A> total{};
  if constexpr (kCounts<A>) {
    auto tp = static_cast<std::uint64_t>(above.tp.value());
    for (std::size_t i = 0; i < b.size; ++i) {
      total += Int128{b.n[i]} * (2 * tp + b.p[i]);
      tp += b.p[i];
    }
  } else {
    double terms[kBlock];
    for (std::size_t i = 0; i < b.size; ++i) {
      const double before = above.tp.value();
      above.tp.add(b.p[i]);
      terms[i] = b.n[i] * (before + above.tp.value());
    }
    total = sum_of(terms, b.size);
  }
  return total;
}

// Sum of positives times precision; of trapezoids, the precision is the mean of that before and
// after. The precision above the first score is 1, as scikit-learn's curve has it.
template <class S, class A>
Sum2 precision_of(const Block<S, A>& b, Above<A> above, bool trapezoids) {
  double terms[kBlock];
  const auto precision = [](Total<A> tp, Total<A> fp) {
    return static_cast<double>(tp) / static_cast<double>(tp + fp);
  };
  double before = 1.0;
  if (above.tp.value() + above.fp.value() > 0)
    before = precision(above.tp.value(), above.fp.value());
  for (std::size_t i = 0; i < b.size; ++i) {
    above.tp.add(b.p[i]);
    above.fp.add(b.n[i]);
    const auto at = static_cast<double>(b.p[i]);
    // A score without weight has no precision, and no share in the sum.
    double now = precision(above.tp.value(), above.fp.value());
    if (std::isnan(now)) now = before;
    terms[i] = at * (trapezoids ? 0.5 * (before + now) : now);
    before = now;
  }
  return sum_of(terms, b.size);
}

// Of the area under the curve of gains, N / P times; positives and negatives as shares of theirs.
// The curve is straight between its points, and begins where the recall gain is 0.
template <class S, class A>
Sum2 gains_of(const Block<S, A>& b, Above<A> above, const Sides<A>& sides) {
  const auto positives = static_cast<double>(sides.positives);
  const auto negatives = static_cast<double>(sides.negatives);
  const double start = positives / (positives + negatives);
  double terms[kBlock];
  for (std::size_t i = 0; i < b.size; ++i) {
    double tp = static_cast<double>(above.tp.value()) / positives;
    double fp = static_cast<double>(above.fp.value()) / negatives;
    above.tp.add(b.p[i]);
    above.fp.add(b.n[i]);
    const double next = static_cast<double>(above.tp.value()) / positives;
    const double next_fp = static_cast<double>(above.fp.value()) / negatives;
    double width = static_cast<double>(b.p[i]) / positives;
    terms[i] = 0.0;
    if (!(width > 0 && next > start)) continue;
    if (tp < start) {
      fp += (start - tp) / width * (static_cast<double>(b.n[i]) / negatives);
      tp = start;
      width = next - start;
    }
    const double lost = (fp / tp + next_fp / next) / 2;
    terms[i] = width / tp / next * (1 - lost);
  }
  return sum_of(terms, b.size);
}

// Of counts: P N times the distance.
template <class S, class A>
Product<A> distance_of(const Block<S, A>& b, const Above<A>& above, const Sides<A>& sides) {
  Product<A> most{};
  if constexpr (kCounts<A>) {
    const Int128 up = sides.negatives;
    const Int128 down = sides.positives;
    Int128 gap = above.tp.value() * up - above.fp.value() * down;
    for (std::size_t i = 0; i < b.size; ++i) {
      gap += static_cast<Int128>(b.p[i]) * up - static_cast<Int128>(b.n[i]) * down;
      most = std::max(most, gap < 0 ? -gap : gap);
    }
  } else {
    Above<A> at = above;
    for (std::size_t i = 0; i < b.size; ++i) {
      at.tp.add(b.p[i]);
      at.fp.add(b.n[i]);
      const double gap = at.tp.value() / sides.positives - at.fp.value() / sides.negatives;
      most = std::max(most, std::fabs(gap));
    }
  }
  return most;
}

// The placement of a positive lacks the share of negatives above it to 1, that of a negative the
// share of positives below it, ties counting half. The terms of one score to the variance of the
// area: P (P - 1) and N (N - 1) times the squared distances to their mean, `lost`.
struct Placements {
  double lost, share_of_p, share_of_n, of_p, of_n;

  template <class A>
  explicit Placements(const Sides<A>& sides) noexcept : lost(sides.lost) {
    const auto p = static_cast<double>(sides.positives);
    const auto n = static_cast<double>(sides.negatives);
    share_of_p = 1 / p;
    share_of_n = 1 / n;
    of_p = 1 / (p * (p - 1));
    of_n = 1 / (n * (n - 1));
  }
  // `below` positives and `above` negatives are strictly beyond the score.
  [[nodiscard]] double term(double p, double n, double below, double above) const noexcept {
    const double x = (above + n / 2) * share_of_n - lost;
    const double y = (below + p / 2) * share_of_p - lost;
    return p * of_p * (x * x) + n * of_n * (y * y);
  }
};

template <class S, class A>
Sum2 placements_of(const Block<S, A>& b, Above<A> above, const Sides<A>& sides) {
  const Placements placements(sides);
  double terms[kBlock];
  for (std::size_t i = 0; i < b.size; ++i) {
    const auto fp = static_cast<double>(above.fp.value());
    above.tp.add(b.p[i]);
    above.fp.add(b.n[i]);
    const auto rest = static_cast<double>(sides.positives - above.tp.value());
    terms[i] = placements.term(static_cast<double>(b.p[i]), static_cast<double>(b.n[i]), rest, fp);
  }
  return sum_of(terms, b.size);
}

// The same of weights, whose squares stand for them: a row of weight w adds w^2 (x - mean)^2 over
// W^2 less the sum of all w^2 of its class.
struct WeightedPlacements {
  double lost, share_of_p, share_of_n, of_p, of_n;

  // Needs: `squares`, sums of both classes; no class is of one row alone.
  WeightedPlacements(const Sides<double>& sides, const Amounts<double>& squares, double lost_pairs)
      : lost(lost_pairs),
        share_of_p(1 / sides.positives),
        share_of_n(1 / sides.negatives),
        of_p(1 / unlike_pairs(sides.positives, *squares.positives)),
        of_n(1 / unlike_pairs(sides.negatives, *squares.negatives)) {}

  // The share of the pairs of two rows, by weight, that are not of one row twice.
  static double unlike_pairs(double total, double squares) noexcept {
    return 1 - squares / total / total;
  }

  template <class S>
  Sum2 operator()(const Block<S, double>& b, Above<double> above, const Sides<double>& sides,
                  const Amounts<double>& squares) const {
    double terms[kBlock];
    for (std::size_t i = 0; i < b.size; ++i) {
      const double before = above.fp.value();
      above.tp.add(b.p[i]);
      above.fp.add(b.n[i]);
      const double rest = std::max(sides.positives - above.tp.value(), 0.0);
      const double x = (before + b.n[i] / 2) * share_of_n - lost;
      const double y = (rest + b.p[i] / 2) * share_of_p - lost;
      terms[i] = squares.positives[i] * share_of_p * share_of_p * of_p * (x * x) +
                 squares.negatives[i] * share_of_n * share_of_n * of_n * (y * y);
    }
    return sum_of(terms, b.size);
  }
};

template <class S, class A>
Sum2 squares_of(const Block<S, A>& b) {
  double terms[kBlock];
  for (std::size_t i = 0; i < b.size; ++i) {
    const auto s = static_cast<double>(b.scores[i]);
    terms[i] =
        static_cast<double>(b.p[i]) * ((1 - s) * (1 - s)) + static_cast<double>(b.n[i]) * (s * s);
  }
  return sum_of(terms, b.size);
}

template <class S, class A>
Sum2 logs_of(const Block<S, A>& b, double clip) {
  double terms[kBlock];
  for (std::size_t i = 0; i < b.size; ++i) {
    const double s = std::clamp(static_cast<double>(b.scores[i]), clip, 1 - clip);
    double term = 0.0;
    if (b.p[i] != 0) term -= static_cast<double>(b.p[i]) * std::log(s);
    if (b.n[i] != 0) term -= static_cast<double>(b.n[i]) * std::log1p(-s);
    terms[i] = term;
  }
  return sum_of(terms, b.size);
}

// Where fpr passes fnr: `above` is what lies above the block in which it happens.
template <class S, class A>
double crossing_of(const Block<S, A>& b, Above<A> above, const Sides<A>& sides) {
  const auto p = static_cast<Product<A>>(sides.positives);
  const auto n = static_cast<Product<A>>(sides.negatives);
  const auto gap = [&](const Above<A>& at) {  // P N (fpr - fnr)
    return static_cast<Product<A>>(at.fp.value()) * p -
           (p - static_cast<Product<A>>(at.tp.value())) * n;
  };
  for (std::size_t i = 0; i < b.size; ++i) {
    const Above<A> before = above;
    above.tp.add(b.p[i]);
    above.fp.add(b.n[i]);
    if (gap(above) < 0 && i + 1 < b.size) continue;
    const auto under = static_cast<double>(-gap(before));
    const auto over = static_cast<double>(gap(above));
    const double share = under + over > 0 ? under / (under + over) : 1.0;
    return (static_cast<double>(before.fp.value()) + share * static_cast<double>(b.n[i])) /
           static_cast<double>(sides.negatives);
  }
  return 1.0;
}

}  // namespace confmat::metrics
