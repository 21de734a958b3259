// How sure a number is: its standard error and the two ends of its interval, from the cells alone.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "confmat/metrics/registry.hpp"

namespace confmat::metrics {

enum class Method : std::uint8_t {
  kNone,      // there is none
  kWilson,    // a rate
  kDelta,     // the standard error on a scale where the range is the whole line
  kSmoothed,  // of cells with z^2 rows more: where the value is at an end of the range, or a class
              // is always predicted alike
};

struct Interval {
  double value, low, high, se;
  Method method;
};

// The cells that a rate counts: of one class (bits of tp, fp, fn and tn), or of all rows.
struct Rate {
  unsigned numerator = 0, denominator = 0;
  bool of_all = false;
  bool right = false;  // of all rows, those on the diagonal; else those off it
};
// What a number counts if it is a rate of rows: it moves with each cell as one.
std::optional<Rate> rate_of(const Ask& ask);

// The weights of the rows of a rate: those in part and all, and their squares.
struct RateWeights {
  double part = 0.0, whole = 0.0;
  double part_square = 0.0, whole_square = 0.0;
};
// Rows in effect: as many as give the share this variance, in which few rows are no lighter than
// all, as their weights tell little; Kish's number without a variance, nan without squares.
double effective_rows(const RateWeights& of);

// Wilson's interval of `share` of `n` rows.
Interval wilson(double share, double n, const Reach& reach);
// The interval on the scale of logit, logarithm or number that the range of the value asks for.
Interval on_scale(double value, double se, double lo, double hi, const Reach& reach);

// Rows and rows in all, nan where an ask is no rate; with weights, effective numbers of rows.
// `out` has 2 numbers an ask.
void rates(std::span<const Ask> asks, const Table& table, const Options& options, double* out);

// The variance is that of a multinomial sample; with weights, that of independent rows, and unknown
// without their squares.
void intervals(std::span<const Ask> asks, const Table& table, const Options& options,
               const Reach& reach, Interval* out);
// Of asks that are ends, where they stand in `out`.
void ends(std::span<const Ask> asks, const Table& table, const Options& options, double* out);

// The derivatives of each ask by the k * k cells, one after the other, nan where there are none.
// Returns whether all asks have such: sparse tables and those that are too large do not.
bool gradients(std::span<const Ask> asks, const Table& table, const Options& options, double* out);

}  // namespace confmat::metrics
