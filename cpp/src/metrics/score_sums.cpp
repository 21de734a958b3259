// Sums over a sweep, block by block. Blocks have a fixed size and are put together in order, so
// that threads change nothing; a block stays in the cache while one quantity after the other is
// summed.
#include "score_sums.hpp"

#include <algorithm>
#include <limits>

#include "confmat/base/error.hpp"
#include "confmat/base/quotient.hpp"
#include "confmat/base/threads.hpp"
#include "confmat/base/weight_sum.hpp"
#include "confmat/base/wide.hpp"
#include "confmat/kernels/wide_loop.hpp"
#include "score_counts.hpp"

namespace confmat::metrics {
namespace {

// Of one block: the counts add up in 64 bits where none of them passes this.
constexpr std::uint64_t kFewEach = (std::uint64_t{1} << 62) / kBlock;

[[noreturn]] void refuse_counts() {
  throw InputError("the counts of a sweep add up to more than 2^63 - 1");
}

// Of counts that are not few. Throws InputError where both sides together pass 2^63 - 1.
template <class S, class A>
void require_block(const Block<S, A>& b) {
  UInt128 total = 0;
  for (std::size_t j = 0; j < b.size; ++j) total += UInt128{b.p[j]} + b.n[j];
  if (total > UInt128{INT64_MAX}) refuse_counts();
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
  Pass(const S* scores, const Amounts<A>& amounts, const SweepView& sweep, int threads)
      : scores_(scores),
        amounts_(amounts),
        size_(sweep.size),
        blocks_((sweep.size + kBlock - 1) / kBlock),
        clip_(sweep.clip > 0 ? sweep.clip : std::numeric_limits<S>::epsilon()) {
    const std::size_t size = sweep.size;
    threads_ = thread_count(threads, static_cast<std::int64_t>(size));
    above_.resize(blocks_ + 1);
    each_block([&](std::size_t i) {
      const Block<S, A> b = block(i);
      Above<A>& within = above_[i + 1];
      within = {};
      if constexpr (kCounts<A>) {
        std::uint64_t bits = 0;
        std::uint64_t tp = 0;
        std::uint64_t fp = 0;
        for (std::size_t j = 0; j < b.size; ++j) {
          bits |= b.p[j] | b.n[j];
          tp += b.p[j];
          fp += b.n[j];
        }
        if (bits >= kFewEach) require_block(b);
        within.tp.total = static_cast<std::int64_t>(tp);
        within.fp.total = static_cast<std::int64_t>(fp);
      } else {
        within.tp.total = sum_of(b.p, b.size);
        within.fp.total = sum_of(b.n, b.size);
      }
    });
    above_[0] = {};
    for (std::size_t i = 0; i < blocks_; ++i) {
      if constexpr (kCounts<A>) {
        const Int128 rows = Int128{above_[i].tp.total} + above_[i].fp.total +
                            above_[i + 1].tp.total + above_[i + 1].fp.total;
        if (rows > INT64_MAX) refuse_counts();
      }
      above_[i + 1].tp.add(above_[i].tp);
      above_[i + 1].fp.add(above_[i].fp);
    }
    sides_ = {above_[blocks_].tp.value(), above_[blocks_].fp.value()};
    if constexpr (kCounts<A>) {
      for (const Above<A>& at : above_) {
        const Int128 gap =
            Int128{at.tp.value()} * sides_.negatives - Int128{at.fp.value()} * sides_.positives;
        sides_.reached = std::max(sides_.reached, gap < 0 ? -gap : gap);
      }
    }
    if constexpr (!kCounts<A>) {
      require_weight_sum(sides_.positives);
      require_weight_sum(sides_.negatives);
    }
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
      all.gains.add(part.gains);
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
    out.gains = out.positives / out.negatives * all.gains.value();
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

  // Of weights, `squares` are the sums of their squares.
  AreaVariance area_variance(const Amounts<double>& squares) {
    AreaVariance out;
    if constexpr (!kCounts<A>) return weighted_variance(squares);
    if constexpr (kCounts<A>) {
      if (sides_.positives == 0 || sides_.negatives == 0) return out;
      const auto [right, all] = pairs();
      out.area = quotient(right, all);
      if (sides_.positives < 2 || sides_.negatives < 2) return out;
      sides_.lost = quotient(all - right, all);
      Sum2 total;
      for (const Partial<A>& part : all_partials(kPlacements)) total.add(part.placements);
      out.variance = total.value();
    }
    return out;
  }

 private:
  AreaVariance weighted_variance(const Amounts<double>& squares) {
    constexpr double kRounding = 1e-14;
    AreaVariance out;
    if constexpr (!kCounts<A>) {
      if (sides_.positives == 0 || sides_.negatives == 0) return out;
      out.area = sums(kPairs).auc;
      const double totals[] = {total_of(squares.positives), total_of(squares.negatives)};
      const Amounts<double> total{&totals[0], &totals[1]};
      for (const double pairs : {WeightedPlacements::unlike_pairs(sides_.positives, totals[0]),
                                 WeightedPlacements::unlike_pairs(sides_.negatives, totals[1])}) {
        if (!(pairs > kRounding)) return out;
      }
      const WeightedPlacements placements(sides_, total, 1 - out.area);
      partials_.assign(blocks_, {});
      each_block([&](std::size_t i) {
        const std::size_t first = i * kBlock;
        const Amounts<double> of{squares.positives + first, squares.negatives + first};
        partials_[i].placements = placements(block(i), above_[i], sides_, of);
      });
      Sum2 sum;
      for (const Partial<A>& part : partials_) sum.add(part.placements);
      out.variance = sum.value();
    }
    return out;
  }

  [[nodiscard]] double total_of(const double* numbers) const {
    Sum2 total;
    for (std::size_t i = 0; i < blocks_; ++i) {
      const std::size_t first = i * kBlock;
      total.add(sum_of(numbers + first, std::min(kBlock, size_ - first)));
    }
    return total.value();
  }

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
    each_block([&](std::size_t i) {
      wide_loop([&] {
        partials_[i] = partial_of(block(i), above_[i], above_[i + 1], sides_, needs, clip_);
      });
    });
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
  double clip_;
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
    return Pass(scores, amounts, sweep, threads).sums(needs);
  });
}

std::pair<Int128, Int128> ordered_pairs(const SweepView& sweep) {
  return with_types(sweep, [&](const auto* scores, const auto& amounts) {
    return Pass(scores, amounts, sweep, 0).pairs();
  });
}

AreaVariance variance_of_area(const SweepView& sweep, int threads) {
  return with_types(sweep, [&](const auto* scores, const auto& amounts) {
    return Pass(scores, amounts, sweep, threads).area_variance(sweep.squares);
  });
}

}  // namespace confmat::metrics
