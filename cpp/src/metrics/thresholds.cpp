// Columns of 2x2 tables, block by block: a formula runs over a block of cells, first of the
// positive class, then of the other one where an average needs it.
#include "confmat/metrics/thresholds.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include "confmat/base/threads.hpp"
#include "confmat/metrics/evaluate.hpp"

namespace confmat::metrics {
namespace {

constexpr std::size_t kBlock = 1024;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kNoParams[1] = {0.0};

// How the number comes out of the columns.
enum class Way : std::uint8_t { kPositive, kNegative, kPooled, kMean, kWeighted, kPower, kTable };

struct Plan {
  const Row* row = nullptr;   // whose facts hold
  const Row* base = nullptr;  // whose column is computed
  const double* params = nullptr;
  Way way = Way::kTable;
  double power = 1.0;
};

Plan plan_of(const Ask& ask) {
  Plan plan;
  plan.row = plan.base = &catalogue().row(ask.row);
  plan.params = ask.params.empty() ? kNoParams : ask.params.data();
  auto average = static_cast<Average>(ask.average);
  if (const Row* whole = catalogue().one_of_two(*plan.row)) {
    plan.base = whole;
    plan.way = Way::kPositive;
    return plan;
  }
  if (plan.row->kind == Kind::kOverall) {
    if (plan.row->column != nullptr) plan.way = Way::kNegative;  // that of the first class
    return plan;
  }
  if (plan.row->kind == Kind::kPairs) return plan;
  if (plan.row->kind == Kind::kAveraged) {
    plan.base = &catalogue().base(*plan.row);
    average = plan.row->average;
  }
  switch (average) {
    case Average::kNone:
      plan.way = Way::kPositive;
      break;
    case Average::kMicro:
      plan.way = Way::kPooled;
      break;
    case Average::kMacro:
    case Average::kOvo:  // of two classes: each against the other
      plan.way = Way::kMean;
      break;
    case Average::kWeighted:
      plan.way = Way::kWeighted;
      break;
    default:
      plan.power = exponent_of(average, plan.params[0]);
      plan.way = plan.power == 1.0 ? Way::kMean : Way::kPower;
  }
  return plan;
}

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

struct Mean {
  double value, used;
};

// As average_of() for two classes.
Mean mean_of_two(double one, double two, double power, std::optional<double> undefined) {
  double values[2];
  std::size_t used = 0;
  for (double value : {one, two}) {
    if (std::isnan(value)) value = undefined.value_or(value);
    if (!std::isnan(value)) values[used++] = value;
  }
  if (used == 0) return {kNan, 0.0};
  const auto count = static_cast<double>(used);
  if (power != 1.0) return {power_mean(power, values, used), count};
  return {(used == 2 ? values[0] + values[1] : values[0]) / count, count};
}

Mean weighted_of_two(double one, double two, double row_one, double row_two,
                     std::optional<double> undefined) {
  double total = 0.0;
  double weight = 0.0;
  double used = 0.0;
  const double values[] = {one, two};
  const double rows[] = {row_one, row_two};
  for (int i = 0; i < 2; ++i) {
    const double value = std::isnan(values[i]) ? undefined.value_or(values[i]) : values[i];
    if (std::isnan(value)) continue;
    used += 1.0;
    total += rows[i] * value;
    weight += rows[i];
  }
  return {total / weight, used};
}

// Some asks over blocks of thresholds, by one thread. T is what the cells are made of, C what the
// formulas run on: doubles also for counts that are small enough (see Kit::kFast).
template <class T, class C>
class Columnwise {
 public:
  Columnwise(std::span<const Ask> asks, std::span<const Plan> plans, const Thresholds<T>& at,
             const Options& options, double* out)
      : asks_(asks), plans_(plans), at_(at), options_(options), out_(out) {}

  void operator()(std::int64_t block) {
    first_ = static_cast<std::size_t>(block) * kBlock;
    n_ = std::min(kBlock, at_.size - first_);
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
      for (std::size_t i = 0; i < n_; ++i) {
        const double value = tidy(to[i], plan.row->facts);
        to[i] = std::isnan(value) && options_.undefined ? *options_.undefined + 0.0 : value;
      }
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
      default:
        break;
    }
    run(base, cells_.negative(), n_, plan.params, to);
    run(base, cells_.positive(), n_, plan.params, other_.data());
    for (std::size_t i = 0; i < n_; ++i) {
      const Mean mean = plan.way == Way::kWeighted
                            ? weighted_of_two(to[i], other_[i], row(cells_.tn[i], cells_.fp[i]),
                                              row(cells_.fn[i], cells_.tp[i]), options_.undefined)
                            : mean_of_two(to[i], other_[i], plan.power, options_.undefined);
      to[i] = mean.value;
      if (mean.used < plan.row->facts.min_classes && plan.row->kind == Kind::kAveraged)
        to[i] = kNan;
    }
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

  std::span<const Ask> asks_;
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

  void operator()(std::int64_t block) {
    if (asks_.empty()) return;
    const std::size_t first = static_cast<std::size_t>(block) * kBlock;
    for (std::size_t i = first; i < std::min(first + kBlock, at_.size); ++i) {
      const T cells[] = {at_.negatives - at_.fp[i], at_.fp[i], at_.positives - at_.tp[i],
                         at_.tp[i]};
      values(asks_, table_of(cells), options_, values_.data());
      for (std::size_t m = 0; m < asks_.size(); ++m) out_[places_[m] * at_.size + i] = values_[m];
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

template <class T, class C>
void fill_all(std::span<const Ask> asks, std::span<const Plan> plans, const Thresholds<T>& at,
              const Options& options, int threads, double* out) {
  const auto blocks = static_cast<std::int64_t>((at.size + kBlock - 1) / kBlock);
  // A value takes about as long as a row of counting.
  const auto work = static_cast<std::int64_t>(at.size * (asks.size() + 1));
  for_each_task(blocks, thread_count(threads, work), [&] {
    return [columnwise = std::make_unique<Columnwise<T, C>>(asks, plans, at, options, out),
            tablewise = Tablewise<T>(asks, plans, at, options, out)](std::int64_t block) mutable {
      (*columnwise)(block);
      tablewise(block);
    };
  });
}

// Whether every table has both classes, and sums that no table would scale.
bool is_plain(double positives, double negatives) {
  constexpr double kLeast = 0x1p-190;
  constexpr double kMost = 0x1p190;
  const double n = positives + negatives;
  return positives > 0 && negatives > 0 && n > kLeast && n < kMost;
}

std::vector<Plan> plans_of(std::span<const Ask> asks, bool plain, bool weighed = false) {
  std::vector<Plan> plans;
  for (const Ask& ask : asks) {
    plans.push_back(plan_of(ask));
    Plan& plan = plans.back();
    // Of weights, a sum over the table may be rounded in another way than that over one class.
    const bool sums = plan.row->kind == Kind::kOverall && plan.base != plan.row;
    if (!plain || (weighed && (plan.base->subtracts || sums))) plan.way = Way::kTable;
  }
  return plans;
}

}  // namespace

void values_at(std::span<const Ask> asks, const Thresholds<std::int64_t>& at,
               const Options& options, int threads, double* out) {
  constexpr std::int64_t kMost = std::int64_t{1} << 61;
  constexpr std::int64_t kFast = std::int64_t{1} << 24;  // Kit::kFast of two classes
  const bool small = at.positives < kMost && at.negatives < kMost;
  const auto plans = plans_of(asks, small && at.positives > 0 && at.negatives > 0);
  if (small && at.positives + at.negatives <= kFast) {
    fill_all<std::int64_t, double>(asks, plans, at, options, threads, out);
  } else {
    fill_all<std::int64_t, std::int64_t>(asks, plans, at, options, threads, out);
  }
}

void values_at(std::span<const Ask> asks, const Thresholds<double>& at, const Options& options,
               int threads, double* out) {
  const auto plans = plans_of(asks, is_plain(at.positives, at.negatives), true);
  fill_all<double, double>(asks, plans, at, options, threads, out);
}

}  // namespace confmat::metrics
