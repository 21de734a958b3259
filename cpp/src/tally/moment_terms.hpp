// What is summed of a row only where a metric asks for it.
#pragma once

#include <cmath>
#include <cstdlib>

#include "confmat/state/moments.hpp"

namespace confmat {

// t - log(1 + t) of small t, where both are nearly the same: by the series of the inverse
// hyperbolic tangent of t / (2 + t).
inline double beyond_logarithm(double t) noexcept {
  const double r = t / (2 + t);
  const double square = r * r;
  double series = 0;
  for (int k = 19; k >= 3; k -= 2) series = series * square + 1.0 / k;
  return r * (t - 2 * square * series);
}
inline constexpr double kSmallShare = 0.25;  // as large as t may be

// Quotients by what is nearer to 0 would be no doubles.
inline constexpr double kLeastDivisor = 1e-60;

struct TermValues {
  double first = 0, second = 0;
  bool none = false;
};

// A mean has an interval by its squares: of what is larger than any such number, kMostSquare.
inline TermValues with_square(double x) noexcept {
  constexpr double kMostRoot = 1e100;
  return {x, x <= kMostRoot ? x * x : kMostSquare};
}

// Needs: numbers of at most kMostNumber.
inline TermValues term_values(const TermAsk& ask, double y, double p) noexcept {
  constexpr TermValues kNone{0, 0, true};
  const double error = std::fabs(y - p);
  switch (ask.term) {
    case MomentTerm::kPercentage:
      if (std::fabs(y) < kLeastDivisor) return kNone;
      return with_square(error / std::fabs(y));
    case MomentTerm::kSymmetric:
      return with_square(error == 0 ? 0 : 2 * error / (std::fabs(y) + std::fabs(p)));
    case MomentTerm::kLogarithms: {
      if (y <= -1 || p <= -1) return kNone;
      const double of_logs = std::log1p(y) - std::log1p(p);
      return with_square(of_logs * of_logs);
    }
    case MomentTerm::kPoisson:
      if (y < 0 || p <= 0) return kNone;
      if (y == 0) return {2 * p, 0};
      if (error <= kSmallShare * y) return {2 * y * beyond_logarithm((p - y) / y), y * std::log(y)};
      return {2 * ((p - y) - y * (std::log(p) - std::log(y))), y * std::log(y)};
    case MomentTerm::kGamma:
      if (y <= 0 || p < kLeastDivisor) return kNone;
      if (error <= kSmallShare * p) return {2 * beyond_logarithm((y - p) / p), std::log(y)};
      return {2 * ((y - p) / p - (std::log(y) - std::log(p))), std::log(y)};
    case MomentTerm::kHuber:
      if (error <= ask.param) return with_square(error * error / 2);
      return with_square(ask.param * (error - ask.param / 2));
    case MomentTerm::kPowers:
    case MomentTerm::kErrors:
      break;  // which are no terms of a row
  }
  std::abort();
}

}  // namespace confmat
