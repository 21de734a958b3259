// Sums of weights: errors and true negatives keep their digits beside a class that holds nearly
// all the weight. The values wanted were computed in exact fractions.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "confmat/metrics/registry.hpp"

namespace confmat::metrics {
namespace {

double value_of(const std::string& name, const std::vector<double>& weights, std::int64_t pos = -1,
                bool keep_empty = false) {
  const Ask ask = parse(name);
  Options options;
  options.pos = pos;
  options.keep_empty = keep_empty;
  const auto k = std::llround(std::sqrt(static_cast<double>(weights.size())));
  double out = 0.0;
  values({&ask, 1}, {k, nullptr, weights.data()}, options, &out);
  return out;
}

bool within(double got, double wanted, double ulps) {
  return std::fabs(got - wanted) <= ulps * 0x1p-52 * std::fabs(wanted);
}

}  // namespace

TEST_CASE("metrics: a small error of weights keeps its digits") {
  const std::vector<double> table{89.17708461181964, 1.7051629362726127e-07, 6.27547638674133e-09,
                                  3.5450760297295494};
  for (const char* name : {"error", "hamming_loss", "zero_one_loss"}) {
    CHECK_MESSAGE(within(value_of(name, table), 1.9066830243566996e-09, 4), name);
  }
  std::vector<double> huge = table;  // the scaled kit
  for (double& cell : huge) cell = std::ldexp(cell, 900);
  CHECK(value_of("error", huge) == value_of("error", table));
  const std::vector<double> absent{89.17708461181964,
                                   1.7051629362726127e-07,
                                   0,
                                   6.27547638674133e-09,
                                   3.5450760297295494,
                                   0,
                                   0,
                                   0,
                                   0};
  CHECK(value_of("error", absent) == value_of("error", table));
  CHECK(value_of("error", absent, -1, true) == value_of("error", table));
  CHECK(value_of("error", {7.5, 0, 0, 0.1}) == 0.0);
}

TEST_CASE("metrics: true negatives of weights keep their digits beside a large class") {
  const double tiny = 1e-9;
  // Class 0 holds all but a billionth of the weight.
  const std::vector<double> table{1e3,        0.3,       0.7,        0.1,       0.2 * tiny,
                                  0.3 * tiny, 0.1 * 3.0, 0.7 * tiny, 0.9 * tiny};
  const double tn = 0.2 * tiny + 0.3 * tiny + 0.7 * tiny + 0.9 * tiny;
  const double fp = 0.1 + 0.1 * 3.0;
  const double fn = 0.3 + 0.7;
  CHECK(within(value_of("tn", table, 0), tn, 4));
  CHECK(within(value_of("specificity", table, 0), tn / (tn + fp), 8));
  CHECK(within(value_of("npv", table, 0), tn / (tn + fn), 8));
  CHECK(within(value_of("tn", table, 2), 1e3 + 0.3 + 0.1 + 0.2 * tiny, 4));
  std::vector<double> many(40 * 40, 0.1);
  for (std::int64_t pos : {0, 17, 39}) {
    CHECK(within(value_of("tn", many, pos), 39 * 39 * 0.1, 64));
    CHECK(within(value_of("fpr", many, pos), 1.0 / 40, 64));
  }
}

}  // namespace confmat::metrics
