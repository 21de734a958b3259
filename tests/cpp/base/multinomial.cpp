// Draws of tables: their laws, and the same law whichever way they are drawn.
#include "confmat/base/multinomial.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

using confmat::Multinomial;
using confmat::Random;
using Counts = std::vector<std::int64_t>;

namespace {

Multinomial of(const Counts& counts) {
  return Multinomial::of_counts(std::span<const std::int64_t>(counts));
}

// Means and covariances of the counts of two cells over many draws, against n p and n (p - p p').
void check_moments(const Multinomial& cells, const Counts& counts, std::size_t i, std::size_t j) {
  constexpr int kDraws = 100000;
  const auto n = static_cast<double>(cells.total());
  const double p = static_cast<double>(counts[i]) / n;
  const double q = static_cast<double>(counts[j]) / n;
  double mean = 0, square = 0, product = 0, other = 0;
  Counts out(counts.size());
  Random random(9);
  for (int at = 0; at < kDraws; ++at) {
    cells.draw(random, out.data());
    const auto x = static_cast<double>(out[i]) - n * p;
    const auto y = static_cast<double>(out[j]) - n * q;
    mean += x;
    other += y;
    square += x * x;
    product += x * y;
  }
  const double variance = n * p * (1 - p);
  const double root = std::sqrt(static_cast<double>(kDraws));
  CHECK(std::fabs(mean / kDraws) < 4.5 * std::sqrt(variance) / root);
  CHECK(std::fabs(other / kDraws) < 4.5 * std::sqrt(n * q * (1 - q)) / root);
  CHECK(std::fabs(square / kDraws / variance - 1) < 4.5 * std::sqrt(2 + 1 / variance) / root);
  const double spread = std::sqrt(variance * n * q * (1 - q));
  CHECK(std::fabs((product / kDraws + n * p * q) / spread) < 4.5 * std::sqrt(2.0) / root);
}

}  // namespace

TEST_CASE("tables drawn have the total, and nothing where nothing was") {
  // Few rows a cell, many, some of each in several blocks, one row each.
  Counts few(50, 3), many(50, 100000), mixed(20000, 1), single(9000, 1);
  few[7] = many[3] = single[11] = single[8999] = 0;
  for (std::size_t i = 5000; i < mixed.size(); ++i) mixed[i] = static_cast<std::int64_t>(i % 90);
  for (const Counts& counts : {few, many, mixed, single, Counts{5}, Counts{0, 0}, Counts{}}) {
    const Multinomial cells = of(counts);
    const auto n = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
    CHECK(cells.total() == n);
    Counts out(counts.size(), 0);
    for (std::uint64_t i = 0; i < 20; ++i) {
      Random random(1, i);
      cells.draw(random, out.data());
      CHECK(std::accumulate(out.begin(), out.end(), std::int64_t{0}) == n);
      for (std::size_t at = 0; at < out.size(); ++at) {
        if (counts[at] == 0) CHECK(out[at] == 0);
      }
    }
  }
}

TEST_CASE("tables drawn have the moments of the multinomial distribution") {
  const Counts rows{3, 0, 9, 1, 12, 5};          // by rows
  const Counts cells{300, 0, 900, 1, 1200, 50};  // cell by cell
  const Counts huge{std::int64_t{1} << 60, 5, std::int64_t{1} << 61, std::int64_t{1} << 40};
  check_moments(of(rows), rows, 2, 4);
  check_moments(of(rows), rows, 3, 5);
  check_moments(of(cells), cells, 2, 4);
  check_moments(of(cells), cells, 5, 0);
  check_moments(of(huge), huge, 0, 2);
  // Over two blocks.
  Counts blocks(5000, 1);
  blocks[4999] = 700;
  blocks[0] = 900;
  check_moments(of(blocks), blocks, 0, 4999);
}

TEST_CASE("shares that are not whole are drawn as counts are") {
  const std::vector<double> shares{1.5, 0.0, 3.0, 2.25};
  const Multinomial cells = Multinomial::of_shares(shares, 900);
  const Counts like{200, 0, 400, 300};
  check_moments(cells, like, 0, 2);
  check_moments(cells, like, 3, 2);
  CHECK(Multinomial::of_shares(std::vector<double>{0.0, 0.0}, 7).total() == 0);
}

TEST_CASE("every type of counts is drawn alike") {
  const std::vector<std::uint32_t> narrow{4, 0, 70, 9};
  const std::vector<std::uint64_t> wide{4, 0, 70, 9};
  std::vector<std::uint32_t> from_narrow(4);
  std::vector<std::uint64_t> from_wide(4);
  Random one(2), two(2);
  Multinomial::of_counts(std::span<const std::uint32_t>(narrow)).draw(one, from_narrow.data());
  Multinomial::of_counts(std::span<const std::uint64_t>(wide)).draw(two, from_wide.data());
  CHECK(std::vector<std::uint64_t>(from_narrow.begin(), from_narrow.end()) == from_wide);
}
