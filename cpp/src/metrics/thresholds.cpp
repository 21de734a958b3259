// Tables at thresholds, block by block; asks without a form for two classes table by table.
#include "confmat/metrics/thresholds.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

#include "columns_of_two.hpp"
#include "confmat/base/threads.hpp"
#include "confmat/metrics/evaluate.hpp"
#include "threshold_plans.hpp"

namespace confmat::metrics {
namespace {

// Some asks over blocks of thresholds, by one thread. T is what the cells are made of, C what the
// formulas run on: doubles also for counts that are small enough (see Kit::kFast).
template <class T, class C>
class Columnwise {
 public:
  Columnwise(std::span<const Plan> plans, const Thresholds<T>& at, const Options& options,
             double* out)
      : plans_(plans), at_(at), out_(out), columns_(options.undefined) {}

  void operator()(std::size_t first, std::size_t last, std::int64_t* undefined) {
    CellsOfTwo<C>& cells = columns_.start(last - first);
    for (std::size_t i = 0; i < last - first; ++i) {
      const T tp = at_.tp[first + i];
      const T fp = at_.fp[first + i];
      cells.tp[i] = static_cast<C>(tp);
      cells.fp[i] = static_cast<C>(fp);
      cells.fn[i] = static_cast<C>(at_.positives - tp);
      cells.tn[i] = static_cast<C>(at_.negatives - fp);
    }
    for (std::size_t m = 0; m < plans_.size(); ++m) {
      if (plans_[m].way == Way::kTable) continue;
      double* const to = out_ + m * at_.size + first;
      columns_.values(plans_[m], to);
      undefined[m] += std::count_if(to, to + (last - first), [](double of) { return of != of; });
    }
  }

 private:
  std::span<const Plan> plans_;
  const Thresholds<T>& at_;
  double* out_;
  ColumnsOfTwo<C> columns_;
};

Table table_of(const std::int64_t* cells) { return {.counts = cells}; }
Table table_of(const double* cells) { return {.weights = cells}; }

// Asks that need the whole table, one after the other.
template <class T>
class Tablewise {
 public:
  Tablewise(std::span<const Ask> asks, std::span<const Plan> plans, const Thresholds<T>& at,
            const Options& options, double* out)
      : at_(at), out_(out), asks_(asks, plans, options) {}

  void operator()(std::size_t first, std::size_t last, std::int64_t* undefined) {
    for (std::size_t i = first; i < last && !asks_.empty(); ++i) {
      const T cells[] = {at_.negatives - at_.fp[i], at_.fp[i], at_.positives - at_.tp[i],
                         at_.tp[i]};
      asks_.values(table_of(cells), [&](std::size_t m, double value) {
        out_[m * at_.size + i] = value;
        undefined[m] += std::isnan(value) ? 1 : 0;
      });
    }
  }

 private:
  const Thresholds<T>& at_;
  double* out_;
  AsksOfTables asks_;
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
                for (auto i = static_cast<std::size_t>(first); i < end; i += kTablesAtOnce) {
                  sign.obey();
                  (*columnwise)(i, std::min(i + kTablesAtOnce, end), found);
                  tablewise(i, std::min(i + kTablesAtOnce, end), found);
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
  const bool small = at.positives < kMost && at.negatives < kMost;
  const auto plans = plans_of(asks, small && at.positives > 0 && at.negatives > 0, false);
  if (small && at.positives + at.negatives <= kMostFast) {
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
