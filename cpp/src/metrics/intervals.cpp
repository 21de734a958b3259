// Rates by Wilson's interval, all other numbers by their gradient.
#include "confmat/metrics/intervals.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
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
Delta delta_of(const Ask& ask, Session& session, Sample& cells, const Options& options) {
  Delta out{evaluate(ask, session, options), kNan};
  if (std::isnan(out.value) || !has_gradient(ask, session)) return out;
  const CellSlopes slopes = cell_slopes(ask, session, options, out.value);
  if (!slopes.has_gaps) out.se = std::sqrt(cells.variance(slopes, out.value));
  return out;
}

// Cells with z^2 rows more. Needs: no session lives.
class Smoothed {
 public:
  // `cells` are those that rows were counted in, `table` the same or smoothed ones.
  Smoothed(const Table& table, const Sample& cells, const Options& options, const Reach& reach) {
    std::vector<std::uint8_t> occurs(static_cast<std::size_t>(table.k), options.keep_empty ? 1 : 0);
    {
      Session session(table, options);
      for (const std::int64_t at : session.kept().kept()) occurs[static_cast<std::size_t>(at)] = 1;
    }
    const double z = std::isinf(reach.below) ? reach.above : reach.below;
    cells.smoothed(z * z, occurs, cells_, squares_);
    const double total = std::accumulate(cells_.begin(), cells_.end(), 0.0);
    table_ = {.k = table.k,
              .weights = cells_.data(),
              .is_weighted = true,
              .squares = squares_.data(),
              .is_rounded = total < kFewRows,
              .of_classes = table.of_classes};
  }
  Smoothed(const Smoothed&) = delete;
  Smoothed& operator=(const Smoothed&) = delete;

  [[nodiscard]] const Table& table() const { return table_; }

 private:
  std::vector<double> cells_, squares_;
  Table table_;
};

// What the gradient says where rows lie, and whether that is all there is to say.
struct Plain {
  Interval interval = kUnknown;
  bool is_enough = true;
};
Plain plain_interval(const Ask& ask, const Table& table, const Delta& delta, bool has_certain_class,
                     const Reach& reach) {
  const RowFacts& facts = catalogue().row(ask.row).facts;
  Plain out;
  if (std::isnan(delta.value) || table.is_sparse) return out;
  const bool spread = delta.se > 0.0 && !is_at_end(delta.value, facts);
  if (spread) out.interval = on_scale(delta.value, delta.se, facts.lo, facts.hi, reach);
  out.is_enough = spread && !has_certain_class;
  return out;
}

// As wide as both say: the plain interval, and that of smoothed cells.
Interval widened(const Ask& ask, const Interval& plain, const Delta& here, const Delta& smooth,
                 const Reach& reach) {
  const RowFacts& facts = catalogue().row(ask.row).facts;
  if (!(smooth.se > 0.0) || is_at_end(smooth.value, facts)) return plain;
  Interval out = on_scale(smooth.value, smooth.se, facts.lo, facts.hi, reach);
  out.low = std::min(out.low, here.value);
  out.high = std::max(out.high, here.value);
  out.value = here.value;
  out.method = Method::kSmoothed;
  out.se = here.se;
  if (plain.method != Method::kNone) {
    out.low = std::min(out.low, plain.low);
    out.high = std::max(out.high, plain.high);
  }
  return out;
}

// Asks and what is known of them so far. All share the views of a table and their decompositions.
void by_gradient(std::span<const Ask> asks, const Table& table, const Sample& cells,
                 std::span<const Delta> deltas, const Options& options, const Reach& reach,
                 std::span<Interval* const> out) {
  const bool has_certain_class = !table.is_sparse && cells.has_certain_class();
  std::vector<std::size_t> others;
  for (std::size_t i = 0; i < asks.size(); ++i) {
    if (out[i] == nullptr) continue;
    const Plain plain = plain_interval(asks[i], table, deltas[i], has_certain_class, reach);
    *out[i] = plain.interval;
    if (!plain.is_enough) others.push_back(i);
  }
  if (others.empty()) return;
  const Smoothed smoothed(table, cells, options, reach);
  Sample more(smoothed.table());
  Session session(smoothed.table(), options);
  session.kept().expect_slopes();
  for (const std::size_t i : others) {
    const Delta smooth = delta_of(asks[i], session, more, options);
    *out[i] = widened(asks[i], *out[i], deltas[i], smooth, reach);
  }
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
  Sample sample(of_rows);
  Delta delta;
  {
    Session session(of_class, both);
    session.kept().expect_slopes();
    delta = delta_of(ask, session, sample, both);
  }
  Interval found = kUnknown;
  Interval* const out[] = {&found};
  by_gradient({&ask, 1}, of_class, sample, {&delta, 1}, both, reach, out);
  return found;
}

bool is_of_class(const Ask& ask) {
  return catalogue().row(ask.row).kind == Kind::kBinary && ask.average == 0;
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
  std::fill_n(out, asks.size(), kUnknown);
  if (table.is_weighted && table.squares == nullptr) return;
  Sample cells(table);
  const double squares = table.is_weighted ? cells.square_total() : 1.0;
  const bool is_spread_known = squares > 0.0 && !std::isinf(squares);
  std::vector<std::optional<Rate>> rates;
  std::vector<Delta> deltas(asks.size());
  for (const Ask& ask : asks) rates.push_back(rate_in(ask, options));
  {
    Session session(table, options);
    session.kept().expect_slopes();
    for (std::size_t i = 0; i < asks.size(); ++i) {
      const bool by_slopes = is_spread_known && !rates[i] && !is_of_class(asks[i]);
      deltas[i] = by_slopes ? delta_of(asks[i], session, cells, options)
                            : Delta{evaluate(asks[i], session, options), kNan};
    }
  }
  std::vector<Interval*> by_slopes(asks.size(), nullptr);
  for (std::size_t i = 0; i < asks.size(); ++i) {
    const double value = deltas[i].value;
    out[i].value = value;
    if (std::isnan(value) || !is_spread_known) continue;
    if (const std::optional<Rate>& rate = rates[i]; rate.has_value()) {
      const RateWeights weights = cells.weights_of(*rate, options.pos);
      out[i] = wilson(weights.part / weights.whole, rows_of(weights, table.is_weighted), reach);
    } else if (is_of_class(asks[i])) {
      out[i] = by_gradient_of_class(asks[i], table, cells, options, reach);
    } else {
      by_slopes[i] = out + i;
    }
  }
  by_gradient(asks, table, cells, deltas, options, reach, by_slopes);
  for (std::size_t i = 0; i < asks.size(); ++i) {
    if (!rates[i]) out[i].value = deltas[i].value;
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
