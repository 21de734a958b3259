// The mean of x ln(x / m) - x + m over the hypergeometric distribution of a cell x with the mean m:
// never negative, so that nothing cancels. Terms are taken outward from the mode until they no
// longer count. A wide distribution is smooth: a sum over every eighth part of its deviation is
// that over all integers. (Loader, 2000, has the deviance without the loss of its digits.)
#include "confmat/metrics/expected_information.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "confmat/base/interrupt.hpp"
#include "confmat/base/sum2.hpp"

namespace confmat::metrics {
namespace {

constexpr double kWide = 64.0;  // deviations from which on not every integer is looked at
constexpr double kPerDeviation = 8.0;
constexpr double kNegligible = 1e-20;  // of the mode, when terms grow as x ln x at most

// x ln(x / m) - x + m.
double deviance(double x, double m) {
  if (!(x > 0)) return m;
  const double distance = x - m;
  if (!(std::fabs(distance) < 0.1 * (x + m))) return x * std::log(x / m) - distance;
  const double ratio = distance / (x + m);
  double sum = distance * ratio;
  double power = 2 * x * ratio;
  for (int j = 1; j < 100; ++j) {
    power *= ratio * ratio;
    const double before = sum;
    sum += power / (2 * j + 1);
    if (sum == before) break;
  }
  return sum;
}

// ln x! less its formula x ln x - x + ln(2 pi x) / 2. Needs: x is large.
double stirling_error(double x) { return (1.0 / 12 - 1.0 / (360 * x * x)) / x; }

// One cell of a row a and a column b of a table of n; all of them and what the others leave are
// counts, which doubles hold to their last digits.
class CellByChance {
 public:
  CellByChance(std::int64_t a, std::int64_t b, std::int64_t n)
      : least_(std::max<std::int64_t>(0, a - (n - b))),
        most_(std::min(a, b)),
        a_(static_cast<double>(a)),
        b_(static_cast<double>(b)),
        rest_(static_cast<double>(n - a) - static_cast<double>(b)),
        n_(static_cast<double>(n)),
        mean_(a_ * (b_ / n_)) {}

  // The mean of the deviance from the mean.
  [[nodiscard]] double deviance_by_chance() const {
    const double other = n_ - a_;
    const double deviation = std::sqrt(mean_ * (other / n_) * ((n_ - b_) / std::max(n_ - 1, 1.0)));
    const auto mode =
        std::clamp(static_cast<std::int64_t>((a_ + 1) * ((b_ + 1) / (n_ + 2))), least_, most_);
    Sum2 total;
    Sum2 weight;
    const auto add = [&](std::int64_t x, double p) {
      weight.add(p);
      total.add(p * deviance(static_cast<double>(x), mean_));
    };
    add(mode, 1.0);
    if (deviation < kWide) {
      double p = 1.0;
      for (std::int64_t x = mode; x < most_ && p > kNegligible;) {
        p *= rise(x);
        add(++x, p);
      }
      p = 1.0;
      for (std::int64_t x = mode; x > least_ && p > kNegligible;) {
        p /= rise(--x);
        add(x, p);
      }
    } else {
      const auto step = static_cast<std::int64_t>(deviation / kPerDeviation);
      const double top = log_density(mode);
      for (const std::int64_t turn : {step, -step}) {
        double p = 1.0;
        for (std::int64_t x = mode; p > kNegligible;) {
          if (turn > 0 ? x > most_ - turn : x < least_ - turn) break;
          x += turn;
          p = std::exp(log_density(x) - top);
          add(x, p);
        }
      }
    }
    return total.value() / weight.value();
  }

 private:
  // The probability of x + 1 over that of x.
  [[nodiscard]] double rise(std::int64_t at) const {
    const auto x = static_cast<double>(at);
    return (a_ - x) / (x + 1) * ((b_ - x) / (rest_ + x + 1));
  }
  // But for a constant. Needs: all four cells are large.
  [[nodiscard]] double log_density(std::int64_t at) const {
    const auto x = static_cast<double>(at);
    const double cells[4] = {x, a_ - x, b_ - x, rest_ + x};
    const double means[4] = {mean_, a_ - mean_, b_ - mean_, rest_ + mean_};
    double sum = 0.0;
    for (int i = 0; i < 4; ++i) {
      if (!(cells[i] > 0)) return -HUGE_VAL;  // far from the mode
      sum += deviance(cells[i], means[i]) + std::log(cells[i]) / 2 + stirling_error(cells[i]);
    }
    return -sum;
  }

  std::int64_t least_, most_;
  double a_, b_, rest_, n_, mean_;
};

// How many classes have each size that occurs.
std::map<std::int64_t, double> sizes_of(std::span<const std::int64_t> margins) {
  std::map<std::int64_t, double> out;
  for (const std::int64_t margin : margins) {
    if (margin > 0) out[margin] += 1;
  }
  return out;
}

}  // namespace

double expected_information(std::span<const std::int64_t> rows,
                            std::span<const std::int64_t> cols) {
  std::int64_t n = 0;
  for (const std::int64_t row : rows) n += row;
  const auto of_cols = sizes_of(cols);
  const StopSign sign;
  Sum2 total;
  for (const auto& [a, times_a] : sizes_of(rows)) {
    sign.obey();
    for (const auto& [b, times_b] : of_cols) {
      total.add(times_a * times_b * CellByChance(a, b, n).deviance_by_chance());
    }
  }
  return n > 0 ? total.value() / static_cast<double>(n) : 0.0;
}

}  // namespace confmat::metrics
