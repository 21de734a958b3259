// Columns of 2x2 tables, a block at once: a formula runs over a block of cells, first of the
// positive class, then of the other one where an average needs it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "confmat/metrics/evaluate.hpp"
#include "means_of_two.hpp"
#include "threshold_plans.hpp"

namespace confmat::metrics {

inline constexpr std::size_t kTablesAtOnce = 1024;
// Up to here counts run as doubles: Kit::kFast of two classes.
inline constexpr std::int64_t kMostFast = std::int64_t{1} << 24;

// The cells of a block, those of the positive class against the other.
template <class T>
struct CellsOfTwo {
  std::array<T, kTablesAtOnce> tp, fp, fn, tn;

  Columns<T> positive() const { return {tp.data(), fp.data(), fn.data(), tn.data()}; }
  Columns<T> negative() const { return {tn.data(), fn.data(), fp.data(), tp.data()}; }
};

// `T` is what the formulas run on: doubles also for counts that are small enough (see Kit::kFast).
template <class T>
class ColumnsOfTwo {
 public:
  explicit ColumnsOfTwo(std::optional<double> undefined) : undefined_(undefined) {}

  // Where the next n tables are to be put.
  CellsOfTwo<T>& start(std::size_t n) {
    n_ = n;
    pooled_ = false;
    return cells_;
  }

  // Sets one number a table. Needs: the plan is not that of whole tables.
  void values(const Plan& plan, double* to) {
    fill(plan, to);
    const double filler = undefined_ ? *undefined_ + 0.0 : kUndefined;
    const double lo = plan.row->facts.lo, hi = plan.row->facts.hi;
    wide_loop([=, n = n_] {
      for (std::size_t i = 0; i < n; ++i) to[i] = tidy(to[i], lo, hi, filler);
    });
  }

 private:
  static constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

  static void run(const Row& row, const Columns<double>& cells, std::size_t n, const double* params,
                  double* out) {
    row.column(cells, n, params, out);
  }
  static void run(const Row& row, const Columns<std::int64_t>& cells, std::size_t n,
                  const double* params, double* out) {
    row.column_counts(cells, n, params, out);
  }
  static void run_of_counts(const Row& row, const Columns<double>& cells, std::size_t n,
                            const double* params, double* out) {
    row.two_classes(cells, n, params, out);
  }
  static void run_of_counts(const Row& row, const Columns<std::int64_t>& cells, std::size_t n,
                            const double* params, double* out) {
    row.two_classes_counts(cells, n, params, out);
  }

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
    const double filler = undefined_.value_or(kUndefined);
    const double least = plan.row->kind == Kind::kAveraged ? plan.row->facts.min_classes : 0;
    if (plan.way == Way::kPower) {
      average(to, least, [&](std::size_t i) {
        return power_mean_of_two(to[i], other_[i], plan.power, undefined_);
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
      to[i] = mean.used < least ? kUndefined : mean.value;
    }
  }

  static double row(T one, T two) { return static_cast<double>(one + two); }

  // The cells of both classes added up.
  Columns<T> pooled() {
    if (!pooled_) {
      for (std::size_t i = 0; i < n_; ++i) {
        sums_.tp[i] = sums_.tn[i] = cells_.tn[i] + cells_.tp[i];
        sums_.fp[i] = sums_.fn[i] = cells_.fn[i] + cells_.fp[i];
      }
    }
    pooled_ = true;
    return sums_.positive();
  }

  std::optional<double> undefined_;
  std::size_t n_ = 0;
  CellsOfTwo<T> cells_, sums_;
  bool pooled_ = false;
  std::array<double, kTablesAtOnce> other_;
};

// The asks whose plan is that of whole tables, one table after the other.
class AsksOfTables {
 public:
  AsksOfTables(std::span<const Ask> asks, std::span<const Plan> plans, const Options& options)
      : options_(options) {
    options_.pos = 1;
    for (std::size_t m = 0; m < asks.size(); ++m) {
      if (plans[m].way != Way::kTable) continue;
      asks_.push_back(asks[m]);
      places_.push_back(m);
    }
    values_.resize(asks_.size());
  }

  [[nodiscard]] bool empty() const noexcept { return asks_.empty(); }

  // Calls put with the place of each ask among all, and its value.
  template <class Put>
  void values(Table table, const Put& put) {
    table.k = 2;
    metrics::values(asks_, table, options_, values_.data());
    for (std::size_t m = 0; m < asks_.size(); ++m) put(places_[m], values_[m]);
  }

 private:
  Options options_;
  std::vector<Ask> asks_;
  std::vector<std::size_t> places_;
  std::vector<double> values_;
};

}  // namespace confmat::metrics
