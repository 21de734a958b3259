// What a determinant is as one number.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "confmat/linalg/determinant.hpp"

namespace confmat::linalg {

Det Det::of(double mantissa, std::int64_t exponent) {
  Det det;
  int power = 0;
  det.mantissa = std::frexp(mantissa, &power);
  if (!(std::fabs(det.mantissa) > 0.0)) return {};
  det.exponent = exponent + power;
  if (std::fabs(det.mantissa) < std::numbers::sqrt2 / 2.0) {
    det.mantissa *= 2.0;
    --det.exponent;
  }
  return det;
}

double Det::value() const {
  const auto capped = std::max<std::int64_t>(-5000, std::min<std::int64_t>(5000, exponent));
  return std::ldexp(mantissa, static_cast<int>(capped));
}

double Det::log_abs() const {
  if (mantissa == 0.0) return -std::numeric_limits<double>::infinity();
  return std::log(std::fabs(mantissa)) + static_cast<double>(exponent) * std::numbers::ln2;
}

double Det::sign() const { return mantissa > 0.0 ? 1.0 : mantissa < 0.0 ? -1.0 : 0.0; }

double wanted_error(const Det& det, std::int64_t k) {
  constexpr double kWanted = 1e-10;
  if (det.error <= kWanted) return kWanted;
  return kWanted * std::max(1.0, std::min(static_cast<double>(k - 1), -det.log_abs()));
}

}  // namespace confmat::linalg
