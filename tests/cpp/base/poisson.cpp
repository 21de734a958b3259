// Draws of the Poisson distribution against its probabilities.
#include "confmat/base/poisson.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <vector>

using confmat::Poisson;
using confmat::Random;

TEST_CASE("Poisson draws have the probabilities of the distribution") {
  constexpr int kDraws = 400000;
  std::uint64_t seed = 0;
  for (const double mean : {0.01, 1.0, 2.5, 9.99, 10.01, 40.0, 1e3}) {
    CAPTURE(mean);
    Random random(++seed);
    const Poisson rows(mean);
    std::vector<double> counts(static_cast<std::size_t>(mean + 20 * std::sqrt(mean) + 20));
    for (int i = 0; i < kDraws; ++i) ++counts.at(static_cast<std::size_t>(rows.draw(random)));
    double chi = 0, cells = 0, expected = 0, found = 0, left = kDraws;
    for (std::size_t k = 0; k < counts.size(); ++k) {
      const auto of = static_cast<double>(k);
      expected += kDraws * std::exp(of * std::log(mean) - mean - std::lgamma(of + 1));
      found += counts[k];
      if (expected < 20 || left - expected < 20) continue;
      chi += (found - expected) * (found - expected) / expected;
      left -= expected;
      cells += 1;
      expected = found = 0;
    }
    chi += (found - left) * (found - left) / left;
    CHECK(std::fabs(chi - cells) < 5 * std::sqrt(2 * cells) + 5);
  }
}

TEST_CASE("Poisson draws of no rows and of the most") {
  Random random(1);
  CHECK(Poisson(0.0).draw(random) == 0);
  const double most = Poisson::kMostMean;
  const auto found = static_cast<double>(Poisson(most).draw(random));
  CHECK(std::fabs(found - most) < 6 * std::sqrt(most));
}
