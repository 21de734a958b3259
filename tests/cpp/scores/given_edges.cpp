// Bins between given edges: as many edges as are not above the score, wherever both lie.
#include "confmat/scores/given_edges.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "confmat/scores/score_key.hpp"

namespace confmat {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

std::vector<double> equal_parts(double low, double high, int parts) {
  std::vector<double> edges;
  for (int i = 0; i <= parts; ++i) edges.push_back(low + (high - low) * i / parts);
  return edges;
}

std::vector<double> powers(double low, double factor, int n) {
  std::vector<double> edges;
  for (int i = 0; i < n; ++i, low *= factor) edges.push_back(low);
  return edges;
}

template <class Score>
void check_scores(const std::vector<double>& edges) {
  const GivenEdges<KeyOf<Score>> bins(edges);
  CHECK(bins.size() == edges.size() + 1);
  std::vector<double> scores = {0.0,      -0.0,    kInf,     -kInf,  DBL_MAX,
                                -DBL_MAX, DBL_MIN, -DBL_MIN, 5e-324, -5e-324};
  for (const double edge : edges) {
    scores.insert(scores.end(), {edge, std::nextafter(edge, kInf), std::nextafter(edge, -kInf)});
  }
  std::mt19937_64 random(41);
  const double low = edges.front(), high = edges.back();
  for (int i = 0; i < 2000; ++i) {
    const double share = static_cast<double>(random()) * 0x1p-64;
    scores.push_back(low * (1.2 - 1.4 * share) + high * (1.4 * share - 0.2));
  }
  for (const double score : scores) {
    if (std::isnan(score)) continue;
    const auto own = static_cast<Score>(score);
    const auto wanted = static_cast<std::uint32_t>(
        std::upper_bound(edges.begin(), edges.end(), static_cast<double>(own)) - edges.begin());
    INFO("score ", own, " edges ", edges.size(), " from ", low, " to ", high);
    REQUIRE(bins.bin(score_key(own)) == wanted);
    std::uint32_t found = 0;
    const auto key = score_key(own);
    bins.bins(&key, 1, &found);
    REQUIRE(found == wanted);
  }
}

void check(std::vector<double> edges) {
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  check_scores<double>(edges);
  check_scores<float>(edges);
}

}  // namespace

TEST_CASE("given edges: bins of equal length, of equal ratios, and of none of these") {
  for (const int parts : {1, 2, 10, 100, 1000, 5000}) {
    check(equal_parts(0, 1, parts));
    check(equal_parts(-3, 1e9, parts));
    check(equal_parts(-DBL_MAX, DBL_MAX / 2, parts));
    check(equal_parts(0, 1e-310, parts));
    check(equal_parts(1, 1 + 1e-12, parts));
  }
  check(powers(1e-300, 10, 500));
  check(powers(1e-6, 1.01, 3000));
  check({-5e-324, 0.0, 5e-324});
  check({0.5});
  check({-DBL_MAX});
  std::vector<double> mixed = equal_parts(0, 1, 300);
  const std::vector<double> fine = equal_parts(0.4, 0.4001, 700);
  mixed.insert(mixed.end(), fine.begin(), fine.end());
  std::sort(mixed.begin(), mixed.end());
  check(mixed);
}

}  // namespace confmat
