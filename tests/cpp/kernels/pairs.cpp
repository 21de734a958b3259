// Sums over pairs: exact, the same on every instruction set, refused where bits would be lost.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "confmat/base/exact_sum.hpp"
#include "confmat/kernels/table.hpp"

using namespace confmat;

namespace {

using Numbers = std::vector<double>;

// What is left of a sum of a[i] * b[i] without the units.
double left_of(const Numbers& a, const Numbers& b, const std::int64_t* units, const int* bits,
               std::size_t n_units, int exponent) {
  ExactSum sum;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double product = a[i] * b[i];
    sum.add(product);
    sum.add(std::fma(a[i], b[i], -product));
  }
  for (std::size_t i = 0; i < n_units; ++i) {
    const std::int64_t part = units[i] % (std::int64_t{1} << 50);  // doubles hold 53 bits
    for (const std::int64_t one : {part, units[i] - part}) {
      sum.add(std::ldexp(-static_cast<double>(one), exponent - bits[i]));
    }
  }
  return sum.value();
}

void check_sums(const Numbers& y, const Numbers& p, int exponent) {
  Numbers ones(y.size(), 1.0), error(y.size()), behind(y.size());
  double largest = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    error[i] = std::fabs(y[i] - p[i]);
    largest = std::max(largest, error[i]);
  }
  for (const Kernels* loops : runnable_kernels()) {
    PairSums of;
    REQUIRE(loops->sum_pairs(y.data(), p.data(), y.size(), exponent, &of));
    const auto first = [&](const Numbers& x, const std::int64_t* units) {
      return left_of(x, ones, units, kPairBits, 2, exponent);
    };
    const auto second = [&](const Numbers& a, const Numbers& b, const std::int64_t* units) {
      return left_of(a, b, units, kPairSquareBits, 5, 2 * exponent);
    };
    CHECK(first(y, of.truth) == 0);
    CHECK(first(p, of.prediction) == 0);
    CHECK(second(y, y, of.truth_squared) == 0);
    CHECK(second(p, p, of.prediction_squared) == 0);
    CHECK(second(y, p, of.product) == 0);
    CHECK(of.largest_error == largest);
    loops->distances(y.data(), p.data(), y.size(), error.data(), behind.data());
    Numbers both = error;
    both.insert(both.end(), behind.begin(), behind.end());
    ones.resize(both.size(), 1.0);
    CHECK(first(both, of.error) == 0);
    ones.resize(y.size());
  }
}

}  // namespace

TEST_CASE("sums of pairs: exact for any number of rows, near 0 and far from it") {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  for (const int exponent : {kLeastPairExponent, -3, 0, 31, kMostPairExponent}) {
    for (std::size_t n = 1; n <= kExactTerms; n += n < 40 ? 1 : 123) {
      Numbers y(n), p(n);
      for (std::size_t i = 0; i < n; ++i) {
        // From 2^-15 of the largest number on all bits are above the least unit.
        y[i] = std::ldexp(std::fabs(normal(random)) / 8 + 0x1p-15, exponent);
        p[i] = std::ldexp(normal(random) < 0 ? -0.75 : 0.999 / (1 + std::fabs(normal(random))),
                          exponent);
        y[i] = std::fmin(y[i], std::ldexp(1.0, exponent));
      }
      check_sums(y, p, exponent);
    }
  }
}

TEST_CASE("sums of pairs: no sum of the largest numbers is beyond its room") {
  // All three parts as large as can be.
  constexpr double kLargest = 1.0 - 0x1p-22 + 0x1p-23 - 0x1p-45 + 0x1p-46 - 0x1p-53;
  constexpr std::size_t kMany = 4 * kExactTerms;  // more than a lane takes, whatever the lanes
  for (const double x :
       {1.0, 0x1.fffffffffffffp-1, -0x1.fffffffffffffp-1, 0x1.000003ffffffdp-1, kLargest}) {
    check_sums(Numbers(kMany, x), Numbers(kMany, x), 0);
    check_sums(Numbers(kMany, x), Numbers(kMany, -x), 0);
  }
}

TEST_CASE("sums of pairs: bits below the least unit are not lost, but told") {
  for (const Kernels* loops : runnable_kernels()) {
    for (std::size_t at = 0; at < 20; ++at) {
      Numbers y(20, 1.0);
      const Numbers p(20, 0.5);
      PairSums of;
      y[at] = 0x1p-68;
      CHECK(loops->sum_pairs(y.data(), p.data(), 20, 0, &of));
      for (const double fine : {0x1p-69, 0x1.8p-68, 0x1.0000000000001p-20, 0x1p-1074}) {
        y[at] = fine;
        CHECK(!loops->sum_pairs(y.data(), p.data(), 20, 0, &of));
        CHECK(!loops->sum_pairs(p.data(), y.data(), 20, 0, &of));
      }
    }
  }
}

TEST_CASE("pairs are taken apart, each number once, within their bounds") {
  std::mt19937_64 random(6);
  std::normal_distribution<double> normal;
  for (std::size_t n = 0; n <= 40; ++n) {
    Numbers pairs, wanted_y, wanted_p;
    for (std::size_t i = 0; i < n; ++i) {
      wanted_y.push_back(normal(random));
      wanted_p.push_back(normal(random));
      pairs.insert(pairs.end(), {wanted_y.back(), wanted_p.back()});
    }
    for (const Kernels* loops : runnable_kernels()) {
      Numbers y(n), p(n);
      PairBounds bounds = {1e9, -1e9, 1e9, -1e9};
      const auto split = [&](double most) {
        return loops->split_pairs(pairs.data(), n, most, y.data(), p.data(), &bounds);
      };
      REQUIRE(split(1e9));
      std::vector<std::pair<double, double>> found, wanted;
      for (std::size_t i = 0; i < n; ++i) {
        found.emplace_back(y[i], p[i]);
        wanted.emplace_back(wanted_y[i], wanted_p[i]);
      }
      std::ranges::sort(found);
      std::ranges::sort(wanted);
      CHECK(found == wanted);
      if (n == 0) continue;
      CHECK(bounds.least_truth == std::ranges::min(wanted_y));
      CHECK(bounds.largest_truth == std::ranges::max(wanted_y));
      CHECK(bounds.least_prediction == std::ranges::min(wanted_p));
      CHECK(bounds.largest_prediction == std::ranges::max(wanted_p));
      for (std::size_t i = 0; i < 2 * n; ++i) {
        for (const double bad : {std::nan(""), -1e10}) {
          const double kept = std::exchange(pairs[i], bad);
          CHECK_FALSE(split(1e9));
          pairs[i] = kept;
        }
      }
    }
  }
}
