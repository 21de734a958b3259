// Averages over two classes, as average_of() has them for any number of classes.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>

#include "confmat/metrics/number.hpp"

namespace confmat::metrics {

struct Mean {
  double value, used;
};

// As average_of() for two classes.
inline Mean power_mean_of_two(double one, double two, double power,
                              std::optional<double> undefined) {
  double values[2];
  std::size_t used = 0;
  for (double value : {one, two}) {
    if (std::isnan(value)) value = undefined.value_or(value);
    if (!std::isnan(value)) values[used++] = value;
  }
  if (used == 0) return {std::numeric_limits<double>::quiet_NaN(), 0.0};
  return {power_mean(power, values, used), static_cast<double>(used)};
}

// The same for the arithmetic mean and for that weighted by rows, without a jump, so that loops
// become vectors; `filler` takes the place of nan.
inline Mean mean_of_two(double one, double two, double filler) {
  one = one == one ? one : filler;
  two = two == two ? two : filler;
  const double has_one = one == one ? 1.0 : 0.0;
  const double has_two = two == two ? 1.0 : 0.0;
  const double used = has_one + has_two;
  return {((one == one ? one : 0.0) + (two == two ? two : 0.0)) / used, used};
}

inline Mean weighted_of_two(double one, double two, double row_one, double row_two, double filler) {
  one = one == one ? one : filler;
  two = two == two ? two : filler;
  const double first = one == one ? row_one * one : 0.0;
  const double second = two == two ? row_two * two : 0.0;
  const double weight = (one == one ? row_one : 0.0) + (two == two ? row_two : 0.0);
  return {(first + second) / weight, (one == one ? 1.0 : 0.0) + (two == two ? 1.0 : 0.0)};
}

}  // namespace confmat::metrics
