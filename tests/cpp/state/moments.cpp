// Moments: summed of columns of any cut, added, taken away, saved.
#include "confmat/state/moments.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "confmat/base/error.hpp"
#include "confmat/base/exact_sum.hpp"
#include "confmat/state/number_bins.hpp"
#include "support/damaged_bytes.hpp"
#include "support/drawn_moments.hpp"

using namespace confmat;
using host::drawn, host::part, host::summed;

TEST_CASE("moments: any cut and any number of threads give the same bytes") {
  std::mt19937_64 random(1);
  constexpr std::size_t kRows = 300'000;
  const std::vector<double> y = drawn(random, kRows, 1e9), p = drawn(random, kRows, 1e9);
  std::vector<double> w = drawn(random, kRows, 0.0);
  for (double& weight : w) weight = std::fabs(weight) < 0.1 ? 0.0 : std::fabs(weight);
  for (const auto& weights : {std::vector<double>{}, w}) {
    const Moments whole = summed(y, p, weights);
    CHECK(encode(summed(y, p, weights, 4)) == encode(whole));
    const Moments one = summed(part(y, 0, 1234), part(p, 0, 1234), part(weights, 0, 1234));
    const Moments two =
        summed(part(y, 1234, kRows), part(p, 1234, kRows), part(weights, 1234, kRows));
    CHECK(encode(added(one, two)) == encode(whole));
    CHECK(encode(added(two, one)) == encode(whole));
    const Moments rest = taken_away(whole, one);
    for (std::size_t i = 0; i < rest.size(); ++i) CHECK(rest.sums.leads[i] == two.sums.leads[i]);
    CHECK(are_same(decode_moments(encode(rest)), rest));
  }
}

TEST_CASE("moments: of nothing, and what is left of all") {
  const Moments none = summed({}, {});
  std::vector<TermAsk> ascending = host::kTerms;
  std::ranges::swap(ascending[0], ascending[1]);
  CHECK(encode(none) == encode(no_moments(ascending, false)));
  const Moments some = summed({1, 2, 3}, {1, 2, 4});
  CHECK(encode(added(none, some)) == encode(some));
  CHECK(encode(taken_away(some, some)) == encode(none));
  CHECK(encode(taken_away(some, none)) == encode(some));
  CHECK_THROWS_AS(taken_away(none, some), InputError);
  CHECK_THROWS_AS(taken_away(some, summed({1, 2, 9}, {1, 2, 4})), InputError);
}

TEST_CASE("moments: a bound is known while no row with it was taken away") {
  const Moments all = summed({1, 2, 3, 3}, {1, 2, 4, 3});
  const Moments of_two = taken_away(all, summed({2}, {2}));
  CHECK(of_two.least_truth == 1.0);
  CHECK(of_two.largest_error == 1.0);
  const Moments of_three = taken_away(all, summed({3}, {4}));
  CHECK(std::isnan(of_three.largest_truth));
  CHECK(std::isnan(of_three.largest_error));
  CHECK(of_three.least_truth == 1.0);
  const Moments more = added(of_three, all);
  CHECK(std::isnan(more.largest_error));
  CHECK(are_same(decode_moments(encode(more)), more));
}

TEST_CASE("moments: what does not go together is refused") {
  const Moments some = summed({1, 2}, {1, 2});
  CHECK_THROWS_AS(added(some, summed({1}, {1}, {2})), InputError);
  CHECK_THROWS_AS(added(some, no_moments({}, false)), InputError);
  const double inf = std::numeric_limits<double>::infinity();
  CHECK_THROWS_AS(summed({1, inf}, {1, 2}), InputError);
  CHECK_THROWS_AS(summed({1, 2}, {std::nan(""), 2}), InputError);
  CHECK_THROWS_AS(summed({1, 2}, {1, 2e60}), InputError);
  CHECK_THROWS_AS(summed({1, 2}, {1, 2}, {1, -1}), InputError);
  CHECK_THROWS_AS(summed({1, 2}, {1, 2}, {1, 1e-70}), InputError);
  CHECK_THROWS_AS(summed({1, 2}, {1}), InputError);
}

TEST_CASE("moments: damaged bytes are refused") {
  confmat::host::check_refused_when_damaged(
      {encode(summed({1, 2, 3}, {1, 2, 4})), encode(summed({0.1, 0.2}, {1e9, 0.3}, {0.5, 0.7}))},
      [](const auto& bytes) { return decode_moments(bytes); });
}

TEST_CASE("moments: sums that so many rows cannot give are refused, others add to what is read") {
  const Moments some = summed({1, 2, 3}, {1, 2, 4}, {0.5, 1, 2});
  const auto with_sum = [&](std::size_t at, double sum) {
    Moments out = some;
    std::vector<double> sums(some.sums.leads.view().begin(), some.sums.leads.view().end());
    sums[at] = sum;
    out.sums.leads = std::move(sums);
    return out;
  };
  // One row adds less than 2^803 to a sum of a term: numbers and weights are at most 1e60.
  const std::size_t term = kMomentSums;
  for (const double sum : {1e280, -1e280, std::nextafter(3 * std::ldexp(1.0, 803), 1e300)}) {
    CHECK_THROWS_WITH_AS(decode_moments(encode(with_sum(term, sum))),
                         doctest::Contains("a sum that is too large"), StateError);
  }
  Moments all = with_sum(term, 3 * std::ldexp(1.0, 803));
  for (int i = 0; i < 40; ++i) {
    all = decode_moments(encode(all));
    all = added(all, all);
  }
  CHECK(all.rows.counted == std::int64_t{3} << 40U);
  CHECK(are_same(decode_moments(encode(all)), all));
  // What is left may have too few rows for its sums.
  const Moments rest = with_sum(kSumTruthSquared, 2.5 * std::ldexp(1.0, 603));
  CHECK_NOTHROW(decode_moments(encode(rest)));
  const Moments two = summed({1, 2}, {1, 2}, {0.5, 1});
  CHECK_THROWS_AS(taken_away(rest, two), InputError);
}

TEST_CASE("moments: cells are the smallest that are few, whatever the cut") {
  std::mt19937_64 random(3);
  constexpr std::size_t kRows = 60'000;
  for (const double mean : {0.0, 1e9, -3e-5}) {
    std::vector<double> y = drawn(random, kRows, mean), p = drawn(random, kRows, mean);
    y[77] = -1e60;
    p[4242] = -5e-324;
    const Moments whole = summed(y, p);
    CHECK(whole.cells.size() <= kMostCells);
    std::vector<PairCell> pairs;
    for (std::size_t i = 0; i < kRows; ++i) pairs.push_back({y[i], p[i]});
    const auto occupied = [&](int level) {
      std::vector<PairCell> cells;
      for (const PairCell& pair : pairs) cells.push_back(cell_of(pair, level));
      std::ranges::sort(cells);
      const auto rest = std::ranges::unique(cells);
      cells.erase(rest.begin(), rest.end());
      return cells;
    };
    CHECK(occupied(whole.grid_level) == whole.cells);
    CHECK(occupied(whole.grid_level - 1).size() > kMostCells);
    // Parts that are fine enough to have cells of other sizes.
    Moments sum = summed({}, {});
    for (std::size_t at = 0, n = 1; at < kRows; at += n, n = n * 3 / 2 + 1) {
      const std::size_t end = std::min(at + n, kRows);
      sum = added(summed(part(y, at, end), part(p, at, end)), sum);
    }
    CHECK(encode(sum) == encode(whole));
  }
}

TEST_CASE("moments: squares of each size are made of those below") {
  for (const double x : {1.0, -1.0, 0.1, -0.1, 5e-324, -5e-324, -1e-250, 1e60, -1e60, 0.0, -0.0}) {
    double finer = x;
    for (int level = kEachPair; level <= kMostLevel; ++level) {
      finer = corner_of(finer, level);
      CHECK(finer == corner_of(x, level));
      CHECK(finer <= x);
      CHECK_FALSE((finer == 0 && std::signbit(finer)));
      if (level > kEachPair) CHECK(x - finer <= power_of_two(level));
    }
  }
}

TEST_CASE("moments: few pairs are cells of their own, and what is taken away leaves none") {
  const Moments some = summed({1, 2, 2, -0.0}, {1, 3, 3, 0.0});
  CHECK(some.grid_level == kEachPair);
  CHECK(some.cells == std::vector<PairCell>{{0, 0}, {1, 1}, {2, 3}});
  const Moments left = taken_away(some, summed({2, 2}, {3, 3}));
  CHECK(left.cells == std::vector<PairCell>{{0, 0}, {1, 1}});
  CHECK_THROWS_AS(taken_away(some, summed({2, 2}, {3, 2})), InputError);
}

TEST_CASE("moments: errors lie in ranges that ascend") {
  const std::vector<double> y = {0, 0, 0, 0, 0, 0}, p = {-3, 0.3, 0, -0.001, 0.3, 1e60};
  const NumberRanges found = number_ranges(summed(y, p), MomentTerm::kErrors);
  CHECK(found.weight == std::vector<double>{1, 1, 1, 2, 1});
  const std::vector<double> errors = {-3, -0.001, 0, 0.3, 1e60};
  for (std::size_t i = 0; i < errors.size(); ++i) {
    CHECK(found.low[i] <= errors[i]);
    CHECK(errors[i] <= found.high[i]);
    CHECK(found.high[i] - found.low[i] <= std::fabs(errors[i]) / 100);
    if (i > 0) CHECK(found.high[i - 1] <= found.low[i]);
  }
}
