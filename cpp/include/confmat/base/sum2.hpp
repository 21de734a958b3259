// A compensated sum: the rounding error of every addition is added up beside it (Ogita, Rump and
// Oishi 2005). As good as a sum in twice the precision, rounded once. Cost: 1 ns a term.
#pragma once

#include <cstddef>

namespace confmat {

struct Sum2 {
  double high = 0.0;
  double low = 0.0;

  void add(double x) noexcept {
    const double sum = high + x;
    const double part = sum - high;
    low += (high - (sum - part)) + (x - part);
    high = sum;
  }
  void add(const Sum2& other) noexcept {
    add(other.high);
    low += other.low;
  }
  [[nodiscard]] double value() const noexcept { return high + low; }
};

// The sum of `n` terms in lanes that a processor adds at the same time; the lanes are the same on
// every machine, and so is the result.
inline Sum2 sum_of(const double* terms, std::size_t n) noexcept {
  constexpr std::size_t kLanes = 8;
  double high[kLanes] = {};
  double low[kLanes] = {};
  const auto step = [&](std::size_t lane, double x) {
    const double sum = high[lane] + x;
    const double part = sum - high[lane];
    low[lane] += (high[lane] - (sum - part)) + (x - part);
    high[lane] = sum;
  };
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) step(lane, terms[i + lane]);
  }
  for (std::size_t lane = 0; i < n; ++i, ++lane) step(lane, terms[i]);
  Sum2 out;
  for (std::size_t lane = 0; lane < kLanes; ++lane) out.add({high[lane], low[lane]});
  return out;
}

}  // namespace confmat
