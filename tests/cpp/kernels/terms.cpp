// Terms of rows: their logarithms within 1 ulp, the same bits on every instruction set.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "confmat/kernels/table.hpp"

using namespace confmat;

namespace {

using Numbers = std::vector<double>;
enum Kind : std::uint8_t { kPercentage, kSymmetric, kLogarithms, kPoisson, kGamma, kHuber };

struct Found {
  Numbers first, second, none;
  bool operator==(const Found&) const = default;
};

Found found(const Kernels& loops, Kind kind, const Numbers& y, const Numbers& p) {
  Found out{Numbers(y.size()), Numbers(y.size()), Numbers(y.size())};
  const bool some_none = loops.terms[kind](y.data(), p.data(), y.size(), 0.5, out.first.data(),
                                           out.second.data(), out.none.data());
  CHECK(some_none == (std::ranges::count(out.none, 1.0) > 0));
  return out;
}

double ulp(double x) {
  return std::nextafter(std::fabs(x), std::numeric_limits<double>::infinity()) - std::fabs(x);
}

// Of all sizes, and many near 1.
Numbers drawn(std::size_t n, int seed) {
  std::mt19937_64 random(static_cast<unsigned>(seed));
  std::uniform_real_distribution<double> exponent(-200, 199), near(-1, 1);
  Numbers out(n);
  for (std::size_t i = 0; i < n; ++i) {
    out[i] = i % 2 == 0 ? std::exp2(exponent(random))
                        : 1 + near(random) * std::exp2(-static_cast<double>(i % 53));
  }
  return out;
}

}  // namespace

// Where a long double has more bits than a double.
TEST_CASE("terms: logarithms are within 1 ulp" *
          doctest::skip(std::numeric_limits<long double>::digits < 64)) {
  Numbers y = drawn(200'000, 1);
  y.insert(y.end(), {0x1p-1074, 0x1.8p-1030, 0x1p-1022, 1.0, 1e60, 0x1.6a09e667f3bccp0,
                     0x1.6a09e667f3bcdp0, 0x1.6a09e667f3bcdp-1, 0x1.fffffffffffffp-1});
  const Numbers ones(y.size(), 1.0), zeros(y.size(), 0.0);
  for (const Kernels* loops : runnable_kernels()) {
    const Found of_gamma = found(*loops, kGamma, y, ones);
    const Found of_squares = found(*loops, kLogarithms, y, zeros);
    double worst = 0, worst_from_one = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      const long double wanted = std::log(static_cast<long double>(y[i]));
      const auto off = static_cast<double>(std::fabs(of_gamma.second[i] - wanted));
      worst = std::max(worst, off == 0 ? 0 : off / ulp(static_cast<double>(wanted)));
      const long double from_one = std::log1p(static_cast<long double>(y[i]));
      const long double squared = from_one * from_one;
      if (squared < 1e-290L) continue;  // no normal double
      const auto off_squared = static_cast<double>(std::fabs(of_squares.first[i] - squared));
      worst_from_one = std::max(worst_from_one, off_squared / static_cast<double>(squared));
    }
    CHECK(worst < 1.0);
    // A root within 1 ulp gives a square within twice that, and half an ulp of its rounding.
    CHECK(worst_from_one < 2.5 * 0x1p-52);
    CHECK(of_gamma.second[y.size() - 6] == 0.0);
  }
}

namespace {

using Long = long double;

// a / b - 1 less its logarithm: both may be nearly the same.
Long beyond_logarithm(Long a, Long b) {
  const Long t = (a - b) / b;
  if (std::fabs(t) > 0x1p-6L) return t - std::log(a / b);
  Long sum = 0;
  for (int k = 14; k >= 2; --k) sum = (k % 2 == 0 ? 1.0L : -1.0L) / k + t * sum;
  return t * t * sum;
}

}  // namespace

// As they would not be by the difference of two logarithms.
TEST_CASE("terms: numbers that are near lose no digits" *
          doctest::skip(std::numeric_limits<long double>::digits < 64)) {
  Numbers y = drawn(100'000, 4);
  const Numbers shares = drawn(y.size(), 5);
  Numbers p(y.size());
  for (std::size_t i = 0; i < y.size(); ++i) {
    p[i] = y[i] * shares[i - i % 2 + 1];  // those near 1
    if (i % 3 == 0)
      p[i] = y[i] * (1 + std::ldexp(shares[i - i % 2 + 1], -static_cast<int>(i % 60)));
  }
  y.insert(y.end(), {0x1p-1074, 1e60, 0x1p-1030, 0x1.8p-1074});
  p.insert(p.end(), {1e60, 0x1p-1074, 0x1p-1022, 0x1p-1074});
  for (const Kernels* loops : runnable_kernels()) {
    const Numbers squares = found(*loops, kLogarithms, y, p).first;
    const Numbers poisson = found(*loops, kPoisson, y, p).first;
    const Found gamma = found(*loops, kGamma, y, p);
    double worst[3] = {};
    const auto look = [&](std::size_t at, double of, Long wanted) {
      if (std::fabs(wanted) < 1e-290L) return;  // no normal double
      worst[at] = std::max(worst[at], static_cast<double>(std::fabs(of / wanted - 1)));
    };
    for (std::size_t i = 0; i < y.size(); ++i) {
      const Long truth = y[i], prediction = p[i];
      const Long apart = (truth - prediction) / (1 + prediction);
      const Long root =
          std::fabs(apart) < 0.5L ? std::log1p(apart) : std::log1p(truth) - std::log1p(prediction);
      look(0, squares[i], root * root);
      look(1, poisson[i], 2 * truth * beyond_logarithm(prediction, truth));
      if (gamma.none[i] == 0) look(2, gamma.first[i], 2 * beyond_logarithm(truth, prediction));
    }
    CHECK(worst[0] < 8 * 0x1p-53);
    CHECK(worst[1] < 40 * 0x1p-53);
    CHECK(worst[2] < 40 * 0x1p-53);
  }
}

TEST_CASE("terms: every instruction set gives the same bits, of any number of rows") {
  const Numbers all_y = drawn(3'000, 2), all_p = drawn(3'000, 3);
  Numbers y = all_y, p = all_p;
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (i % 5 == 0) p[i] = y[i] * (1 + all_p[i] * 1e-61);
    if (i % 7 == 0) y[i] = 0;
    if (i % 11 == 0) p[i] = -p[i];
    if (i % 13 == 0) p[i] = y[i];
  }
  const auto loops = runnable_kernels();
  for (const Kind kind : {kPercentage, kSymmetric, kLogarithms, kPoisson, kGamma, kHuber}) {
    const Found wanted = found(*loops[0], kind, y, p);
    for (const Kernels* one : loops) CHECK(found(*one, kind, y, p) == wanted);
    for (const std::size_t n : {1U, 2U, 3U, 7U, 9U}) {
      const auto last = static_cast<std::ptrdiff_t>(n);
      const Numbers few_y(y.begin(), y.begin() + last), few_p(p.begin(), p.begin() + last);
      const Found few = found(*loops.back(), kind, few_y, few_p);
      for (std::size_t i = 0; i < n; ++i) {
        CHECK(few.first[i] == wanted.first[i]);
        CHECK(few.second[i] == wanted.second[i]);
        CHECK(few.none[i] == wanted.none[i]);
      }
    }
  }
}

TEST_CASE("terms: rows that have none are told, and have no numbers") {
  struct Row {
    Kind kind;
    double y, p;
    bool none;
  };
  for (const Kernels* loops : runnable_kernels()) {
    for (const Row& row :
         {Row{kPercentage, 0, 1, true}, Row{kPercentage, 1e-61, 1, true},
          Row{kPercentage, -1e-60, 1, false}, Row{kSymmetric, 0, 0, false},
          Row{kLogarithms, -1, 1, true}, Row{kLogarithms, 1, -1, true},
          Row{kLogarithms, -0.5, 0, false}, Row{kPoisson, 0, 1, false}, Row{kPoisson, 1, 0, true},
          Row{kPoisson, -1, 1, true}, Row{kGamma, 0, 1, true}, Row{kGamma, 1, 1e-61, true},
          Row{kGamma, 1, 1e-60, false}, Row{kHuber, 0, 0, false}}) {
      const Found of = found(*loops, row.kind, {row.y}, {row.p});
      CHECK(of.none[0] == (row.none ? 1.0 : 0.0));
      CHECK(std::isfinite(of.first[0]));
      CHECK(std::isfinite(of.second[0]));
      if (row.none) CHECK((of.first[0] == 0 && of.second[0] == 0));
    }
    CHECK(found(*loops, kPoisson, {0.0}, {3.0}).first[0] == 6.0);
    CHECK(found(*loops, kHuber, {0.0}, {3.0}).first[0] == 0.5 * (3 - 0.25));
  }
}
