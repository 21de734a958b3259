// Exact sums: against integers of many words, in any order and grouping.
#include <doctest/doctest.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "confmat/base/exact_sum.hpp"

using confmat::ExactSum;

namespace {

double sum_of(const std::vector<double>& values) {
  ExactSum sum;
  for (const double value : values) sum.add(value);
  return sum.value();
}

double any_double(std::mt19937_64& random, unsigned low, unsigned high) {
  const std::uint64_t exponent = low + random() % (high - low + 1);
  const std::uint64_t bits =
      (random() & ((std::uint64_t{1} << 52U) - 1)) | (exponent << 52U) | (random() << 63U);
  return std::bit_cast<double>(bits);
}

}  // namespace

TEST_CASE("one double of any size comes back unchanged") {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i) {
    const double x = any_double(random, 0, 2046);
    REQUIRE(sum_of({x}) == x);
    REQUIRE(sum_of({x, -x}) == 0);
    REQUIRE(sum_of({x, DBL_MAX, -x, -DBL_MAX}) == 0);
  }
  for (const double x : {DBL_TRUE_MIN, DBL_MIN, DBL_MAX, -DBL_MAX, 0.0, DBL_MIN - DBL_TRUE_MIN}) {
    CHECK(sum_of({x}) == x);
  }
}

TEST_CASE("rounded once, ties to even, infinite beyond the largest double") {
  CHECK(sum_of({0x1p53, 1.0}) == 0x1p53);
  CHECK(sum_of({0x1p53, 1.0, DBL_TRUE_MIN}) == 0x1p53 + 2);
  CHECK(sum_of({0x1p53 + 2, 1.0}) == 0x1p53 + 4);
  CHECK(sum_of({-0x1p53, -1.0, -DBL_TRUE_MIN}) == -(0x1p53 + 2));
  CHECK(sum_of({1e100, 1.0, -1e100}) == 1.0);
  CHECK(sum_of({0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1}) == 1.0);
  CHECK(std::isinf(sum_of({DBL_MAX, DBL_MAX})));
  CHECK(sum_of({DBL_MAX, DBL_MAX, -DBL_MAX}) == DBL_MAX);
  CHECK(sum_of({}) == 0);
}

TEST_CASE("sums of integers below 2^53 agree with integer arithmetic") {
  std::mt19937_64 random(2);
  for (int round = 0; round < 300; ++round) {
    std::int64_t whole = 0;
    ExactSum sum;
    const int shift = static_cast<int>(random() % 900) - 450;
    for (int i = 0; i < 200; ++i) {
      const auto term = static_cast<std::int64_t>(random() >> (20 + random() % 40)) -
                        static_cast<std::int64_t>(random() >> (20 + random() % 40));
      whole += term;
      sum.add(std::ldexp(static_cast<double>(term), shift));
    }
    REQUIRE(sum.value() == std::ldexp(static_cast<double>(whole), shift));
  }
}

TEST_CASE("order and grouping leave the bits alone") {
  std::mt19937_64 random(3);
  for (int round = 0; round < 50; ++round) {
    std::vector<double> values(500);
    for (double& value : values) value = any_double(random, 900, 1100);
    const double wanted = sum_of(values);
    for (int i = 0; i < 5; ++i) {
      std::shuffle(values.begin(), values.end(), random);
      ExactSum parts[4];
      for (const double value : values) parts[random() % 4].add(value);
      ExactSum sum;
      for (const ExactSum& part : parts) sum.add(part);
      REQUIRE(std::bit_cast<std::uint64_t>(sum.value()) == std::bit_cast<std::uint64_t>(wanted));
    }
  }
}

TEST_CASE("sums of arrays: exact, of any length, and not finite where a number is not") {
  const double inf = std::numeric_limits<double>::infinity();
  using Values = std::vector<double>;
  CHECK(confmat::exact_sum(Values{}) == 0.0);
  CHECK(confmat::exact_sum(Values{1e300, 1.0, -1e300}) == 1.0);
  CHECK(confmat::exact_sum(Values(200'000, 0.1)) == 20000.0);
  CHECK(confmat::exact_sum(Values{1.0, inf, 2.0}) == inf);
  CHECK(std::isnan(confmat::exact_sum(Values{inf, -inf})));
  CHECK(std::isnan(confmat::exact_sum(Values{std::nan(""), 1.0})));
}
