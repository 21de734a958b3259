// The least loss of one number: against a search among numbers, of single numbers and of bins.
#include "confmat/metrics/least_loss.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include "support/numbers.hpp"

using namespace confmat;

namespace {

NumberRanges ranges_of(const std::vector<double>& y, const std::vector<double>& w, int bits) {
  const std::vector<TermAsk> terms = {{MomentTerm::kTruths, static_cast<double>(bits)}};
  return number_ranges(host::moments_of_numbers(y, y, w, terms), MomentTerm::kTruths);
}

// By thirds of a range, as losses are convex; about the least number, where all digits are left.
template <class Loss>
double searched(std::vector<double> y, const std::vector<double>& w, const Loss& loss) {
  const double least = *std::ranges::min_element(y);
  for (double& x : y) x -= least;
  const auto at = [&](double c) {
    double sum = 0;
    for (std::size_t i = 0; i < y.size(); ++i) sum += w[i] * loss(y[i] - c);
    return sum;
  };
  double low = 0, high = *std::ranges::max_element(y);
  for (int i = 0; i < 300; ++i) {
    const double a = low + (high - low) / 3, b = high - (high - low) / 3;
    (at(a) < at(b) ? high : low) = at(a) < at(b) ? b : a;
  }
  return std::min(at(low), at(high));
}

}  // namespace

TEST_CASE("least loss: that of a search, and within what it may be off") {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(0.1, 3.0);
  for (const double centre : {0.0, 2.0, 30.0, -1e9}) {
    for (const std::size_t n : {2U, 3U, 10U, 400U, 3000U}) {
      std::vector<double> y(n), w(n);
      for (double& x : y) x = std::round((centre + std::exp(normal(random))) * 1024) / 1024;
      for (double& x : w) x = uniform(random);
      y[0] = centre + 1000;
      const NumberRanges single = ranges_of(y, w, kAllBits), bins = ranges_of(y, w, kUsualBits);
      if (n == 3000 && centre != 0) CHECK(bins.mean.size() <= kFewBins);
      if (n == 3000) CHECK(bins.mean.size() < single.mean.size());
      const auto check = [&](metrics::LeastLoss exact, metrics::LeastLoss binned, double wanted) {
        CHECK(exact.off == 0.0);
        CHECK(exact.sum == doctest::Approx(wanted).epsilon(1e-12));
        CHECK(std::fabs(binned.sum - wanted) <= binned.off + 1e-12 * wanted);
      };
      for (const double q : {0.05, 0.5, 0.7}) {
        const auto loss = [q](double e) { return e > 0 ? q * e : (q - 1) * e; };
        check(metrics::least_pinball(single, q), metrics::least_pinball(bins, q),
              searched(y, w, loss));
      }
      for (const double delta : {1e-3, 0.5, 2.0, 1e5}) {
        const auto loss = [delta](double e) {
          const double size = std::fabs(e);
          return size <= delta ? size * size / 2 : delta * (size - delta / 2);
        };
        check(metrics::least_huber(single, delta), metrics::least_huber(bins, delta),
              searched(y, w, loss));
      }
    }
  }
}
