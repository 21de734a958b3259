// Numbers that carry their derivatives by N variables: formulas that run on them give their own
// gradient.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <numbers>

#include "confmat/metrics/number.hpp"

namespace confmat::metrics {

template <std::size_t N>
struct Dual {
  double value = 0.0;
  std::array<double, N> slopes{};

  constexpr Dual() = default;
  constexpr Dual(double constant) : value(constant) {}  // NOLINT: a number is a constant
  // By the first M of these variables.
  template <std::size_t M>
    requires(M < N)
  constexpr Dual(const Dual<M>& fewer) : value(fewer.value) {  // NOLINT: so it is one by all
    for (std::size_t i = 0; i < M; ++i) slopes[i] = fewer.slopes[i];
  }
  static constexpr Dual variable(double value, std::size_t at) {
    Dual out(value);
    out.slopes[at] = 1.0;
    return out;
  }
};

// f(x), whose derivative there is `slope`.
template <std::size_t N>
constexpr Dual<N> chained(double value, const Dual<N>& x, double slope) {
  Dual<N> out(value);
  for (std::size_t i = 0; i < N; ++i) out.slopes[i] = slope * x.slopes[i];
  return out;
}
template <std::size_t N>
constexpr Dual<N> chained(double value, const Dual<N>& x, double by_x, const Dual<N>& y,
                          double by_y) {
  Dual<N> out(value);
  for (std::size_t i = 0; i < N; ++i) out.slopes[i] = by_x * x.slopes[i] + by_y * y.slopes[i];
  return out;
}

template <class T>
concept Constant = std::same_as<T, int> || std::same_as<T, double>;

template <std::size_t N>
constexpr double real(const Dual<N>& x) {
  return x.value;
}
template <std::size_t N>
constexpr bool operator<(const Dual<N>& x, const Dual<N>& y) {
  return x.value < y.value;
}
template <std::size_t N>
constexpr Dual<N> operator-(const Dual<N>& x) {
  return chained(-x.value, x, -1.0);
}
template <std::size_t N>
constexpr Dual<N> operator+(const Dual<N>& x, const Dual<N>& y) {
  return chained(x.value + y.value, x, 1.0, y, 1.0);
}
template <std::size_t N>
constexpr Dual<N> operator-(const Dual<N>& x, const Dual<N>& y) {
  return chained(x.value - y.value, x, 1.0, y, -1.0);
}
template <std::size_t N>
constexpr Dual<N> operator*(const Dual<N>& x, const Dual<N>& y) {
  return chained(x.value * y.value, x, y.value, y, x.value);
}
template <std::size_t N>
constexpr Dual<N> operator/(const Dual<N>& x, const Dual<N>& y) {
  const double value = x.value / y.value;
  return chained(value, x, 1.0 / y.value, y, -value / y.value);
}
template <Constant C, std::size_t N>
constexpr Dual<N> operator+(C constant, const Dual<N>& x) {
  return chained(constant + x.value, x, 1.0);
}
template <Constant C, std::size_t N>
constexpr Dual<N> operator+(const Dual<N>& x, C constant) {
  return constant + x;
}
template <Constant C, std::size_t N>
constexpr Dual<N> operator-(C constant, const Dual<N>& x) {
  return chained(constant - x.value, x, -1.0);
}
template <Constant C, std::size_t N>
constexpr Dual<N> operator-(const Dual<N>& x, C constant) {
  return chained(x.value - constant, x, 1.0);
}
template <Constant C, std::size_t N>
constexpr Dual<N> operator*(C constant, const Dual<N>& x) {
  return chained(constant * x.value, x, constant);
}
template <Constant C, std::size_t N>
constexpr Dual<N> operator*(const Dual<N>& x, C constant) {
  return constant * x;
}
template <Constant C, std::size_t N>
constexpr Dual<N> operator/(const Dual<N>& x, C constant) {
  return chained(x.value / constant, x, 1.0 / constant);
}
template <Constant C, std::size_t N>
constexpr Dual<N> operator/(C constant, const Dual<N>& x) {
  const double value = constant / x.value;
  return chained(value, x, -value / x.value);
}

template <std::size_t N>
Dual<N> root(const Dual<N>& x) {
  const double value = std::sqrt(x.value);
  return chained(value, x, 0.5 / value);
}
template <std::size_t N>
Dual<N> ln(const Dual<N>& x) {
  return chained(std::log(x.value), x, 1.0 / x.value);
}
template <std::size_t N>
Dual<N> magnitude(const Dual<N>& x) {
  return x.value < 0.0 ? -x : x;
}
template <std::size_t N>
Dual<N> log_of_root(const Dual<N>& x, const Dual<N>& rest) {
  return chained(log_of_root(x.value, rest.value), x, 1.0 / x.value);
}
template <std::size_t N>
Dual<N> power_of_e(const Dual<N>& x) {
  const double value = std::exp(x.value);
  return chained(value, x, value);
}
template <std::size_t N>
Dual<N> normal_distance_of(const Dual<N>& tp, const Dual<N>& fn, const Dual<N>& fp,
                           const Dual<N>& tn) {
  const auto quantile = [](const Dual<N>& x, const Dual<N>& y) {
    const double value = normal_quantile(x.value, y.value);
    const double n = x.value + y.value;
    const double turn = std::sqrt(2 * std::numbers::pi) * std::exp(value * value / 2) / (n * n);
    return chained(value, x, turn * y.value, y, -turn * x.value);
  };
  Dual<N> out = quantile(tp, fn) - quantile(fp, tn);
  out.value = normal_distance_of(tp.value, fn.value, fp.value, tn.value);
  return out;
}
template <std::size_t N>
Dual<N> term_ratio(const Dual<N>& x, const Dual<N>& y) {
  return y.value == 0.0 ? Dual<N>() : x / y;
}
template <std::size_t N>
Dual<N> log_ratio(const Dual<N>& x, const Dual<N>& y) {
  return chained(log_ratio(x.value, y.value), x, 1.0 / x.value, y, -1.0 / y.value);
}
template <std::size_t N>
Dual<N> log_quotient(const Dual<N>& x, const Dual<N>& y) {
  return log_ratio(x, y);
}
template <std::size_t N>
Dual<N> log_contrast(const Dual<N>& x, const Dual<N>& y, const Dual<N>& m) {
  const double value = log_contrast(x.value, y.value, m.value);
  if (!(x.value > 0.0 && y.value > 0.0)) return Dual<N>(value);
  const double a = std::log(x.value / m.value), b = std::log(y.value / m.value);
  const double by = 2.0 / ((a + b) * (a + b));
  Dual<N> out = chained(value, x, -by * b / x.value, y, by * a / y.value);
  for (std::size_t i = 0; i < N; ++i) out.slopes[i] += by * (b - a) / m.value * m.slopes[i];
  return out;
}
template <std::size_t N>
Dual<N> not_negative(const Dual<N>& x) {
  return x.value < 0.0 ? Dual<N>() : x;
}
// At an empty cell the slope is infinite; no row is there to move it, so it counts as 0.
template <std::size_t N>
Dual<N> weighted_log(const Dual<N>& weight, const Dual<N>& x, const Dual<N>& y) {
  if (weight.value == 0.0) return {};
  const Dual<N> ratio = log_ratio(x, y);
  return chained(weight.value * ratio.value, weight, ratio.value, ratio, weight.value);
}
template <std::size_t N>
Dual<N> surprise(const Dual<N>& cell, const Dual<N>& n, const Dual<N>& margins) {
  if (margins.value == 0.0) return {};
  const double value = surprise(cell.value, n.value, margins.value);
  const double by_cell = cell.value == 0.0 ? 0.0 : log_ratio(n.value * cell.value, margins.value);
  Dual<N> out = chained(value, cell, by_cell, n, (cell.value - margins.value / n.value) / n.value);
  const double by_margins = 1.0 / n.value - cell.value / margins.value;
  for (std::size_t i = 0; i < N; ++i) out.slopes[i] += by_margins * margins.slopes[i];
  return out;
}
template <std::size_t N>
Dual<N> difference_of_products(const Dual<N>& x, const Dual<N>& a, const Dual<N>& y,
                               const Dual<N>& b) {
  Dual<N> out = x * a - y * b;
  out.value = difference_of_products(x.value, a.value, y.value, b.value);
  return out;
}
template <std::size_t N>
Dual<N> divergence(const Dual<N>& x, const Dual<N>& y) {
  if (x.value == 0.0 && y.value == 0.0) return {};
  const double by_x = x.value == 0.0 ? 0.0 : log_ratio(x.value, y.value);
  return chained(divergence(x.value, y.value), x, by_x, y, 1.0 - x.value / y.value);
}
template <std::size_t N>
Dual<N> smaller(const Dual<N>& x, const Dual<N>& y) {
  return y.value < x.value ? y : x;
}
template <std::size_t N>
Dual<N> larger(const Dual<N>& x, const Dual<N>& y) {
  return x.value < y.value ? y : x;
}

// Of numbers by fewer and by more variables, which are the first of these.
template <std::size_t N, std::size_t... M>
using Wider = Dual<std::max({N, M...})>;
template <std::size_t N, std::size_t... M>
concept Unlike = ((N != M) || ...);

template <std::size_t N, std::size_t M>
  requires Unlike<N, M>
constexpr auto operator+(const Dual<N>& x, const Dual<M>& y) {
  return Wider<N, M>(x) + Wider<N, M>(y);
}
template <std::size_t N, std::size_t M>
  requires Unlike<N, M>
constexpr auto operator-(const Dual<N>& x, const Dual<M>& y) {
  return Wider<N, M>(x) - Wider<N, M>(y);
}
template <std::size_t N, std::size_t M>
  requires Unlike<N, M>
constexpr auto operator*(const Dual<N>& x, const Dual<M>& y) {
  return Wider<N, M>(x) * Wider<N, M>(y);
}
template <std::size_t N, std::size_t M>
  requires Unlike<N, M>
constexpr auto operator/(const Dual<N>& x, const Dual<M>& y) {
  return Wider<N, M>(x) / Wider<N, M>(y);
}
template <std::size_t N, std::size_t M>
  requires Unlike<N, M>
auto term_ratio(const Dual<N>& x, const Dual<M>& y) {
  return term_ratio(Wider<N, M>(x), Wider<N, M>(y));
}
template <std::size_t N, std::size_t M, std::size_t L>
  requires Unlike<N, M, L>
auto weighted_log(const Dual<N>& weight, const Dual<M>& x, const Dual<L>& y) {
  using Wide = Wider<N, M, L>;
  return weighted_log(Wide(weight), Wide(x), Wide(y));
}
template <std::size_t N, std::size_t M, std::size_t L>
  requires Unlike<N, M, L>
auto surprise(const Dual<N>& cell, const Dual<M>& n, const Dual<L>& margins) {
  using Wide = Wider<N, M, L>;
  return surprise(Wide(cell), Wide(n), Wide(margins));
}

// The slope of a power mean of `count` values by one of them.
double power_mean_slope(double p, double mean, double value, double count);

template <std::size_t N, std::same_as<Dual<N>>... More>
Dual<N> power_mean(double p, const Dual<N>& first, const More&... more) {
  const Dual<N> all[] = {first, more...};
  constexpr std::size_t kCount = 1 + sizeof...(more);
  double values[kCount];
  for (std::size_t i = 0; i < kCount; ++i) values[i] = all[i].value;
  Dual<N> out(power_mean(p, values, kCount));
  double shared = 1.0;  // of the least or the largest, which several may be
  if (std::isinf(p)) {
    shared = 0.0;
    for (const double value : values) shared += value == out.value;
  }
  for (const Dual<N>& x : all) {
    const double slope = power_mean_slope(p, out.value, x.value, static_cast<double>(kCount));
    for (std::size_t i = 0; i < N; ++i) out.slopes[i] += slope / shared * x.slopes[i];
  }
  return out;
}

}  // namespace confmat::metrics
