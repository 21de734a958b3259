// Short sums: those of exact ones, whatever is left beside three doubles.
#include "confmat/base/short_sum.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include "confmat/base/exact_sum.hpp"

using confmat::ExactSum;
using confmat::ShortSum;

namespace {

// All of what a sum holds.
std::vector<double> parts_of(const ExactSum& sum) {
  std::vector<double> parts;
  sum.each_part([&](double part) { parts.push_back(part); });
  return parts;
}

}  // namespace

TEST_CASE("short sums: no bit is lost, in any order and grouping") {
  std::mt19937_64 random(4);
  std::uniform_real_distribution<double> mantissa(-1.0, 1.0);
  for (const int reach : {0, 10, 100, 400, 1000}) {  // exponents
    std::uniform_int_distribution<int> exponent(-reach - 60, reach - 60);
    std::vector<double> terms = {5e-324, -0.0, 0.0};
    for (int i = 0; i < 500; ++i) terms.push_back(std::ldexp(mantissa(random), exponent(random)));
    ExactSum wanted;
    for (const double x : terms) wanted.add(x);
    ShortSum forth, back, half, other;
    for (std::size_t i = 0; i < terms.size(); ++i) {
      forth.add(terms[i]);
      back.add(terms[terms.size() - 1 - i]);
      (i % 3 == 0 ? half : other).add(terms[i]);
    }
    other.add(half);
    for (const ShortSum* const sum : {&forth, &back, &other}) {
      CHECK(parts_of(sum->exact()) == parts_of(wanted));
    }
  }
}

TEST_CASE("short sums: what cancels leaves what is small") {
  ShortSum sum;
  for (const double x : {1e300, 1.0, 1e-300, 1e-20, -1e300, -1.0, -1e-20}) sum.add(x);
  CHECK(sum.exact().value() == 1e-300);
  CHECK(ShortSum().exact().value() == 0.0);
}
