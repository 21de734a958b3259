// Inversion, and the rejection of Hoermann's algorithm BTRS. Logarithms are computed here, as those
// of libraries differ in the last bit; the quotient of two probabilities is that of their deviances
// (Loader, 2000, Fast and accurate computation of binomial probabilities), which keeps its digits
// however large n is.
#include "confmat/base/binomial.hpp"

#include <bit>
#include <cmath>

#include "confmat/base/exp_minus.hpp"
#include "confmat/base/wide.hpp"

namespace confmat {
namespace {

constexpr double kLeastRejected = 10.0;  // n p, from which on rejection is used

// ln x. Needs: x is positive, finite and normal.
double log_of(double x) noexcept {
  constexpr double kLn2High = 0x1.62e42fefa38p-1;
  constexpr double kLn2Low = 0x1.ef35793c7673p-45;
  constexpr std::uint64_t kOne = 0x3FF0000000000000U;
  const auto bits = std::bit_cast<std::uint64_t>(x);
  int power = static_cast<int>(bits >> 52U) - 1023;
  auto part = std::bit_cast<double>((bits & 0x000FFFFFFFFFFFFFU) | kOne);
  if (part > 1.4142135623730951) {
    part /= 2;
    ++power;
  }
  const double s = (part - 1) / (part + 1);
  const double square = s * s;
  double sum = 1.0 / 23;
  for (int odd = 21; odd > 1; odd -= 2) sum = sum * square + 1.0 / odd;
  const double rest = 2 * s * square * sum + kLn2Low * power;
  return kLn2High * power + (2 * s + rest);
}

// The deviance x ln (x / mean) + mean - x, of x = mean + gap. Needs: x and mean are positive.
double deviance(double x, double mean, double gap) noexcept {
  const double v = gap / (x + mean);
  if (std::fabs(v) > 0.2) return x * log_of(x / mean) - gap;
  const double square = v * v;
  double term = 2 * x * v;
  double sum = gap * v;
  for (int odd = 3; odd < 60; odd += 2) {
    term *= square;
    const double before = sum;
    sum += term / odd;
    if (sum == before) break;
  }
  return sum;
}

// ln x! less Stirling's ln sqrt(2 pi x) + x ln x - x.
double stirling_error(std::int64_t x) noexcept {
  constexpr double kSmall[] = {0.0,
                               0.08106146679532725822,
                               0.04134069595540929409,
                               0.02767792568499833915,
                               0.02079067210376509311,
                               0.01664469118982119216,
                               0.01387612882307074800,
                               0.01189670994589177010,
                               0.01041126526197209650,
                               0.00925546218271273292,
                               0.00833056343336287126,
                               0.00757367548795184079,
                               0.00694284010720952987,
                               0.00640899418800420707,
                               0.00595137011275884774,
                               0.00555473355196280137};
  if (x < 16) return kSmall[x];
  const auto inverse = 1 / static_cast<double>(x);
  const double square = inverse * inverse;
  return inverse *
         (1.0 / 12 - square * (1.0 / 360 - square * (1.0 / 1260 - square * (1.0 / 1680))));
}

// q^n by the sum of probabilities of 0, 1, ... Needs: p <= 1/2, n p is below kLeastRejected.
std::int64_t by_inversion(Random& random, std::int64_t n, double p) noexcept {
  constexpr double kSmall = 0x1p-10;
  constexpr int kMost = 110;  // beyond it there is no share of 2^-53 left
  const double q = 1 - p;
  double none = 1.0;
  if (p < kSmall) {
    const double series = 1 + p * (1.0 / 2 + p * (1.0 / 3 + p * (1.0 / 4 + p * (1.0 / 5))));
    none = exp_minus(static_cast<double>(n) * p * series);
  } else {
    double power = q;
    for (auto left = static_cast<std::uint64_t>(n); left != 0; left >>= 1U) {
      if ((left & 1U) != 0) none *= power;
      power *= power;
    }
  }
  const double ratio = p / q;
  const double most = (static_cast<double>(n) + 1) * ratio;
  for (;;) {
    double rest = random.uniform();
    double share = none;
    int k = 0;
    while (rest >= share && k < kMost) {
      rest -= share;
      ++k;
      share *= most / k - ratio;
    }
    if (k < kMost && k <= n) return k;
  }
}

// n p as a whole number and the rest in [0, 1). The product of doubles would lose the last digits
// of a whole number above 2^53.
struct Mean {
  std::int64_t whole;
  double rest;

  Mean(std::int64_t n, double p) noexcept {
    constexpr std::int64_t kExact = std::int64_t{1} << 40;
    if (n < kExact) {
      const double product = static_cast<double>(n) * p;
      whole = static_cast<std::int64_t>(product);
      rest = product - static_cast<double>(whole);
      return;
    }
    int power = 0;
    const auto mantissa = static_cast<std::int64_t>(std::frexp(p, &power) * 0x1p53);
    const int shift = 53 - power;  // at least 53, as p <= 1/2
    const UInt128 product = static_cast<UInt128>(n) * static_cast<UInt128>(mantissa);
    whole = static_cast<std::int64_t>(product >> shift);
    const UInt128 below = product - (static_cast<UInt128>(whole) << shift);
    rest = std::ldexp(static_cast<double>(below), -shift);
  }
};

// What the logarithm of the probability of k is, up to what all k share.
class Likelihood {
 public:
  Likelihood(std::int64_t n, double p, const Mean& mean) noexcept
      : n_(n),
        mean_(mean),
        hits_(static_cast<double>(n) * p),
        misses_(static_cast<double>(n) * (1 - p)) {}

  // Of k against the mode m.
  [[nodiscard]] double ratio(std::int64_t k, std::int64_t m) const noexcept {
    if (k == 0) return ratio(1, m) - log_of(hits_ / (misses_ / static_cast<double>(n_)));
    if (k == n_) return ratio(n_ - 1, m) + log_of(hits_ / static_cast<double>(n_) / misses_);
    const double sizes = (static_cast<double>(m) / static_cast<double>(k)) *
                         (static_cast<double>(n_ - m) / static_cast<double>(n_ - k));
    return deviances(m) - deviances(k) + log_of(sizes) / 2 + stirling_error(m) - stirling_error(k) +
           stirling_error(n_ - m) - stirling_error(n_ - k);
  }

 private:
  [[nodiscard]] double deviances(std::int64_t k) const noexcept {
    const double gap = static_cast<double>(k - mean_.whole) - mean_.rest;
    return deviance(static_cast<double>(k), hits_, gap) +
           deviance(static_cast<double>(n_ - k), misses_, -gap);
  }

  std::int64_t n_;
  Mean mean_;
  double hits_, misses_;
};

// Needs: p <= 1/2, n p is at least kLeastRejected.
std::int64_t by_rejection(Random& random, std::int64_t n, double p) noexcept {
  const Mean mean(n, p);
  const double spread = std::sqrt(static_cast<double>(n) * p * (1 - p));
  const double b = 1.15 + 2.53 * spread;
  const double a = -0.0873 + 0.0248 * b + 0.01 * p;
  const double sure = 0.92 - 4.2 / b;
  const double least = -static_cast<double>(mean.whole);
  const auto most = static_cast<double>(n - mean.whole);
  for (;;) {
    const double u = random.uniform() - 0.5;
    double v = 1 - random.uniform();
    const double us = 0.5 - std::fabs(u);
    const double gap = std::floor((2 * a / us + b) * u + mean.rest + 0.5);
    if (!(gap >= least && gap <= most)) continue;  // us may be 0
    const std::int64_t k = mean.whole + static_cast<std::int64_t>(gap);
    if (us >= 0.07 && v <= sure) return k;
    const double alpha = (2.83 + 5.1 / b) * spread;
    v *= alpha / (a / (us * us) + b);
    const auto mode = mean.whole + (mean.rest + p >= 1 ? 1 : 0);
    if (k >= 0 && k <= n && log_of(v) <= Likelihood(n, p, mean).ratio(k, mode)) return k;
  }
}

}  // namespace

std::int64_t binomial(Random& random, std::int64_t n, double p) noexcept {
  if (p > 0.5) return n - binomial(random, n, 1 - p);
  if (n <= 0 || !(p > 0)) return 0;
  return static_cast<double>(n) * p < kLeastRejected ? by_inversion(random, n, p)
                                                     : by_rejection(random, n, p);
}

}  // namespace confmat
