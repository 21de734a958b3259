// Power means of a few values.
#include <algorithm>
#include <cmath>

#include "confmat/metrics/number.hpp"

namespace confmat::metrics {

double power_mean(double p, const double* values, std::size_t count) {
  double total = 0.0;
  double lowest = values[0];
  double highest = values[0];
  for (std::size_t i = 0; i < count; ++i) {
    if (std::isnan(values[i])) return values[i];
    lowest = std::min(lowest, values[i]);
    highest = std::max(highest, values[i]);
  }
  if (p == -INFINITY) return lowest;
  if (p == INFINITY) return highest;
  if (lowest == highest) return lowest;
  if (p <= 0.0 && lowest == 0.0) return 0.0;
  const auto size = static_cast<double>(count);
  const double unit = p > 0.0 ? highest : lowest;  // the largest power is that of 1
  for (std::size_t i = 0; i < count; ++i) {
    const double x = values[i];
    if (p == 1.0) {
      total += x;
    } else if (p == -1.0) {
      total += 1.0 / x;
    } else if (p == 2.0) {
      total += x * x;
    } else if (p == 0.0) {
      total += std::log(x);
    } else {
      total += std::pow(x / unit, p);
    }
  }
  if (p == 1.0) return total / size;
  if (p == -1.0) return size / total;
  if (p == 2.0) return std::sqrt(total / size);
  if (p == 0.0) return std::exp(total / size);
  return unit * std::pow(total / size, 1.0 / p);
}

}  // namespace confmat::metrics
