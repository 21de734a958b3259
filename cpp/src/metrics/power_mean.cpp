// Power means of a few values, to a few units in the last place for every exponent.
#include <algorithm>
#include <cmath>

#include "confmat/base/sum2.hpp"
#include "confmat/metrics/dual.hpp"

namespace confmat::metrics {
namespace {

// Below this the root 1 / p would magnify the rounding of the powers.
constexpr double kSmallExponent = 0.05;

// e^t - 1 - t
double beyond_linear(double t) {
  if (std::fabs(t) > 0.5) return std::expm1(t) - t;
  double sum = 0.0;
  for (int i = 15; i > 2; --i) sum = (1.0 + sum) * t / i;
  return 0.5 * t * t * (1.0 + sum);
}

// Of the values that are not 0, `used` of them. The product is mantissa and exponent, so that it
// never over- or underflows before the root.
double geometric_mean(const double* values, std::size_t count, std::size_t used) {
  double mantissa = 1.0;
  double exponent = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    if (values[i] == 0.0) continue;
    int power = 0;
    mantissa *= std::frexp(values[i], &power);
    exponent += power;
    mantissa = std::frexp(mantissa, &power);
    exponent += power;
  }
  const auto size = static_cast<double>(used);
  const double whole = std::floor(exponent / size);
  const double rest = exponent - whole * size;
  const double root = used == 2 ? std::sqrt(std::ldexp(mantissa, static_cast<int>(rest)))
                                : std::pow(mantissa, 1.0 / size) * std::exp2(rest / size);
  return std::ldexp(root, static_cast<int>(whole));
}

// (above / below)^(1 / p), with what the quotients round off put back in first order.
double root_of_ratio(double above, double below, double p) {
  const double ratio = above / below;
  const double power = 1.0 / p;
  const double root = std::pow(ratio, power);
  if (root == 0.0) return 0.0;
  const double ratio_rest = std::fma(-ratio, below, above) / above;
  const double power_rest = std::fma(-power, p, 1.0) / p;
  return root * std::exp(power * ratio_rest + power_rest * std::log(ratio));
}

// Around the geometric mean G: the logarithms d of x / G sum to 0, so the mean of (x / G)^p is 1
// plus that of e^t - 1 - t, t = p d, which does not cancel. Zeros (of p > 0) are a factor apart.
double near_geometric(double p, const double* values, std::size_t count) {
  std::size_t used = 0;
  for (std::size_t i = 0; i < count; ++i) used += values[i] != 0.0;
  const double unit = geometric_mean(values, count, used);
  Sum2 total;
  for (std::size_t i = 0; i < count; ++i) {
    if (values[i] != 0.0) total.add(beyond_linear(p * std::log(values[i] / unit)));
  }
  const auto size = static_cast<double>(used);
  const double mean = unit * std::exp(std::log1p(total.value() / size) / p);
  return used == count ? mean : mean * root_of_ratio(size, static_cast<double>(count), p);
}

}  // namespace

double power_mean(double p, const double* values, std::size_t count) {
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
  if (p >= 0.0 && std::isinf(highest)) return highest;
  if (p == 0.0) return geometric_mean(values, count, count);
  if (std::fabs(p) < kSmallExponent) return near_geometric(p, values, count);
  const auto size = static_cast<double>(count);
  const double unit = p > 0.0 ? highest : lowest;  // the largest power is that of 1
  Sum2 total;
  for (std::size_t i = 0; i < count; ++i) {
    const double x = values[i];
    if (p == 1.0) {
      total.add(x);
    } else if (p == -1.0) {
      total.add(unit / x);
    } else if (p == 2.0) {
      total.add((x / unit) * (x / unit));
    } else {
      total.add(std::pow(x / unit, p));
    }
  }
  const double mean = total.value() / size;
  if (p == 1.0) return mean;
  if (p == -1.0) return unit / mean;
  if (p == 2.0) return unit * std::sqrt(mean);
  return unit * std::pow(mean, 1.0 / p);
}

// dM / dx = (x / M)^(p - 1) / count. Of the least or the largest it is 1, which those that are it
// share.
double power_mean_slope(double p, double mean, double value, double count) {
  if (std::isinf(p)) return value == mean ? 1.0 : 0.0;
  if (value == mean || p == 1.0) return 1.0 / count;
  // Infinite below p = 1, but what makes a value 0 is in cells without rows: those that have rows
  // do not move it.
  if (value == 0.0) return 0.0;
  return std::pow(value / mean, p - 1.0) / count;
}

}  // namespace confmat::metrics
