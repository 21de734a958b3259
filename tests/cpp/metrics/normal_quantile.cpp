// Quantiles of the normal distribution against its tail probabilities.
#include "confmat/metrics/normal_quantile.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>

using confmat::metrics::normal_distance;
using confmat::metrics::normal_quantile;

TEST_CASE("normal quantiles are those of the distribution, in the tails too") {
  for (const double z : {0.0, 1e-9, 0.3, 1.0, 1.96, 3.0, 6.0, 12.0, 30.0}) {
    const double above = std::erfc(z / std::sqrt(2.0)) / 2;
    CHECK(normal_quantile(1 - above, above) == doctest::Approx(z).epsilon(1e-12));
    CHECK(normal_quantile(above, 1 - above) == doctest::Approx(-z).epsilon(1e-12));
  }
  CHECK(normal_quantile(3.0, 0.0) == HUGE_VAL);
  CHECK(normal_quantile(0.0, 3.0) == -HUGE_VAL);
  CHECK(std::isnan(normal_quantile(0.0, 0.0)));
}

TEST_CASE("quantiles near each other keep the digits of their distance") {
  const double n = 1e12;
  const double near =
      normal_distance(normal_quantile(4e11 + 1, 6e11 - 1), normal_quantile(4e11, 6e11), 1 / n);
  const double z = normal_quantile(4e11, 6e11);
  const double density = std::exp(-z * z / 2) / std::sqrt(2 * 3.14159265358979323846);
  CHECK(near == doctest::Approx(1 / n / density).epsilon(1e-11));
  CHECK(std::isnan(normal_distance(HUGE_VAL, HUGE_VAL, 0.0)));
  CHECK(normal_distance(HUGE_VAL, 0.0, 0.5) == HUGE_VAL);
}
