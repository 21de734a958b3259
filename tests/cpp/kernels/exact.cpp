// Kernels of exact sums: the same on every instruction set, and exact.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "confmat/base/exact_sum.hpp"
#include "confmat/kernels/table.hpp"

using namespace confmat;

namespace {

std::vector<double> drawn(std::mt19937_64& random, std::size_t n, std::uint64_t spread) {
  std::vector<double> out(n);
  for (double& x : out) {
    const std::uint64_t exponent = 1000 + random() % spread;
    x = std::bit_cast<double>((random() << 63U) | (exponent << 52U) | (random() >> 12U));
    if (random() % 17 == 0) x = random() % 2 == 0 ? 0.0 : -0.0;
  }
  return out;
}

}  // namespace

TEST_CASE("exact parts: their sum is that of the terms, or they say that it is not") {
  std::mt19937_64 random(3);
  for (const Kernels* loops : runnable_kernels()) {
    std::size_t exact_ones = 0;
    for (const std::uint64_t spread : {1U, 20U, 60U, 900U}) {
      for (std::size_t n = 0; n <= kExactTerms; n += n < 64 ? kExactGrain : 192) {
        const std::vector<double> terms = drawn(random, n, spread);
        double parts[kExactParts];
        const bool is_exact = loops->exact_parts(terms.data(), n, parts);
        if (spread <= 60) CHECK(is_exact);
        if (!is_exact) continue;
        ++exact_ones;
        ExactSum wanted;
        for (const double term : terms) wanted.add(term);
        for (const double part : parts) wanted.add(-part);
        REQUIRE(wanted.value() == 0.0);
      }
    }
    CHECK(exact_ones > 25);
    std::vector<double> most(kExactTerms, 0x1.fffffffffffffp100);
    double parts[kExactParts];
    REQUIRE(loops->exact_parts(most.data(), kExactTerms, parts));
    ExactSum wanted;
    for (const double term : most) wanted.add(term);
    CHECK(parts[0] + parts[1] == wanted.value());
    most[7] = std::numeric_limits<double>::denorm_min();
    CHECK(!loops->exact_parts(most.data(), kExactTerms, parts));
    most.assign(8, std::numeric_limits<double>::denorm_min());
    CHECK(!loops->exact_parts(most.data(), 8, parts));
    most.assign(8, std::numeric_limits<double>::max());
    CHECK(!loops->exact_parts(most.data(), 8, parts));
  }
}

TEST_CASE("products and distances: both parts, as the fused operation gives them") {
  std::mt19937_64 random(4);
  for (const Kernels* loops : runnable_kernels()) {
    for (const std::size_t n : {0U, 1U, 7U, 8U, 9U, 1000U}) {
      const std::vector<double> a = drawn(random, n, 40), b = drawn(random, n, 40);
      std::vector<double> high(n), low(n);
      loops->two_products(a.data(), b.data(), n, high.data(), low.data());
      for (std::size_t i = 0; i < n; ++i) {
        REQUIRE(high[i] == a[i] * b[i]);
        REQUIRE(low[i] == std::fma(a[i], b[i], -high[i]));
      }
      loops->distances(a.data(), b.data(), n, high.data(), low.data());
      for (std::size_t i = 0; i < n; ++i) {
        ExactSum rest;
        rest.add(std::max(a[i], b[i]));
        rest.add(-std::min(a[i], b[i]));
        rest.add(-high[i]);
        rest.add(-low[i]);
        REQUIRE(rest.value() == 0.0);
        REQUIRE(high[i] == std::fabs(a[i] - b[i]));
      }
    }
    const double tiny[] = {0x1p-500, 0x1.8p-600};
    double high[2], low[2];
    loops->two_products(tiny, tiny, 2, high, low);
    CHECK(high[0] == 0x1p-1000);
    CHECK(low[0] == 0.0);
    CHECK(low[1] == 0.0);
  }
}

TEST_CASE("bounds are widened, and what is too large or nan is told") {
  for (const Kernels* loops : runnable_kernels()) {
    for (const std::size_t n : {1U, 3U, 8U, 17U, 64U}) {
      for (std::size_t at = 0; at < n; ++at) {
        std::vector<double> values(n, 1.0);
        values[at] = -3.0;
        double low = 0, high = 0.5;
        CHECK(loops->widen_bounds(values.data(), n, 3.0, &low, &high));
        CHECK(low == -3.0);
        CHECK(high == (n == 1 ? 0.5 : 1.0));
        CHECK(!loops->widen_bounds(values.data(), n, 2.5, &low, &high));
        values[at] = std::nan("");
        CHECK(!loops->widen_bounds(values.data(), n, 5.0, &low, &high));
        values[at] = -std::numeric_limits<double>::infinity();
        CHECK(!loops->widen_bounds(values.data(), n, 5.0, &low, &high));
      }
    }
  }
}
