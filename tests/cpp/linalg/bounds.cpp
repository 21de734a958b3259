// Bounds of errors of large determinants: against exact ones, and where rounding shows.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "confmat/linalg/determinant.hpp"
#include "src/linalg/triangles.hpp"

namespace confmat::linalg {
namespace {

// What vectors drawn at random leave, and how far they are from their mean.
constexpr double kDrawn = 25.0;

// The Frobenius norm of the inverse of a lower triangle, by substitution in more digits.
double inverse_norm(const std::vector<double>& t, std::size_t k) {
  std::vector<long double> x(k);
  long double total = 0.0L;
  for (std::size_t j = 0; j < k; ++j) {
    for (std::size_t i = j; i < k; ++i) {
      long double sum = i == j ? 1.0L : 0.0L;
      for (std::size_t p = j; p < i; ++p) sum -= static_cast<long double>(t[i * k + p]) * x[p];
      x[i] = sum / static_cast<long double>(t[i * k + i]);
      total += x[i] * x[i];
    }
  }
  return static_cast<double>(std::sqrt(total));
}

// Upside down and mirrored, a lower triangle is an upper one with an inverse of the same norm.
std::vector<double> turned(std::vector<double> t) {
  std::ranges::reverse(t);
  return t;
}

}  // namespace

// The inverse is a band, but for what rounding of the entries adds to it, up to 2^53 in the worst.
TEST_CASE("linalg: bounds of inverses hold where rounding moves them") {
  std::mt19937_64 random(8);
  int finite = 0, hidden = 0;
  for (int round = 0; round < 60; ++round) {
    const std::size_t k = 66 + static_cast<std::size_t>(round % 5);
    std::uniform_real_distribution<double> draw(0.7, 1.0 + 0.04 * round);
    std::vector<double> t(k * k, 0.0);
    for (std::size_t i = 0; i < k; ++i) {
      t[i * k + i] = 1.0;
      const double ratio = draw(random);
      for (std::size_t j = 0; j < i; ++j) t[i * k + j] = ratio * t[(i - 1) * k + j];
    }
    const double wanted = inverse_norm(t, k);
    const std::vector<double> upper = turned(t);
    for (const std::vector<double>& one : {t, upper}) {
      const double found = factor_norms({one.data(), k}, k).inverse;
      CHECK(found >= wanted);
      if (std::isinf(found)) {
        ++hidden;
      } else {
        ++finite;
        CHECK(found <= kDrawn * 3.0 * wanted);
      }
    }
  }
  CHECK(finite > 10);
  CHECK(hidden > 10);
}

TEST_CASE("linalg: norms of factors do not vanish where their squares overflow") {
  constexpr std::size_t kSize = 70;
  for (const double size : {1e-300, 1e-170, 1e160, 1e300}) {
    std::vector<double> t(kSize * kSize, 0.0);
    for (std::size_t i = 0; i < kSize; ++i) t[i * kSize + i] = size;
    CHECK(std::isinf(factor_norms({t.data(), kSize}, kSize).inverse));
  }
}

TEST_CASE("linalg: norms of factors of each size") {
  std::mt19937_64 random(10);
  std::uniform_real_distribution<double> draw(-0.1, 0.1);
  for (const std::size_t k : {65U, 192U, 193U, 400U}) {
    std::vector<double> t(k * k, 0.0);
    for (std::size_t i = 0; i < k; ++i) {
      for (std::size_t j = 0; j < i; ++j) t[i * k + j] = draw(random);
      t[i * k + i] = 1.0;
    }
    const double wanted = inverse_norm(t, k);
    const std::vector<double> upper = turned(t);
    const FactorNorms below = factor_norms({t.data(), k}, k);
    const FactorNorms above = factor_norms({upper.data(), k}, k);
    double square = 0.0;
    for (const double entry : t) square += entry * entry;
    for (const double found : {below.inverse, above.inverse}) {
      CHECK(found >= wanted);
      CHECK(found <= kDrawn * wanted);
    }
    for (const double found : {below.lower, above.upper}) {
      CHECK(found >= std::sqrt(square));
      CHECK(found <= 1.05 * std::sqrt(square));
    }
  }
}

// How long it looks is up to 24 numbers.
TEST_CASE("linalg: the bound of an inverse holds where one direction makes it") {
  constexpr std::size_t kSize = 80;
  for (std::size_t at = 0; at < kSize; ++at) {
    std::vector<double> t(kSize * kSize, 0.0);
    for (std::size_t i = 0; i < kSize; ++i) t[i * kSize + i] = i == at ? 0x1p-30 : 1.0;
    const double found = factor_norms({t.data(), kSize}, kSize).inverse;
    CHECK(found >= 0x1p30);
    CHECK(found <= kDrawn * 0x1p30);
  }
}

namespace {

void check_against_exact(const std::vector<std::int64_t>& whole, std::int64_t k, int& known,
                         int& hidden) {
  const std::vector<double> a(whole.begin(), whole.end());
  const Det det = determinant(a.data(), k);
  if (std::isinf(det.error)) {
    ++hidden;
    return;
  }
  ++known;
  std::int64_t exponent = 0;
  const double mantissa =
      exact_determinant({k, whole, {}}, 70 * static_cast<int>(k)).mantissa(exponent);
  CHECK(det.sign() == (mantissa > 0.0 ? 1.0 : mantissa < 0.0 ? -1.0 : 0.0));
  const auto shift = static_cast<int>(exponent - det.exponent);
  CHECK(std::fabs(std::ldexp(mantissa / det.mantissa, shift) - 1.0) <= det.error);
}

}  // namespace

// The last row is a sum of others, plus a few units: what is left is hidden or found to be right.
TEST_CASE("linalg: large determinants of whole numbers keep to their errors") {
  std::mt19937_64 random(9);
  std::uniform_int_distribution<std::int64_t> draw(0, 19);
  int known = 0, hidden = 0;
  for (int round = 0; round < 48; ++round) {
    const std::int64_t k = 65 + round % 40, scale = std::int64_t{1} << (round % 16 * 3);
    const auto size = static_cast<std::size_t>(k);
    std::vector<std::int64_t> whole(size * size);
    for (std::int64_t& entry : whole) entry = draw(random) * scale;
    std::int64_t* last = whole.data() + (size - 1) * size;
    for (std::size_t j = 0; j < size; ++j) last[j] = whole[j] + whole[size + j];
    if (round % 3 != 0) last[static_cast<std::size_t>(draw(random))] += round % 3;
    check_against_exact(whole, k, known, hidden);
  }
  CHECK(known > 10);
  CHECK(hidden > 10);
}

// The product of two triangles; the inverse of the lower one is up to 1e16, that of the other
// small.
TEST_CASE("linalg: errors of large determinants grow with the inverses of both triangles") {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> draw(0.0, 1.0);
  int known = 0, hidden = 0;
  for (int round = 0; round < 16; ++round) {
    const std::size_t k = 65 + static_cast<std::size_t>(round);
    const double least = 0.05 * round;
    std::vector<double> lower(k * k, 0.0), upper(lower);
    for (std::size_t i = 0; i < k; ++i) {
      lower[i * k + i] = 1.0;
      upper[i * k + i] = 1.0 + draw(random);
      for (std::size_t j = 0; j < i; ++j) lower[i * k + j] = -least - 0.1 * draw(random);
      for (std::size_t j = i + 1; j < k; ++j) upper[i * k + j] = (draw(random) - 0.5) / 8;
    }
    for (std::size_t i = 0; i < k; ++i) {  // no entry of the product is negative
      lower[i * k] = 1.0;
      upper[i] = 12.0;
    }
    std::vector<std::int64_t> whole;
    for (std::size_t i = 0; i < k; ++i) {
      for (std::size_t j = 0; j < k; ++j) {
        double sum = 0.0;
        for (std::size_t p = 0; p <= i; ++p) sum += lower[i * k + p] * upper[p * k + j];
        whole.push_back(static_cast<std::int64_t>(std::ldexp(sum, 48)));
      }
    }
    check_against_exact(whole, static_cast<std::int64_t>(k), known, hidden);
  }
  CHECK(known > 4);
  CHECK(hidden > 1);
}

// The entry (i, j) is min(i, j) of 1 to 599, which is a product of triangles of ones; apart from it
// a 1. All of it is well conditioned, and the comparison of its triangles overflows.
TEST_CASE("linalg: a bound that overflows is none") {
  constexpr std::size_t kSize = 600;
  std::vector<double> a(kSize * kSize, 0.0);
  a[0] = 1.0;
  for (std::size_t i = 1; i < kSize; ++i) {
    for (std::size_t j = 1; j < kSize; ++j) a[i * kSize + j] = static_cast<double>(std::min(i, j));
  }
  const Det det = determinant(a.data(), static_cast<std::int64_t>(kSize));
  CHECK(det.value() == 1.0);
  CHECK(det.error < 1e-3);
}

}  // namespace confmat::linalg
