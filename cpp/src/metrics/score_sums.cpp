// Sums over a sweep, block by block. Blocks have a fixed size and are put together in order, so
// that threads change nothing; a block stays in the cache while one quantity after the other is
// summed.
#include "score_sums.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "confmat/base/error.hpp"
#include "confmat/base/quotient.hpp"
#include "confmat/base/sum2.hpp"
#include "confmat/base/threads.hpp"

namespace confmat::metrics {
namespace {

constexpr std::size_t kBlock = 2048;
constexpr std::int64_t kMostCount = std::int64_t{1} << 61;  // then every sum here fits 63 bits

[[noreturn]] void refuse_counts() {
  throw InputError("the counts of a sweep add up to more than 2^61, or one passes 2^50");
}

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
  Sum2 steps, trapezoids, squares, logs;
};

template <class S, class A>
struct Block {
  const S* scores;
  const A* p;
  const A* n;
  std::size_t size;
};

// P and N, and whether their products fit 64 bits.
template <class A>
struct Sides {
  Total<A> positives, negatives;
  [[nodiscard]] bool narrow() const {
    if constexpr (kCounts<A>) {
      constexpr auto kMost = std::numeric_limits<std::int64_t>::max() / 2;
      return positives == 0 || negatives <= kMost / positives;
    } else {
      return false;
    }
  }
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

template <class P, class S, class A>
P distance_of(const Block<S, A>& b, const Above<A>& above, const Sides<A>& sides) {
  P most{};
  if constexpr (kCounts<A>) {
    const P up = sides.negatives;
    const P down = sides.positives;
    P gap = above.tp.value() * up - above.fp.value() * down;
    for (std::size_t i = 0; i < b.size; ++i) {
      gap += static_cast<P>(b.p[i]) * up - static_cast<P>(b.n[i]) * down;
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
Sum2 logs_of(const Block<S, A>& b) {
  double terms[kBlock];
  constexpr auto kLeast = static_cast<double>(std::numeric_limits<S>::epsilon());
  for (std::size_t i = 0; i < b.size; ++i) {
    const double s = std::clamp(static_cast<double>(b.scores[i]), kLeast, 1 - kLeast);
    double term = 0.0;
    if (b.p[i] != 0) term -= static_cast<double>(b.p[i]) * std::log(s);
    if (b.n[i] != 0) term -= static_cast<double>(b.n[i]) * std::log1p(-s);
    terms[i] = term;
  }
  return sum_of(terms, b.size);
}

template <class S, class A>
Partial<A> partial_of(const Block<S, A>& b, const Above<A>& above, const Sides<A>& sides,
                      unsigned needs) {
  Partial<A> out;
  if ((needs & kPairs) != 0) out.pairs = pairs_of(b, above);
  if ((needs & kSteps) != 0) out.steps = precision_of(b, above, false);
  if ((needs & kTrapezoids) != 0) out.trapezoids = precision_of(b, above, true);
  if ((needs & kDistance) != 0) {
    out.distance = sides.narrow() ? distance_of<Total<A>>(b, above, sides)
                                  : distance_of<Product<A>>(b, above, sides);
  }
  if ((needs & kSquares) != 0) out.squares = squares_of(b);
  if ((needs & kLogs) != 0) out.logs = logs_of(b);
  return out;
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

// Kept from call to call, as grouped metrics come in millions of small sweeps. Other threads work
// on that of the thread that made the Pass.
template <class T>
std::vector<T>& scratch() {
  thread_local std::vector<T> kept;
  return kept;
}

template <class S, class A>
class Pass {
 public:
  Pass(const S* scores, const Amounts<A>& amounts, std::size_t size, int threads)
      : scores_(scores), amounts_(amounts), size_(size), blocks_((size + kBlock - 1) / kBlock) {
    threads_ = thread_count(threads, static_cast<std::int64_t>(size));
    above_.resize(blocks_ + 1);
    each_block([&](std::size_t i) {
      const Block<S, A> b = block(i);
      Above<A>& within = above_[i + 1];
      within = {};
      if constexpr (kCounts<A>) {
        std::uint64_t bits = 0;
        for (std::size_t j = 0; j < b.size; ++j) {
          bits |= b.p[j] | b.n[j];
          within.tp.add(b.p[j]);
          within.fp.add(b.n[j]);
        }
        if (bits >= kMostCount / kBlock) refuse_counts();
      } else {
        within.tp.total = sum_of(b.p, b.size);
        within.fp.total = sum_of(b.n, b.size);
      }
    });
    above_[0] = {};
    for (std::size_t i = 0; i < blocks_; ++i) {
      above_[i + 1].tp.add(above_[i].tp);
      above_[i + 1].fp.add(above_[i].fp);
      if constexpr (kCounts<A>) {
        if (above_[i + 1].tp.total + above_[i + 1].fp.total > kMostCount) refuse_counts();
      }
    }
    sides_ = {above_[blocks_].tp.value(), above_[blocks_].fp.value()};
  }

  ScoreSums sums(unsigned needs) {
    const auto partials = all_partials(needs);
    Partial<A> all;
    for (const Partial<A>& part : partials) {
      if constexpr (kCounts<A>) {
        all.pairs += part.pairs;
      } else {
        all.pairs.add(part.pairs);
      }
      all.distance = std::max(all.distance, part.distance);
      all.steps.add(part.steps);
      all.trapezoids.add(part.trapezoids);
      all.squares.add(part.squares);
      all.logs.add(part.logs);
    }
    ScoreSums out;
    out.positives = static_cast<double>(sides_.positives);
    out.negatives = static_cast<double>(sides_.negatives);
    out.n = static_cast<double>(sides_.positives + sides_.negatives);
    if constexpr (kCounts<A>) {
      const Int128 product = Int128{sides_.positives} * sides_.negatives;
      out.auc = quotient(all.pairs, 2 * product);
      out.gini = quotient(all.pairs - product, product);
      out.distance = quotient(all.distance, product);
    } else {
      out.auc = all.pairs.value() / 2 / sides_.positives / sides_.negatives;
      out.gini = 2 * out.auc - 1;
      out.distance = all.distance;
    }
    out.steps = all.steps.value();
    out.trapezoids = all.trapezoids.value();
    out.squares = all.squares.value();
    out.logs = all.logs.value();
    if ((needs & kCrossing) != 0 && out.positives > 0 && out.negatives > 0) {
      out.crossing = crossing();
    }
    return out;
  }

  std::pair<Int128, Int128> pairs() {
    std::pair<Int128, Int128> out;
    if constexpr (kCounts<A>) {
      for (const Partial<A>& part : all_partials(kPairs)) out.first += part.pairs;
      out.second = 2 * Int128{sides_.positives} * sides_.negatives;
    }
    return out;
  }

 private:
  Block<S, A> block(std::size_t i) const {
    const std::size_t first = i * kBlock;
    return {scores_ + first, amounts_.positives + first, amounts_.negatives + first,
            std::min(kBlock, size_ - first)};
  }

  template <class Body>
  void each_block(const Body& body) const {
    for_each_task(static_cast<std::int64_t>(blocks_), threads_,
                  [&] { return [&](std::int64_t i) { body(static_cast<std::size_t>(i)); }; });
  }

  std::span<const Partial<A>> all_partials(unsigned needs) {
    partials_.assign(blocks_, {});
    each_block(
        [&](std::size_t i) { partials_[i] = partial_of(block(i), above_[i], sides_, needs); });
    return partials_;
  }

  double crossing() const {
    const auto rises = [&](const Above<A>& at) {
      const auto p = static_cast<Product<A>>(sides_.positives);
      const auto n = static_cast<Product<A>>(sides_.negatives);
      return static_cast<Product<A>>(at.fp.value()) * p -
                 (p - static_cast<Product<A>>(at.tp.value())) * n <
             0;
    };
    const auto after = std::partition_point(above_.begin() + 1, above_.end() - 1, rises);
    const auto i = static_cast<std::size_t>(after - above_.begin()) - 1;
    return crossing_of(block(i), above_[i], sides_);
  }

  const S* scores_;
  Amounts<A> amounts_;
  std::size_t size_;
  std::size_t blocks_;
  int threads_ = 1;
  Sides<A> sides_{};
  std::vector<Above<A>>& above_ = scratch<Above<A>>();
  std::vector<Partial<A>>& partials_ = scratch<Partial<A>>();
};

template <class Body>
auto with_types(const SweepView& sweep, const Body& body) {
  return std::visit([&](const auto* scores, const auto& amounts) { return body(scores, amounts); },
                    sweep.scores, sweep.amounts);
}

}  // namespace

ScoreSums sum_scores(const SweepView& sweep, unsigned needs, int threads) {
  return with_types(sweep, [&](const auto* scores, const auto& amounts) {
    return Pass(scores, amounts, sweep.size, threads).sums(needs);
  });
}

std::pair<Int128, Int128> ordered_pairs(const SweepView& sweep) {
  return with_types(sweep, [&](const auto* scores, const auto& amounts) {
    return Pass(scores, amounts, sweep.size, 0).pairs();
  });
}

}  // namespace confmat::metrics
