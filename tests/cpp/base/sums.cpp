// Sums and quotients that are rounded once, and the order of keys.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <span>
#include <vector>

#include "confmat/base/error.hpp"
#include "confmat/base/exact_sum.hpp"
#include "confmat/base/quotient.hpp"
#include "confmat/base/radix_sort.hpp"
#include "confmat/base/rounded_sum.hpp"
#include "confmat/base/sum2.hpp"
#include "confmat/base/weight_sum.hpp"
#include "support/fake_host.hpp"

namespace confmat {

using host::Random;

TEST_CASE("quotient: small numbers divide as doubles do") {
  for (const int over : {0, 1, 2, 3, 7, 1000}) {
    for (const int under : {1, 3, 10, 999}) {
      CHECK(quotient(over, under) == static_cast<double>(over) / under);
      CHECK(quotient(-over, under) == -static_cast<double>(over) / under);
    }
  }
  CHECK(std::isnan(quotient(0, 0)));
  CHECK(std::isinf(quotient(1, 0)));
}

TEST_CASE("quotient: large numbers are rounded once, ties to even") {
  const Int128 big = Int128{1} << 100;
  CHECK(quotient(big, big) == 1.0);
  CHECK(quotient(big, 3 * big) == 1.0 / 3.0);
  CHECK(quotient(-2 * big, 3 * big) == -2.0 / 3.0);
  // 1 + 2^-53 lies between two doubles and goes to the even one; a hair more goes up.
  const Int128 half = Int128{1} << 53;
  CHECK(quotient(half + 1, half) == 1.0);
  CHECK(quotient((half + 1) * (Int128{1} << 20) + 1, half * (Int128{1} << 20)) ==
        1.0 + std::numeric_limits<double>::epsilon());
  CHECK(quotient(half + 3, half) == 1.0 + 2 * std::numeric_limits<double>::epsilon());
}

TEST_CASE("exact sums: many terms at once are the terms one by one") {
  Random random(3);
  for (int round = 0; round < 200; ++round) {
    std::vector<double> terms;
    const std::size_t n = random.bits() % 5000;
    for (std::size_t i = 0; i < n; ++i) {
      const double part = 1.0 + static_cast<double>(random.bits() >> 12U) * 0x1p-52;
      const int exponent = round % 2 == 0 ? static_cast<int>(random.bits() % 70) - 62  // within
                                          : static_cast<int>(random.bits() % 2000) - 1020;
      terms.push_back(std::ldexp(random.bits() % 50 == 0 ? -part : part, exponent));
      if (random.bits() % 40 == 0) terms.back() = random.bits() % 2 == 0 ? 0.0 : -0.0;
    }
    ExactSum at_once;
    at_once.add(std::span<const double>(terms));
    ExactSum one_by_one;
    for (const double term : terms) one_by_one.add(term);
    CHECK(at_once.value() == one_by_one.value());
  }
  const std::vector<double> largest(1 << 13, std::nextafter(64.0, 0.0));
  ExactSum all;
  all.add(std::span<const double>(largest));
  CHECK(all.value() == std::nextafter(64.0, 0.0) * (1 << 13));
}

TEST_CASE("exact sums: whole numbers of a unit are added without rounding") {
  Random random(4);
  constexpr std::int64_t kLow = 0xFFFFFFFF;
  for (int round = 0; round < 2000; ++round) {
    const auto units = static_cast<std::int64_t>(random.bits() >> random.bits() % 64);
    const int exponent = static_cast<int>(random.bits() % 2045) - 1074;
    for (const std::int64_t one : {units, -units, INT64_MIN, INT64_MAX}) {
      ExactSum sum, by_doubles;  // of 53 bits
      sum.add(one, exponent);
      by_doubles.add(std::ldexp(static_cast<double>(one & kLow), exponent));
      by_doubles.add(std::ldexp(static_cast<double>(one - (one & kLow)), exponent));
      if (exponent > 900) continue;
      by_doubles.add(std::ldexp(-1.0, exponent));
      sum.add(-1, exponent);
      CHECK(sum.value() == by_doubles.value());
    }
  }
}

TEST_CASE("quotient: no other double lies nearer") {
  Random random(1);
  for (int i = 0; i < 2000; ++i) {
    const Int128 over = static_cast<Int128>(random.bits() >> 3U) * 7 + 1;
    const Int128 under = static_cast<Int128>(random.bits() >> 2U) * 9 + 1;
    const double got = quotient(over, under);
    // |over / under - got| against half a unit in the last place, in long doubles of 64 bits.
    const long double exact = static_cast<long double>(over) / static_cast<long double>(under);
    const long double unit = std::nextafter(got, 2 * got) - got;
    CHECK(std::fabs(static_cast<double>((exact - got) / unit)) <= 0.501);
  }
}

TEST_CASE("sum_of: cancellation loses nothing, at every length") {
  for (std::size_t n = 0; n < 40; ++n) {
    std::vector<double> terms;
    for (std::size_t i = 0; i < n; ++i) {
      terms.push_back(1e16);
      terms.push_back(static_cast<double>(i) + 0.5);
      terms.push_back(-1e16);
    }
    const auto count = static_cast<double>(n);
    CHECK(sum_of(terms.data(), terms.size()).value() == count * count / 2);
  }
}

TEST_CASE("require_weight_sum: both limits are within") {
  for (const double good : {0.0, 1e-150, 1.0, 1e150}) CHECK_NOTHROW(require_weight_sum(good));
  for (const double bad : {1e-151, 5e-324, 1.1e150, HUGE_VAL, std::nan(""), -1.0}) {
    CHECK_THROWS_AS(require_weight_sum(bad), InputError);
  }
}

TEST_CASE("sort_records: few and many keys, of few and many digits") {
  Random random(2);
  for (const std::size_t n : {0UL, 1UL, 2UL, 1000UL, 1024UL, 5000UL, 70000UL}) {
    for (const unsigned shift : {0U, 20U, 33U, 60U, 63U}) {
      std::vector<std::uint64_t> keys, scratch;
      for (std::size_t i = 0; i < n; ++i) keys.push_back((random.bits() >> shift) << (shift / 2));
      auto wanted = keys;
      std::sort(wanted.begin(), wanted.end());
      sort_records(keys, scratch, std::identity{});
      CHECK((keys == wanted));
    }
  }
}

}  // namespace confmat

TEST_CASE("a rounded sum is the exact one, whatever the order") {
  std::mt19937_64 random(29);
  std::uniform_real_distribution<double> unit(0, 1);
  for (int round = 0; round < 3000; ++round) {
    std::vector<double> terms(1 + random() % 40);
    for (double& x : terms) {
      switch (random() % 4) {
        case 0:
          x = 1.0;
          break;
        case 1:
          x = std::ldexp(1.0, 53 + static_cast<int>(random() % 3));
          break;
        case 2:
          x = std::ldexp(unit(random), static_cast<int>(random() % 200) - 150);
          break;
        default:
          x = std::ldexp(1.0, -static_cast<int>(random() % 1074));
      }
    }
    confmat::ExactSum exact;
    for (const double x : terms) exact.add(x);
    for (int order = 0; order < 4; ++order) {
      std::ranges::shuffle(terms, random);
      const double sum = confmat::rounded_sum(terms.size(), [&](const auto& add) {
        for (const double x : terms) add(x);
      });
      REQUIRE(sum == exact.value());
    }
  }
  const auto sum_of = [](std::vector<double> terms) {
    return confmat::rounded_sum(terms.size(), [&](const auto& add) {
      for (const double x : terms) add(x);
    });
  };
  CHECK(sum_of({}) == 0.0);
  CHECK(sum_of({0.0, 0.0}) == 0.0);
  CHECK(std::isinf(sum_of({1e308, 1e308})));
  CHECK(sum_of({5e-324, 5e-324}) == 1e-323);
}
