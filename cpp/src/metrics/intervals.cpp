// Rates by Wilson's interval, all other numbers by their gradient.
#include "confmat/metrics/intervals.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "confmat/metrics/gradient.hpp"
#include "interval_sample.hpp"
#include "nan.hpp"

namespace confmat::metrics {
namespace {

// Of so many, differences of squares of sums keep enough digits in doubles.
constexpr double kFewRows = 1e12;
constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr Interval kUnknown{kNan, kNan, kNan, kNan, Method::kNone};

bool is_at_end(double value, const RowFacts& facts) {
  const double range = facts.hi - facts.lo;
  const double dust = std::isfinite(range) ? 1e-12 * range : 0.0;
  return value <= facts.lo + dust || value >= facts.hi - dust;
}

// By the gradient in one table.
struct Delta {
  double value = kNan, se = kNan;
};
Delta delta_of(const Ask& ask, const Table& table, const Sample& cells, const Options& options) {
  Session session(table, options);
  session.kept().expect_slopes();
  Delta out{evaluate(ask, session, options), kNan};
  if (std::isnan(out.value) || !has_gradient(ask, session)) return out;
  thread_local std::vector<double> slopes;
  gradient(ask, session, options, slopes);
  out.se = std::sqrt(cells.variance(slopes, out.value));
  return out;
}

Interval smoothed_interval(const Ask& ask, const Table& table, const Sample& cells,
                           const Options& options, const Reach& reach, double value) {
  const RowFacts& facts = catalogue().row(ask.row).facts;
  std::vector<std::uint8_t> occurs(static_cast<std::size_t>(table.k), options.keep_empty ? 1 : 0);
  {
    Session session(table, options);
    for (const std::int64_t at : session.kept().kept()) occurs[static_cast<std::size_t>(at)] = 1;
  }
  const double z = std::isinf(reach.below) ? reach.above : reach.below;
  std::vector<double> more, squares;
  cells.smoothed(z * z, occurs, more, squares);
  const double total = std::accumulate(more.begin(), more.end(), 0.0);
  const Table smooth{.k = table.k,
                     .weights = more.data(),
                     .is_weighted = true,
                     .squares = squares.data(),
                     .is_rounded = total < kFewRows};
  const Delta delta = delta_of(ask, smooth, Sample(smooth), options);
  if (!(delta.se > 0.0) || is_at_end(delta.value, facts)) return kUnknown;
  Interval out = on_scale(delta.value, delta.se, facts.lo, facts.hi, reach);
  out.low = std::min(out.low, value);
  out.high = std::max(out.high, value);
  out.value = value;
  out.method = Method::kSmoothed;
  return out;
}

// `cells` are those that rows were counted in, `table` the same or smoothed ones, `delta` is of it.
Interval by_gradient(const Ask& ask, const Table& table, const Sample& cells, const Delta& delta,
                     const Options& options, const Reach& reach) {
  const RowFacts& facts = catalogue().row(ask.row).facts;
  if (std::isnan(delta.value) || table.is_sparse) return kUnknown;
  const bool spread = delta.se > 0.0 && !is_at_end(delta.value, facts);
  Interval plain = kUnknown;
  if (spread) plain = on_scale(delta.value, delta.se, facts.lo, facts.hi, reach);
  if (spread && !cells.has_certain_class()) return plain;
  Interval out = smoothed_interval(ask, table, cells, options, reach, delta.value);
  if (out.method == Method::kNone) return plain;
  out.se = delta.se;
  if (spread) {
    out.low = std::min(out.low, plain.low);
    out.high = std::max(out.high, plain.high);
  }
  return out;
}

// A metric of one class knows the other classes as the rest alone.
Interval by_gradient_of_class(const Ask& ask, const Table& table, const Sample& cells,
                              const Options& options, const Reach& reach) {
  double raw[4] = {}, smooth[4] = {}, squares[4] = {};
  cells.against_rest(static_cast<std::size_t>(options.pos), raw, squares);
  const auto others = static_cast<double>(table.k - 1);
  const double more[4] = {others * others, others, others, 1.0};
  for (std::size_t at = 0; at < 4; ++at) smooth[at] = raw[at] + options.smoothing * more[at];
  const Table of_rows{.k = 2, .weights = raw, .is_weighted = true, .squares = squares};
  Table of_class = of_rows;
  of_class.weights = smooth;
  Options both;
  both.pos = 1;
  both.keep_empty = true;
  const Sample sample(of_rows);
  return by_gradient(ask, of_class, sample, delta_of(ask, of_class, sample, both), both, reach);
}

Interval interval_of(const Ask& ask, const Table& table, const Options& options,
                     const Reach& reach) {
  const Sample cells(table);
  const auto rate = rate_in(ask, options);
  const bool of_class = catalogue().row(ask.row).kind == Kind::kBinary && ask.average == 0;
  Delta delta;
  if (rate || of_class) {
    Session session(table, options);
    delta.value = evaluate(ask, session, options);
  } else {
    delta = delta_of(ask, table, cells, options);
  }
  const double value = delta.value;
  Interval out = kUnknown;
  out.value = value;
  const double squares = table.is_weighted ? cells.square_total() : 1.0;
  if (std::isnan(value) || !(squares > 0.0) || std::isinf(squares)) return out;
  if (rate) {
    const RateWeights weights = cells.weights_of(*rate, options.pos);
    return wilson(weights.part / weights.whole, rows_of(weights, table.is_weighted), reach);
  }
  out = of_class ? by_gradient_of_class(ask, table, cells, options, reach)
                 : by_gradient(ask, table, cells, delta, options, reach);
  out.value = value;
  return out;
}

}  // namespace

Interval on_scale(double value, double se, double lo, double hi, const Reach& reach) {
  Interval out{value, lo, hi, se, Method::kDelta};
  const bool has_lo = lo > -kInf, has_hi = hi < kInf;
  if (has_lo && has_hi) {
    const double below = value - lo, above = hi - value;
    const double spread = se * (hi - lo) / (below * above);
    const double odds = below / above;
    const auto at = [&](double z) {
      const double there = odds * std::exp(z * spread);
      return std::isinf(there) ? hi : lo + (hi - lo) * there / (1 + there);
    };
    out.low = at(-reach.below);
    out.high = at(reach.above);
  } else if (has_lo) {
    out.low = lo + (value - lo) * std::exp(-reach.below * se / (value - lo));
    out.high = lo + (value - lo) * std::exp(reach.above * se / (value - lo));
  } else if (has_hi) {
    out.low = hi - (hi - value) * std::exp(reach.below * se / (hi - value));
    out.high = hi - (hi - value) * std::exp(-reach.above * se / (hi - value));
  } else {
    out.low = value - reach.below * se;
    out.high = value + reach.above * se;
  }
  return out;
}

void intervals(std::span<const Ask> asks, const Table& table, const Options& options,
               const Reach& reach, Interval* out) {
  const bool known = !table.is_weighted || table.squares != nullptr;
  for (const Ask& ask : asks) {
    *out++ = known ? interval_of(ask, table, options, reach) : kUnknown;
  }
}

void ends(std::span<const Ask> asks, const Table& table, const Options& options, double* out) {
  const auto same = [](const Ask& one, const Ask& other) {
    return one.row == other.row && one.average == other.average && one.params == other.params &&
           one.reach == other.reach;
  };
  const Ask* last = nullptr;
  Interval found = kUnknown;
  for (std::size_t i = 0; i < asks.size(); ++i) {
    const Ask& ask = asks[i];
    if (ask.part == Part::kValue) continue;
    if (last == nullptr || !same(*last, ask)) {
      intervals({&ask, 1}, table, options, ask.reach, &found);
      last = &ask;
    }
    out[i] = ask.part == Part::kLow ? found.low : found.high;
  }
}

bool gradients(std::span<const Ask> asks, const Table& table, const Options& options, double* out) {
  const auto cells = static_cast<std::size_t>(table.k) * static_cast<std::size_t>(table.k);
  Session session(table, options);
  std::vector<double> slopes;
  for (const Ask& ask : asks) {
    if (!has_gradient(ask, session)) return false;
    gradient(ask, session, options, slopes);
    out = std::copy_n(slopes.data(), cells, out);
  }
  return true;
}

}  // namespace confmat::metrics
