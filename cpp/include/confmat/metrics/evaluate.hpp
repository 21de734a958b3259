// How one asked-for number is computed from the margins: which kit, which average.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "confmat/metrics/catalogue.hpp"

namespace confmat::metrics {

struct Averaged {
  double value;
  std::int64_t used;  // classes, or ordered pairs of classes
};

// Over the classes that averages see; `params` are those of the row, then those of the average.
Averaged average_of(const Row& row, Average average, const double* params, Session& session,
                    std::optional<double> undefined);

// The classes that are positive in a pair of classes without a value.
std::vector<std::int64_t> undefined_in_pairs(const Row& row, const double* params,
                                             Session& session);

// Of the power mean that an average of `row` is.
double exponent_of(const Row& row, Average average, const double* params);

// Classes `first` to `first + count` of a binary formula against the rest.
void column_of_row(const Row& row, const double* params, Margins& of, std::int64_t first,
                   std::int64_t count, double* out);

// Whether an ask needs all cells of a sparse table, and these are too many.
bool is_refused(const Ask& ask, Session& session);
std::string refusal_in(const Ask& ask, Session& session);  // empty: it is not
// Throws InputError if the matrix that it needs is of too many classes.
void require_table(const Margins& of);

// Whether the cells are scaled, and this metric of a caller would be another one of those.
bool is_beyond_scale(const Row& row, Session& session);

// The value of an ask before `undefined` replaces it; nan where undefined.
double evaluate(const Ask& ask, Session& session, const Options& options);

// The pair table: tp fn fp tn of pairs of rows.
struct PairTable {
  bool whole = false;  // the counts are exact
  bool weighed = false;
  Whole weights[4];  // twice the pairs of weights, exact in some unit
  std::int64_t counts[4] = {};
  double real[4] = {};
};
PairTable pair_table(Margins& of);

// +0 for -0, `filler` for nan, and a last digit beyond the range lo ... hi of a metric taken back.
// No jump, so that loops become vectors.
inline double tidy(double value, double lo, double hi, double filler) noexcept {
  constexpr double kDust = 1e-12;
  const double above = value < lo ? lo : value;
  const double within = above > hi ? hi : above;
  value = (std::abs(within - value) < kDust ? within : value) + 0.0;
  return value == value ? value : filler;
}
// The same with one nan for all. `facts` are those of either registry.
inline double tidy(double value, const auto& facts) noexcept {
  return tidy(value, facts.lo, facts.hi, std::numeric_limits<double>::quiet_NaN());
}

}  // namespace confmat::metrics
