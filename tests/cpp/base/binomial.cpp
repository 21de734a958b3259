// Draws of the binomial distribution against its probabilities, and its moments where there are too
// many of these.
#include "confmat/base/binomial.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

using confmat::binomial;
using confmat::Random;

namespace {

double log_probability(double n, double p, double k) {
  return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) + k * std::log(p) +
         (n - k) * std::log1p(-p);
}

// The chi-squared statistic of draws in cells of at least 20 expected ones, as a standard normal
// number (Wilson and Hilferty, 1931, https://doi.org/10.1073/pnas.17.12.684).
double surprise(std::int64_t n, double p, int draws, std::uint64_t seed) {
  Random random(seed);
  const auto size = static_cast<double>(n);
  const double mean = size * p;
  const double spread = std::sqrt(mean * (1 - p)) + 1;
  const auto first = static_cast<std::int64_t>(std::max(0.0, std::floor(mean - 12 * spread)));
  const auto last = static_cast<std::int64_t>(std::min(size, std::ceil(mean + 12 * spread)));
  std::vector<double> counts(static_cast<std::size_t>(last - first) + 1);
  for (int i = 0; i < draws; ++i) {
    const std::int64_t k = binomial(random, n, p);
    if (k < first || k > last) return HUGE_VAL;
    counts[static_cast<std::size_t>(k - first)] += 1;
  }
  double chi = 0.0, cells = 0.0, expected = 0.0, found = 0.0, left = draws;
  for (std::int64_t k = first; k <= last; ++k) {
    expected += draws * std::exp(log_probability(size, p, static_cast<double>(k)));
    found += counts[static_cast<std::size_t>(k - first)];
    if (expected < 20 || left - expected < 20) continue;
    chi += (found - expected) * (found - expected) / expected;
    left -= expected;
    cells += 1;
    expected = found = 0.0;
  }
  chi += (found - left) * (found - left) / left;
  const double off = 2 / (9 * cells);
  return (std::cbrt(chi / cells) - (1 - off)) / std::sqrt(off);
}

}  // namespace

TEST_CASE("binomial draws have the probabilities of the distribution") {
  struct Case {
    std::int64_t n;
    double p;
  };
  // By inversion: the first six, and the mirror of the last but one; by rejection: the others, from
  // the least mean on that it is used for.
  const Case cases[] = {{1, 0.3},        {7, 0.5},       {40, 0.2},   {1000, 0.009}, {20000, 4e-4},
                        {1000000, 5e-6}, {20, 0.5},      {21, 0.48},  {100, 0.1001}, {1000, 0.0102},
                        {1000, 0.3},     {100000, 2e-4}, {500, 0.97}, {12, 0.9},     {3000, 0.5}};
  std::uint64_t seed = 1;
  for (const Case& of : cases) {
    CAPTURE(of.n);
    CAPTURE(of.p);
    const double off = surprise(of.n, of.p, 400000, ++seed);
    CHECK(off < 4.0);
    CHECK(off > -4.0);
  }
}

TEST_CASE("binomial draws of very many rows have the mean, variance and skewness") {
  struct Case {
    std::int64_t n;
    double p;
  };
  const std::int64_t most = std::int64_t{1} << 62;
  const Case cases[] = {{std::int64_t{1} << 39, 0.5},
                        {std::int64_t{1} << 40, 0.01},
                        {std::int64_t{1} << 53, 0.3},
                        {most, 0.5},
                        {most, 0.499},
                        {most, 0.75},
                        {most, 1e-9},
                        {most, 0x1p-58},
                        {most, 0x1p-61},
                        {most - 1, 0.1}};
  constexpr int kDraws = 200000;
  std::uint64_t seed = 100;
  for (const Case& of : cases) {
    CAPTURE(of.n);
    CAPTURE(of.p);
    Random random(++seed);
    // Exact: n p in 128 bits would be too; long double has 64.
    const long double mean = static_cast<long double>(of.n) * of.p;
    const auto from = static_cast<std::int64_t>(mean);
    const double rest = static_cast<double>(mean - static_cast<long double>(from));
    const double spread = std::sqrt(static_cast<double>(mean) * (1 - of.p));
    double first = 0, second = 0, third = 0;
    for (int i = 0; i < kDraws; ++i) {
      const std::int64_t k = binomial(random, of.n, of.p);
      if (k < 0 || k > of.n) FAIL("drew ", k);
      const double z = (static_cast<double>(k - from) - rest) / spread;
      first += z;
      second += z * z;
      third += z * z * z;
    }
    const double many = std::sqrt(kDraws);
    const double skew = (1 - 2 * of.p) / spread;
    const double excess = (1 - 6 * of.p * (1 - of.p)) / (spread * spread);
    CHECK(std::fabs(first / many) < 4.5);
    CHECK(std::fabs(second / kDraws - 1) < 4.5 * std::sqrt((2 + excess) / kDraws));
    CHECK(std::fabs(third / kDraws - skew) < 4.5 * std::sqrt((15 + 30 * excess) / kDraws) + 0.02);
  }
}

TEST_CASE("binomial draws at the ends") {
  Random random(3);
  for (const double p : {0.0, 1e-300, 1.0}) {
    CHECK(binomial(random, std::int64_t{1} << 62, p) == (p == 1.0 ? std::int64_t{1} << 62 : 0));
    CHECK(binomial(random, 0, p) == 0);
  }
  for (int i = 0; i < 1000; ++i) {
    const std::int64_t k = binomial(random, 1, 0.5);
    CHECK((k == 0 || k == 1));
  }
}

TEST_CASE("binomial draws of a seed are kept, on every machine") {
  struct Case {
    std::int64_t n;
    double p;
  };
  const Case cases[] = {{20, 0.52},
                        {31, 0.34},
                        {1000, 0.0123},
                        {1000, 0.009},
                        {100000, 0.43},
                        {1 << 20, 2e-6},
                        {std::int64_t{1} << 61, 0.377},
                        {std::int64_t{1} << 45, 3e-12}};
  Random random(2026);
  std::uint64_t all = 0;
  for (int i = 0; i < 40000; ++i) {
    for (const Case& of : cases) {
      all = all * 1099511628211U ^ static_cast<std::uint64_t>(binomial(random, of.n, of.p));
    }
  }
  CHECK(all == 5633932618525298481U);
}

TEST_CASE("random numbers are those of their seed and stream") {
  // From the definitions of xoshiro256++ and splitmix64, in integers of Python.
  Random zero(0), other(0, 1), more(42, 7);
  CHECK(zero.bits() == 5987356902031041503U);
  CHECK(zero.bits() == 7051070477665621255U);
  CHECK(other.bits() == 17730607322089975729U);
  CHECK(more.bits() == 7695576641292431857U);
  CHECK(more.bits() == 8645519103956814909U);
  Random fixed(0);
  CHECK(binomial(fixed, 1000000, 0.25) == 249778);  // and so on every machine
  std::vector<int> hits(7);
  Random die(5);
  for (int i = 0; i < 70000; ++i) ++hits[die.below(7)];
  for (const int hit : hits) CHECK(std::abs(hit - 10000) < 450);
}
