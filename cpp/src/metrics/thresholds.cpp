// Columns of 2x2 tables, block by block: a formula runs over a block of cells, first of the
// positive class, then of the other one where an average needs it.
#include "confmat/metrics/thresholds.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <type_traits>
#include <vector>

#include "confmat/base/threads.hpp"
#include "confmat/metrics/evaluate.hpp"
#include "means_of_two.hpp"
#include "threshold_plans.hpp"

namespace confmat::metrics {
namespace {

constexpr std::size_t kBlock = 1024;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// The cells of a block, those of the positive class against the other.
template <class T>
struct Block {
  std::array<T, kBlock> tp, fp, fn, tn;

  Columns<T> positive() const { return {tp.data(), fp.data(), fn.data(), tn.data()}; }
  Columns<T> negative() const { return {tn.data(), fn.data(), fp.data(), tp.data()}; }
};

void run(const Row& row, const Columns<double>& cells, std::size_t n, const double* params,
         double* out) {
  row.column(cells, n, params, out);
}
void run(const Row& row, const Columns<std::int64_t>& cells, std::size_t n, const double* params,
         double* out) {
  row.column_counts(cells, n, params, out);
}

void run_of_counts(const Row& row, const Columns<double>& cells, std::size_t n,
                   const double* params, double* out) {
  row.two_classes(cells, n, params, out);
}
void run_of_counts(const Row& row, const Columns<std::int64_t>& cells, std::size_t n,
                   const double* params, double* out) {
  row.two_classes_counts(cells, n, params, out);
}

// Some asks over blocks of thresholds, by one thread. T is what the cells are made of, C what the
// formulas run on: doubles also for counts that are small enough (see Kit::kFast).
template <class T, class C>
class Columnwise {
 public:
  Columnwise(std::span<const Plan> plans, const Thresholds<T>& at, const Options& options,
             double* out)
      : plans_(plans), at_(at), options_(options), out_(out) {}

  void operator()(std::size_t first, std::size_t last, std::int64_t* undefined) {
    first_ = first;
    n_ = last - first;
    for (std::size_t i = 0; i < n_; ++i) {
      const T tp = at_.tp[first_ + i];
      const T fp = at_.fp[first_ + i];
      cells_.tp[i] = static_cast<C>(tp);
      cells_.fp[i] = static_cast<C>(fp);
      cells_.fn[i] = static_cast<C>(at_.positives - tp);
      cells_.tn[i] = static_cast<C>(at_.negatives - fp);
    }
    pooled_ = false;
    for (std::size_t m = 0; m < plans_.size(); ++m) {
      const Plan& plan = plans_[m];
      if (plan.way == Way::kTable) continue;
      double* const to = out_ + m * at_.size + first_;
      fill(plan, to);
      undefined[m] += finish(plan.row->facts, to);
    }
  }

 private:
  void fill(const Plan& plan, double* to) {
    const Row& base = *plan.base;
    switch (plan.way) {
      case Way::kPositive:
        return run(base, cells_.positive(), n_, plan.params, to);
      case Way::kNegative:
        return run(base, cells_.negative(), n_, plan.params, to);
      case Way::kPooled:
        return run(base, pooled(), n_, plan.params, to);
      case Way::kOfCounts:
        return run_of_counts(base, cells_.positive(), n_, plan.params, to);
      default:
        break;
    }
    run(base, cells_.negative(), n_, plan.params, to);
    run(base, cells_.positive(), n_, plan.params, other_.data());
    const double filler = options_.undefined.value_or(kNan);
    const double least = plan.row->kind == Kind::kAveraged ? plan.row->facts.min_classes : 0;
    if (plan.way == Way::kPower) {
      average(to, least, [&](std::size_t i) {
        return power_mean_of_two(to[i], other_[i], plan.power, options_.undefined);
      });
    } else if (plan.way == Way::kWeighted) {
      average(to, least, [&](std::size_t i) {
        return weighted_of_two(to[i], other_[i], row(cells_.tn[i], cells_.fp[i]),
                               row(cells_.fn[i], cells_.tp[i]), filler);
      });
    } else {
      average(to, least, [&](std::size_t i) { return mean_of_two(to[i], other_[i], filler); });
    }
  }

  template <class MeanOf>
  void average(double* to, double least, const MeanOf& mean_of) {
    for (std::size_t i = 0; i < n_; ++i) {
      const Mean mean = mean_of(i);
      to[i] = mean.used < least ? kNan : mean.value;
    }
  }

  // Returns how many values are nan.
  std::int64_t finish(const RowFacts& facts, double* to) {
    const double filler = options_.undefined ? *options_.undefined + 0.0 : kNan;
    std::int64_t undefined = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      const double value = tidy(to[i], facts);
      to[i] = value == value ? value : filler;
      undefined += to[i] == to[i] ? 0 : 1;
    }
    return undefined;
  }

  static double row(C one, C two) { return static_cast<double>(one + two); }

  // The cells of both classes added up.
  Columns<C> pooled() {
    if (!pooled_) {
      for (std::size_t i = 0; i < n_; ++i) {
        sums_.tp[i] = sums_.tn[i] = cells_.tn[i] + cells_.tp[i];
        sums_.fp[i] = sums_.fn[i] = cells_.fn[i] + cells_.fp[i];
      }
    }
    pooled_ = true;
    return sums_.positive();
  }

  std::span<const Plan> plans_;
  const Thresholds<T>& at_;
  const Options& options_;
  double* out_;
  std::size_t first_ = 0, n_ = 0;
  Block<C> cells_, sums_;
  bool pooled_ = false;
  std::array<double, kBlock> other_;
};

Table table_of(const std::int64_t* cells) { return {.k = 2, .counts = cells}; }
Table table_of(const double* cells) { return {.k = 2, .weights = cells}; }

// Asks that need the whole table, one after the other.
template <class T>
class Tablewise {
 public:
  Tablewise(std::span<const Ask> asks, std::span<const Plan> plans, const Thresholds<T>& at,
            const Options& options, double* out)
      : at_(at), options_(options), out_(out) {
    options_.pos = 1;
    for (std::size_t m = 0; m < asks.size(); ++m) {
      if (plans[m].way != Way::kTable) continue;
      asks_.push_back(asks[m]);
      places_.push_back(m);
    }
    values_.resize(asks_.size());
  }

  void operator()(std::size_t first, std::size_t last, std::int64_t* undefined) {
    if (asks_.empty()) return;
    for (std::size_t i = first; i < last; ++i) {
      const T cells[] = {at_.negatives - at_.fp[i], at_.fp[i], at_.positives - at_.tp[i],
                         at_.tp[i]};
      values(asks_, table_of(cells), options_, values_.data());
      for (std::size_t m = 0; m < asks_.size(); ++m) {
        out_[places_[m] * at_.size + i] = values_[m];
        undefined[places_[m]] += std::isnan(values_[m]) ? 1 : 0;
      }
    }
  }

 private:
  const Thresholds<T>& at_;
  Options options_;
  double* out_;
  std::vector<Ask> asks_;
  std::vector<std::size_t> places_;
  std::vector<double> values_;
};

// A stretch of thresholds a thread: two that write to the same page, where memory is new, would
// both have to clear it.
template <class T, class C>
Undefined fill_all(std::span<const Ask> asks, std::span<const Plan> plans, const Thresholds<T>& at,
                   const Options& options, int threads, double* out) {
  // A value takes about as long as a row of counting.
  const auto work = static_cast<std::int64_t>(at.size * (asks.size() + 1));
  const int parts = thread_count(threads, work);
  std::vector<Undefined> undefined(static_cast<std::size_t>(parts), Undefined(asks.size()));
  over_ranges(parts, static_cast<std::int64_t>(at.size),
              [&](int part, std::int64_t first, std::int64_t last) {
                const auto columnwise = std::make_unique<Columnwise<T, C>>(plans, at, options, out);
                Tablewise<T> tablewise(asks, plans, at, options, out);
                std::int64_t* const found = undefined[static_cast<std::size_t>(part)].data();
                const StopSign sign;
                const auto end = static_cast<std::size_t>(last);
                for (auto i = static_cast<std::size_t>(first); i < end; i += kBlock) {
                  sign.obey();
                  (*columnwise)(i, std::min(i + kBlock, end), found);
                  tablewise(i, std::min(i + kBlock, end), found);
                }
              });
  for (std::size_t part = 1; part < undefined.size(); ++part) {
    std::ranges::transform(undefined[0], undefined[part], undefined[0].begin(), std::plus());
  }
  return std::move(undefined[0]);
}

// Whether every table has both classes, and sums that no table would scale.
bool is_plain(double positives, double negatives) {
  constexpr double kLeast = 0x1p-190;
  constexpr double kMost = 0x1p190;
  const double n = positives + negatives;
  return positives > 0 && negatives > 0 && n > kLeast && n < kMost;
}

}  // namespace

Undefined values_at(std::span<const Ask> asks, const Thresholds<std::int64_t>& at,
                    const Options& options, int threads, double* out) {
  constexpr std::int64_t kMost = std::int64_t{1} << 61;
  constexpr std::int64_t kFast = std::int64_t{1} << 24;  // Kit::kFast of two classes
  const bool small = at.positives < kMost && at.negatives < kMost;
  const auto plans = plans_of(asks, small && at.positives > 0 && at.negatives > 0, false);
  if (small && at.positives + at.negatives <= kFast) {
    return fill_all<std::int64_t, double>(asks, plans, at, options, threads, out);
  }
  return fill_all<std::int64_t, std::int64_t>(asks, plans, at, options, threads, out);
}

Undefined values_at(std::span<const Ask> asks, const Thresholds<double>& at, const Options& options,
                    int threads, double* out) {
  const auto plans = plans_of(asks, is_plain(at.positives, at.negatives), true);
  return fill_all<double, double>(asks, plans, at, options, threads, out);
}

}  // namespace confmat::metrics
