// Rates by Wilson's interval, all other numbers by their gradient.
#include "confmat/metrics/intervals.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "confmat/metrics/gradient.hpp"

namespace confmat::metrics {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr Interval kUnknown{kNan, kNan, kNan, kNan, Method::kNone};

bool alike(double x, double y) { return std::fabs(x - y) < 1e-12; }

// Of one class, where its four cells are these, all of them different.
std::optional<Rate> rate_of_cells(const Ask& ask, const double (&cells)[4]) {
  const Row& row = catalogue().row(ask.row);
  const double param = ask.params.empty() ? 0.0 : ask.params[0];
  ClassSlope value;
  row.class_slopes({&cells[0], &cells[1], &cells[2], &cells[3]}, 1, &param, &value);
  Rate rate;
  double part = 0.0, whole = 0.0;
  for (unsigned i = 0; i < 4; ++i) {
    if (value.slopes[i] == 0.0) continue;
    rate.denominator |= 1U << i;
    whole += cells[i];
    if (!(value.slopes[i] > 0.0)) continue;
    rate.numerator |= 1U << i;
    part += cells[i];
  }
  if (rate.denominator == 0 || !alike(value.value, part / whole)) return std::nullopt;
  for (unsigned i = 0; i < 4; ++i) {
    if ((rate.denominator >> i & 1U) == 0) continue;
    const double hit = (rate.numerator >> i & 1U) != 0 ? 1.0 : 0.0;
    if (!alike(value.slopes[i], (hit - value.value) / whole)) return std::nullopt;
  }
  return rate;
}

std::optional<Rate> rate_of_class(const Ask& ask) {
  const auto rate = rate_of_cells(ask, {7.0, 11.0, 13.0, 17.0});
  // The smaller of two rates is one of them here, and the other there.
  const auto other = rate_of_cells(ask, {17.0, 13.0, 11.0, 7.0});
  const bool same = rate && other && rate->numerator == other->numerator &&
                    rate->denominator == other->denominator;
  return same ? rate : std::nullopt;
}

// Of all rows, tried on a table of three classes.
std::optional<Rate> rate_of_table(const Ask& ask) {
  constexpr std::int64_t kCells[9] = {7, 1, 2, 5, 11, 4, 3, 8, 17};
  constexpr double kRows = 58.0;
  const Table table{.k = 3, .counts = kCells};
  const Options options;
  Session session(table, options);
  if (!has_gradient(ask, session)) return std::nullopt;
  const double value = evaluate(ask, session, options);
  std::vector<double> slopes;
  gradient(ask, session, options, slopes);
  for (const bool right : {true, false}) {
    bool fits = true;
    for (std::size_t at = 0; at < 9; ++at) {
      const double hit = (at % 4 == 0) == right ? 1.0 : 0.0;
      fits = fits && alike(slopes[at], (hit - value) / kRows);
    }
    if (fits) return Rate{.of_all = true, .right = right};
  }
  return std::nullopt;
}

// The cells of a table as doubles, and the variance that a gradient by them gives.
class Sample {
 public:
  explicit Sample(const Table& table)
      : table_(table), squares_(table.squares), size_(static_cast<std::size_t>(table.k)) {
    held_ = table.is_sparse ? static_cast<std::size_t>(table.filled) : size_ * size_;
  }

  [[nodiscard]] std::size_t held() const { return held_; }
  [[nodiscard]] std::size_t place(std::size_t at) const {
    return table_.is_sparse ? static_cast<std::size_t>(table_.places[at]) : at;
  }
  [[nodiscard]] double cell(std::size_t at) const {
    return table_.counts != nullptr ? static_cast<double>(table_.counts[at]) : table_.weights[at];
  }
  [[nodiscard]] double square(std::size_t at) const {
    return squares_ == nullptr ? cell(at) : squares_[at];
  }

  // The sum of all squared weights.
  [[nodiscard]] double square_total() const {
    double out = 0.0;
    for (std::size_t at = 0; at < held_; ++at) out += square(at);
    return out;
  }

  // Sum of w^2 (g - mean g)^2, of a dense table; 0 where that is nothing but rounding.
  [[nodiscard]] double variance(const std::vector<double>& slopes, double value) const {
    constexpr double kNoise = 1e-10;
    double total = 0.0, turn = 0.0, steepest = 0.0, widest = 0.0;
    for (std::size_t at = 0; at < held_; ++at) {
      steepest = std::max(steepest, std::fabs(slopes[at]));
      if (!(cell(at) > 0.0)) continue;
      total += cell(at);
      turn += cell(at) * slopes[at];
    }
    const double mean = turn / total;
    double out = 0.0;
    for (std::size_t at = 0; at < held_; ++at) {
      if (!(cell(at) > 0.0)) continue;
      const double gap = slopes[at] - mean;
      widest = std::max(widest, std::fabs(gap));
      out += square(at) * gap * gap;
    }
    return widest > kNoise * std::max(steepest, std::fabs(value) / total) ? out : 0.0;
  }

  // Whether all rows of a true class that occurs are in one cell, so that none of its spread is
  // seen.
  [[nodiscard]] bool has_certain_class() const {
    for (std::size_t i = 0; i < size_; ++i) {
      double all = 0.0, most = 0.0;
      for (std::size_t j = 0; j < size_; ++j) {
        all += cell(i * size_ + j);
        most = std::max(most, cell(i * size_ + j));
      }
      if (all > 0.0 && most == all) return true;
    }
    return false;
  }

  // tn, fp, fn and tp of a class, as a table of two classes.
  void against_rest(std::size_t positive, double (&cells)[4], double (&squares)[4]) const {
    for (std::size_t at = 0; at < held_; ++at) {
      const std::size_t i = place(at) / size_, j = place(at) % size_;
      const std::size_t to = (i == positive ? 2U : 0U) + (j == positive ? 1U : 0U);
      cells[to] += cell(at);
      squares[to] += square(at);
    }
  }

  // The numbers of a rate.
  struct Share {
    double part = 0.0, whole = 0.0;
    double part_square = 0.0, whole_square = 0.0;
  };
  [[nodiscard]] Share share(const Rate& rate, std::int64_t pos) const {
    Share out;
    const auto positive = static_cast<std::size_t>(pos);
    for (std::size_t at = 0; at < held_; ++at) {
      const std::size_t i = place(at) / size_, j = place(at) % size_;
      unsigned bit = 0;
      if (rate.of_all) {
        bit = (i == j) == rate.right ? 3U : 2U;
      } else {
        const unsigned four = i == positive ? (j == positive ? 0U : 2U) : (j == positive ? 1U : 3U);
        bit = (rate.numerator >> four & 1U) | (rate.denominator >> four & 1U) << 1U;
      }
      if ((bit & 2U) != 0) {
        out.whole += cell(at);
        out.whole_square += square(at);
      }
      if ((bit & 1U) != 0) {
        out.part += cell(at);
        out.part_square += square(at);
      }
    }
    return out;
  }

  // The same cells and z^2 rows more, spread over those of classes that occur, each of the mean
  // weight of a row.
  void smoothed(double rows, const std::vector<std::uint8_t>& occurs, std::vector<double>& cells,
                std::vector<double>& squares) const {
    double total = 0.0, square_total = 0.0, classes = 0.0;
    for (std::size_t at = 0; at < held_; ++at) {
      total += cell(at);
      square_total += square(at);
    }
    for (const std::uint8_t one : occurs) classes += one;
    const double unit = square_total / total;
    const double more = rows / (classes * classes);
    cells.resize(held_);
    squares.resize(held_);
    for (std::size_t at = 0; at < held_; ++at) {
      const bool both = occurs[at / size_] != 0 && occurs[at % size_] != 0;
      cells[at] = cell(at) + (both ? more * unit : 0.0);
      squares[at] = square(at) + (both ? more * unit * unit : 0.0);
    }
  }

 private:
  Table table_;
  const double* squares_;
  std::size_t size_, held_ = 0;
};

// Rows in effect: as many as give the share this variance; without one, Kish's.
double effective_rows(const Sample::Share& of, bool weighted) {
  if (!weighted) return of.whole;
  const double p = of.part / of.whole;
  const double other = of.whole_square - of.part_square;
  const double variance =
      (of.part_square * (1 - p) * (1 - p) + other * p * p) / (of.whole * of.whole);
  if (variance > 0.0) return p * (1 - p) / variance;
  return of.whole_square > 0.0 ? of.whole * (of.whole / of.whole_square) : kNan;
}

std::optional<Rate> rate_in(const Ask& ask, const Options& options) {
  if (options.classes || options.smoothing != 0.0) return std::nullopt;
  return rate_of(ask);
}

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
  const Table smooth{
      .k = table.k, .weights = more.data(), .is_weighted = true, .squares = squares.data()};
  const Delta delta = delta_of(ask, smooth, Sample(smooth), options);
  if (!(delta.se > 0.0) || is_at_end(delta.value, facts)) return kUnknown;
  Interval out = on_scale(delta.value, delta.se, facts.lo, facts.hi, reach);
  out.low = std::min(out.low, value);
  out.high = std::max(out.high, value);
  out.value = value;
  out.method = Method::kSmoothed;
  return out;
}

// `cells` are those that rows were counted in, `table` the same or smoothed ones.
Interval by_gradient(const Ask& ask, const Table& table, const Sample& cells,
                     const Options& options, const Reach& reach) {
  const RowFacts& facts = catalogue().row(ask.row).facts;
  const Delta delta = delta_of(ask, table, cells, options);
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
  return by_gradient(ask, of_class, Sample(of_rows), both, reach);
}

Interval interval_of(const Ask& ask, const Table& table, const Options& options,
                     const Reach& reach) {
  const Sample cells(table);
  Interval out = kUnknown;
  {
    Session session(table, options);
    out.value = evaluate(ask, session, options);
  }
  const double squares = table.is_weighted ? cells.square_total() : 1.0;
  if (std::isnan(out.value) || !(squares > 0.0) || std::isinf(squares)) return out;
  const double value = out.value;
  if (const auto rate = rate_in(ask, options)) {
    const Sample::Share share = cells.share(*rate, options.pos);
    return wilson(share.part / share.whole, effective_rows(share, table.is_weighted), reach);
  }
  const bool of_class = catalogue().row(ask.row).kind == Kind::kBinary && ask.average == 0;
  out = of_class ? by_gradient_of_class(ask, table, cells, options, reach)
                 : by_gradient(ask, table, cells, options, reach);
  out.value = value;
  return out;
}

}  // namespace

std::optional<Rate> rate_of(const Ask& ask) {
  const Row& row = catalogue().row(ask.row);
  if (row.kind == Kind::kBinary && ask.average == 0) return rate_of_class(ask);
  if (!ask.params.empty()) return rate_of_table(ask);
  thread_local std::map<std::pair<std::int32_t, std::int32_t>, std::optional<Rate>> known;
  const auto [at, is_new] = known.try_emplace({ask.row, ask.average});
  if (is_new) at->second = rate_of_table(ask);
  return at->second;
}

Interval wilson(double share, double n, const Reach& reach) {
  // Without quotients by n, which a sum of weights may make too large.
  const auto end = [share, n](double z, double sign) {
    const double half = z / (n + z * z) * std::sqrt(share * (1 - share) * n + z * z / 4);
    return (share * n + z * z / 2) / (n + z * z) + sign * half;
  };
  Interval out{share, 0.0, 1.0, std::sqrt(share * (1 - share) / n), Method::kWilson};
  if (share > 0.0 && !std::isinf(reach.below)) out.low = std::min(end(reach.below, -1.0), share);
  if (share < 1.0 && !std::isinf(reach.above)) out.high = std::max(end(reach.above, 1.0), share);
  return out;
}

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

void rates(std::span<const Ask> asks, const Table& table, const Options& options, double* out) {
  const Sample cells(table);
  const bool weighted = table.is_weighted;
  for (const Ask& ask : asks) {
    out[0] = out[1] = kNan;
    if (const auto rate = rate_in(ask, options); rate && (!weighted || table.squares != nullptr)) {
      const Sample::Share share = cells.share(*rate, options.pos);
      out[1] = share.whole > 0.0 ? effective_rows(share, weighted) : 0.0;
      out[0] = weighted && share.whole > 0.0 ? share.part / share.whole * out[1] : share.part;
    }
    out += 2;
  }
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
      intervals({&ask, 1}, table, options, {ask.reach, ask.reach}, &found);
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
