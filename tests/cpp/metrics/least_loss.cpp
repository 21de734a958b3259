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
      if (n == 3000 && std::fabs(centre) > 10) CHECK(bins.mean.size() <= kFewBins);
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

TEST_CASE("least loss: numbers far away leave the digits of those near") {
  // Of 99 numbers about 0 and one far away, of which the loss is linear.
  for (const double far : {-1e14, 1e14, 1e18}) {
    std::vector<double> y;
    double near = 0;
    for (int i = 0; i < 99; ++i) {
      y.push_back((i * 37 % 99 - 49) * 0.015625);
      near += y.back() * y.back() / 2;
    }
    y.push_back(far);
    const double pull = std::copysign(1.0, far);  // of a delta of 1, on a sum of 0
    const double centre = pull / 99;
    const double wanted = near - 99 * centre * centre / 2 + (std::fabs(far) - 0.5);
    const metrics::LeastLoss found =
        metrics::least_huber(ranges_of(y, std::vector<double>(100, 1.0), kAllBits), 1.0);
    CHECK(found.sum == doctest::Approx(wanted).epsilon(1e-15));
  }
}

TEST_CASE("least loss: the middle of what the rows of a bin may lose, by hand") {
  // Of four rows between 0 and 10, whose mean is 2, and of one that is 20.
  const NumberRanges truths = {.low = {0, 20}, .high = {10, 20}, .mean = {2, 20}, .weight = {4, 1}};
  // About 2: at least nothing, at most 0.8 rows at 0 for each 0.2 at 10.
  const metrics::LeastLoss pinball = metrics::least_pinball(truths, 0.5);
  CHECK(pinball.off == doctest::Approx(4 * (0.8 * 1 + 0.2 * 4) / 2));
  CHECK(pinball.sum == doctest::Approx(9 + pinball.off));
  // The loss falls by 1 from the one row, and grows by 4 times the way from 2: about 2.25.
  const metrics::LeastLoss huber = metrics::least_huber(truths, 1);
  const double at_mean = 0.25 * 0.25 / 2, at_ends = 0.8 * (2.25 - 0.5) + 0.2 * (7.75 - 0.5);
  CHECK(huber.off == doctest::Approx(4 * (at_ends - at_mean) / 2));
  CHECK(huber.sum == doctest::Approx(4 * at_mean + 17.75 - 0.5 + huber.off));
}

TEST_CASE("least loss: where nearly all is linear, the centre is the median") {
  std::mt19937_64 random(6);
  std::uniform_real_distribution<double> number(-1e6, 1e6), weight(0.1, 3.0);
  std::vector<double> y(1'000), w(y.size());
  for (double& x : y) x = number(random);
  for (double& x : w) x = weight(random);
  const NumberRanges truths = ranges_of(y, w, kAllBits);
  constexpr double kDelta = 1e-9;
  const double wanted = 2 * kDelta * metrics::least_pinball(truths, 0.5).sum;
  CHECK(metrics::least_huber(truths, kDelta).sum == doctest::Approx(wanted).epsilon(1e-13));
}
