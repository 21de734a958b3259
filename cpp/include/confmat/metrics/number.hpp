// The numbers that formulas run on. `Count<D>` is an exact integer that is a polynomial of degree D
// in the cells of a table; division, and any degree above two, go to double. IEEE division gives
// the conventions for free: 0/0 is nan and x/0 is infinite.
#pragma once

#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numbers>

#include "confmat/base/big_int.hpp"
#include "confmat/base/wide.hpp"
#include "confmat/metrics/normal_quantile.hpp"

namespace confmat::metrics {

// Weights as whole multiples of a power of two.
using Whole = BigInt<16>;

// Needs: Int128 values stay below 2^127, which holds for two products of totals below 2^63; those
// of Whole below 2^kMostWholeBits for degree 1.
template <int D, class Int = Int128>
struct Count {
  static_assert(D >= 0 && D <= 2);
  Int value{};

  constexpr Count() = default;
  constexpr explicit Count(const Int& from) : value(from) {}
};
// Then products of four totals are finite doubles.
constexpr int kMostWholeBits = 240;

template <class T>
concept WholeFactor = std::same_as<T, int> || std::same_as<T, std::int64_t>;

constexpr double real(double x) { return x; }
template <int D>
constexpr double real(const Count<D>& x) {
  return to_double(x.value);
}
template <int D>
double real(const Count<D, Whole>& x) {
  return x.value.value();
}

template <int A, int B, class Int>
constexpr auto operator+(const Count<A, Int>& x, const Count<B, Int>& y) {
  return Count<(A > B ? A : B), Int>(x.value + y.value);
}
template <int A, int B, class Int>
constexpr auto operator-(const Count<A, Int>& x, const Count<B, Int>& y) {
  return Count<(A > B ? A : B), Int>(x.value - y.value);
}
template <int D, class Int>
constexpr auto operator-(const Count<D, Int>& x) {
  return Count<D, Int>(-x.value);
}
template <int A, int B, class Int>
constexpr auto operator*(const Count<A, Int>& x, const Count<B, Int>& y) {
  if constexpr (A + B <= 2) {
    return Count<A + B, Int>(x.value * y.value);
  } else {
    return real(x) * real(y);
  }
}
// Numbers of classes; what counts rows has a degree, and no number is taken from it.
template <class Int>
constexpr auto operator-(const Count<0, Int>& x, int y) {
  return Count<0, Int>(x.value - Int(std::int64_t{y}));
}
template <WholeFactor W, int D, class Int>
constexpr auto operator*(W factor, const Count<D, Int>& x) {
  return Count<D, Int>(Int(std::int64_t{factor}) * x.value);
}
template <int D, class Int>
constexpr double operator*(double factor, const Count<D, Int>& x) {
  return factor * real(x);
}
template <int D, class Int>
constexpr double operator*(const Count<D, Int>& x, double factor) {
  return real(x) * factor;
}
template <int A, int B, class Int>
constexpr double operator/(const Count<A, Int>& x, const Count<B, Int>& y) {
  return real(x) / real(y);
}
template <int D, class Int>
constexpr double operator/(const Count<D, Int>& x, double y) {
  return real(x) / y;
}
template <int D, class Int>
constexpr double operator/(double x, const Count<D, Int>& y) {
  return x / real(y);
}
template <int D, class Int>
constexpr double operator+(double x, const Count<D, Int>& y) {
  return x + real(y);
}
template <int D, class Int>
constexpr double operator+(const Count<D, Int>& x, double y) {
  return real(x) + y;
}
template <int D, class Int>
constexpr double operator-(const Count<D, Int>& x, double y) {
  return real(x) - y;
}
template <int D, class Int>
constexpr double operator-(double x, const Count<D, Int>& y) {
  return x - real(y);
}
template <int D, class Int>
constexpr bool operator<(const Count<D, Int>& x, const Count<D, Int>& y) {
  return x.value < y.value;
}

// What formulas call; each has a twin for text. They take doubles and counts alike.
template <class T>
double root(T x) {
  return std::sqrt(real(x));
}
template <class T>
double ln(T x) {
  return std::log(real(x));
}
inline double magnitude(double x) { return std::fabs(x); }
template <int D, class Int>
constexpr auto magnitude(const Count<D, Int>& x) {
  return x < Count<D, Int>() ? -x : x;
}
// x a - y b of totals x and y and products a and b of two, rounded once. Doubles that hold counts
// are below 2^25: products with halves of a and b are exact.
inline double difference_of_products(double x, double a, double y, double b) {
  constexpr double kHalf = 0x1p26, kWhole = 0x1.8p52;
  const double a_high = (a / kHalf + kWhole) - kWhole, b_high = (b / kHalf + kWhole) - kWhole;
  return (x * a_high - y * b_high) * kHalf + (x * (a - a_high * kHalf) - y * (b - b_high * kHalf));
}
inline Whole whole_of(const Int128& x) { return Whole::of(x); }
inline Whole whole_of(const Whole& x) { return x; }
template <class Int>
double difference_of_products(const Count<1, Int>& x, const Count<2, Int>& a,
                              const Count<1, Int>& y, const Count<2, Int>& b) {
  return (whole_of(x.value) * whole_of(a.value) - whole_of(y.value) * whole_of(b.value)).value();
}
// ln |x| from x and 1 - x^2.
inline double log_of_root(double x, double rest) {
  return rest < 0.5 ? 0.5 * std::log1p(-rest) : std::log(std::fabs(x));
}
inline double power_of_e(double x) { return std::exp(x); }
// The normal quantile of the share tp / (tp + fn) less that of fp / (fp + tn).
template <class T>
double normal_distance_of(T tp, T fn, T fp, T tn) {
  const double between = real(tp * tn - fp * fn) / real(tp + fn) / real(fp + tn);
  return normal_distance(normal_quantile(real(tp), real(fn)), normal_quantile(real(fp), real(tn)),
                         between);
}
template <class T>
constexpr auto square(T x) {
  return x * x;
}
// x / y, and 0 where y is 0: a term of a sum that an empty margin leaves out.
template <class T, class U>
double term_ratio(T x, U y) {
  const double below = real(y);
  return below == 0.0 ? 0.0 : real(x) / below;
}
// ln(x / y). Near 1 the difference x - y is exact for counts, so log1p keeps all digits.
template <class T>
double log_ratio(T x, T y) {
  const double gap = real(x - y);
  const double base = real(y);
  return std::fabs(gap) < 0.5 * base ? std::log1p(gap / base) : std::log(real(x) / base);
}
// weight * ln(x / y), and 0 where the weight is 0 (the limit of x ln x).
template <class W, class T>
double weighted_log(W weight, T x, T y) {
  const double factor = real(weight);
  return factor == 0.0 ? 0.0 : factor * log_ratio(x, y);
}
// (1 + gap) ln(1 + gap) - gap, which is never negative. ln(1 + gap) is 2 artanh(v), and near 0 the
// first term of that series is taken together with the gap, so that nothing cancels.
inline double log_excess(double gap) {
  if (gap <= -1.0) return 1.0;
  if (std::fabs(gap) >= 0.4) return (1.0 + gap) * std::log1p(gap) - gap;
  const double v = gap / (2.0 + gap);
  double series = 0.0;  // 1 / 3 + v^2 / 5 + v^4 / 7 + ...
  for (int i = 27; i > 1; i -= 2) series = 1.0 / i + v * v * series;
  return v * (gap + 2.0 * (1.0 + gap) * v * v * series);
}
// cell ln(n cell / margins) - (cell - margins / n), which is never negative: the sum over all cells
// is that of the logarithms alone, without their cancellation.
template <class C, class N, class M>
double surprise(C cell, N n, M margins) {
  const double base = real(margins);
  if (base == 0.0) return 0.0;
  return base / real(n) * log_excess(real(n * cell - margins) / base);
}
// x ln(x / y) - (x - y), for sums over which x and y come to the same.
template <class T>
double divergence(T x, T y) {
  const double base = real(y);
  if (base == 0.0) return real(x) == 0.0 ? 0.0 : std::numeric_limits<double>::infinity();
  return base * log_excess(real(x - y) / base);
}
// p = 1 arithmetic, 0 geometric, -1 harmonic, 2 quadratic, -inf min, inf max; nan if a value is.
double power_mean(double p, const double* values, std::size_t count);
inline double power_mean(double p, double a, double b) {
  const double values[] = {a, b};
  return power_mean(p, values, 2);
}
inline double power_mean(double p, double a, double b, double c, double d) {
  const double values[] = {a, b, c, d};
  return power_mean(p, values, 4);
}
// ln(x / y), undefined where both are 0.
template <class T>
double log_quotient(T x, T y) {
  return log_ratio(x, y);
}
// (ln b - ln a) / (ln b + ln a) of a = x / m and b = y / m, neither above 1: where one of them is
// 0, its limit.
template <class T>
double log_contrast(T x, T y, T m) {
  const double a = real(x) / real(m), b = real(y) / real(m);
  if (a > 0.0 && b > 0.0) return log_ratio(y, x) / (std::log(a) + std::log(b));
  return (a - b) / std::fabs(a - b);
}
// ln 2, for a formula without a table.
template <class T>
double ln_two(const T&) {
  return std::numbers::ln2;
}
// 0 of 0 and 1 of what is more.
template <class T>
double sign(const T& x) {
  return real(x) > 0.0 ? 1.0 : 0.0;
}
inline double smaller(double x, double y) { return y < x ? y : x; }
inline double larger(double x, double y) { return x < y ? y : x; }
template <int D, class Int>
constexpr Count<D, Int> smaller(const Count<D, Int>& x, const Count<D, Int>& y) {
  return y < x ? y : x;
}
template <int D, class Int>
constexpr Count<D, Int> larger(const Count<D, Int>& x, const Count<D, Int>& y) {
  return x < y ? y : x;
}
inline double not_negative(double x) { return x < 0.0 ? 0.0 : x; }
template <int D, class Int>
Count<D, Int> not_negative(const Count<D, Int>& x) {
  return larger(x, Count<D, Int>());
}
inline double x_ln_x(double x) { return x == 0.0 ? 0.0 : x * std::log(x); }

}  // namespace confmat::metrics
