// Metrics that are rates of rows: which they are, found by what one row more changes, and what they
// count.
#include <cmath>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "confmat/metrics/gradient.hpp"
#include "confmat/metrics/intervals.hpp"
#include "interval_sample.hpp"
#include "nan.hpp"
#include "params.hpp"

namespace confmat::metrics {
namespace {

bool alike(double x, double y) { return std::fabs(x - y) < 1e-12; }

// Of one class, where its four cells are these, all of them different.
std::optional<Rate> rate_of_cells(const Ask& ask, const double (&cells)[4]) {
  const Row& row = catalogue().row(ask.row);
  ClassSlope value;
  row.class_slopes({&cells[0], &cells[1], &cells[2], &cells[3]}, 1, params_of(ask).data(), &value);
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
  // What has several pieces may be a rate in one of them.
  if (!catalogue().row(ask.row).facts.rational) return std::nullopt;
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

// The squared weights of some rows; of few no less than if each weighed as much as all do.
double squares_of_few(double sum, double squares, double weight) {
  constexpr double kFew = 8;  // rows: their weights are taken to be half of what they tell
  const double lacking = sum * weight - squares;
  if (!(squares > 0.0)) return 0.0;
  if (!(lacking > 0.0)) return squares;
  return squares + lacking * (kFew / (sum * (sum / squares) + kFew));
}

}  // namespace

double effective_rows(const RateWeights& of) {
  if (!(of.whole_square > 0.0)) return kNan;
  const double p = of.part / of.whole;
  const double weight = of.whole_square / of.whole;
  const double right = squares_of_few(of.part, of.part_square, weight);
  const double wrong = squares_of_few(of.whole - of.part, of.whole_square - of.part_square, weight);
  const double variance = (right * (1 - p) * (1 - p) + wrong * p * p) / of.whole / of.whole;
  const double spread = p * (1 - p);
  return spread > 0.0 && variance > 0.0 ? spread / variance
                                        : of.whole * (of.whole / of.whole_square);
}

std::optional<Rate> rate_in(const Ask& ask, const Options& options) {
  if (options.classes || options.smoothing != 0.0) return std::nullopt;
  return rate_of(ask);
}

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

void rates(std::span<const Ask> asks, const Table& table, const Options& options, double* out) {
  const Sample cells(table);
  const bool weighted = table.is_weighted;
  for (const Ask& ask : asks) {
    out[0] = out[1] = kNan;
    if (const auto rate = rate_in(ask, options); rate && (!weighted || table.squares != nullptr)) {
      const RateWeights weights = cells.weights_of(*rate, options.pos);
      out[1] = weights.whole > 0.0 ? rows_of(weights, weighted) : 0.0;
      out[0] =
          weighted && weights.whole > 0.0 ? weights.part / weights.whole * out[1] : weights.part;
    }
    out += 2;
  }
}

}  // namespace confmat::metrics
