// What two labelings tell of each other by chance.
#include "confmat/metrics/expected_information.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <vector>

using confmat::metrics::expected_information;
using Sizes = std::vector<std::int64_t>;

TEST_CASE("information by chance: exact of few rows, and what many rows tend to") {
  // Two rows of two classes meet alike or crossed, and tell all either way.
  CHECK(expected_information(Sizes{1, 1}, Sizes{1, 1}) == doctest::Approx(std::log(2.0)));
  CHECK(expected_information(Sizes{7}, Sizes{3, 4}) == doctest::Approx(0.0));
  CHECK(expected_information(Sizes{}, Sizes{}) == 0.0);
  CHECK(expected_information(Sizes{0, 5}, Sizes{5, 0}) == doctest::Approx(0.0));
  for (const std::int64_t half :
       {std::int64_t{10000}, std::int64_t{1} << 40, std::int64_t{1} << 60}) {
    const auto n = static_cast<double>(2 * half);
    const double found = expected_information(Sizes{half, half}, Sizes{half, half});
    CHECK(found * 2 * n == doctest::Approx(1.0).epsilon(1e-3));  // (K - 1)^2 / 2 n
  }
}
