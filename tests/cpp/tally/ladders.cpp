// Ladders of one class against the others: against a naive sweep.
#include "confmat/tally/ladders.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <map>
#include <random>

#include "probability_rows.hpp"

using confmat::class_ladders;
using confmat::DType;
using confmat::Ladders;
using confmat::pooled_ladder;
using confmat::Wins;
using test::Layout;
using test::ProbabilityRows;

namespace {

struct Decision {
  double score;
  double weight;
  bool member;
};

// The same ladder from the sorted decisions, one by one.
struct NaiveLadder {
  std::vector<double> scores, members, others, between, lowest;
  double below = 0;
  double lowest_below = std::numeric_limits<double>::quiet_NaN();
};

NaiveLadder naive(std::vector<Decision> decisions) {
  std::map<double, std::pair<double, double>, std::greater<>> at;
  for (const Decision& decision : decisions) {
    if (decision.weight == 0) continue;
    auto& [members, others] = at[decision.score];
    (decision.member ? members : others) += decision.weight;
  }
  NaiveLadder out;
  for (const auto& [score, sums] : at) {
    if (sums.first == 0) {
      out.below += sums.second;
      out.lowest_below = score;
      continue;
    }
    out.scores.push_back(score);
    out.members.push_back(sums.first);
    out.others.push_back(sums.second);
    out.between.push_back(out.below);
    out.lowest.push_back(out.lowest_below);
    out.below = 0;
    out.lowest_below = std::numeric_limits<double>::quiet_NaN();
  }
  return out;
}

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

void check_ladder(const Ladders& ladders, std::size_t i, const NaiveLadder& wanted) {
  const auto first = static_cast<std::size_t>(ladders.offsets[i]);
  REQUIRE(static_cast<std::size_t>(ladders.offsets[i + 1]) - first == wanted.scores.size());
  for (std::size_t rung = 0; rung < wanted.scores.size(); ++rung) {
    REQUIRE(ladders.scores[first + rung] == wanted.scores[rung]);
    REQUIRE(ladders.members[first + rung] == wanted.members[rung]);
    REQUIRE(ladders.others[first + rung] == wanted.others[rung]);
    REQUIRE(ladders.between[first + rung] == wanted.between[rung]);
    REQUIRE(same(ladders.lowest[first + rung], wanted.lowest[rung]));
  }
  if (wanted.scores.empty()) return;  // others are then not looked at
  CHECK(ladders.below[i] == wanted.below);
  CHECK(same(ladders.lowest_below[i], wanted.lowest_below));
}

void check_all(const ProbabilityRows& rows, bool weighted, int threads) {
  Ladders ladders;
  const Wins wins = class_ladders(rows.table(weighted), &ladders, threads);
  const Wins alone = class_ladders(rows.table(weighted), nullptr, threads);
  CHECK(alone.exact == wins.exact);
  CHECK(alone.weighted == wins.weighted);
  REQUIRE(ladders.offsets.size() == rows.k + 1);
  std::vector<Decision> pooled;
  for (std::size_t i = 0; i < rows.k; ++i) {
    std::vector<Decision> decisions;
    for (std::size_t row = 0; row < rows.n; ++row) {
      if (!rows.used(row)) continue;
      decisions.push_back({rows.at(row, i), rows.weight(row, weighted), rows.classes[row] == i});
    }
    pooled.insert(pooled.end(), decisions.begin(), decisions.end());
    check_ladder(ladders, i, naive(decisions));
  }
  check_ladder(pooled_ladder(rows.table(weighted), threads), 0, naive(pooled));
  std::vector<double> won(rows.k * rows.k);
  for (std::size_t a = 0; a < rows.n; ++a) {
    for (std::size_t b = 0; b < rows.n; ++b) {
      if (!rows.used(a) || !rows.used(b) || rows.classes[a] == rows.classes[b]) continue;
      const std::size_t i = rows.classes[a];
      const double mine = rows.at(a, i);
      const double other = rows.at(b, i);
      won[i * rows.k + rows.classes[b]] += rows.weight(a, weighted) * rows.weight(b, weighted) *
                                           (mine > other    ? 2
                                            : mine == other ? 1
                                                            : 0);
    }
  }
  for (std::size_t cell = 0; cell < won.size(); ++cell) {
    REQUIRE(won[cell] == (weighted ? wins.weighted[cell] : static_cast<double>(wins.exact[cell])));
  }
}

}  // namespace

TEST_CASE("ladders and wins are those of sorting all decisions") {
  for (const std::size_t k : {1U, 2U, 3U, 9U, 17U}) {
    for (const std::size_t n : {1U, 2U, 300U}) {
      for (const auto layout : {Layout::kRows, Layout::kColumns, Layout::kSwapped}) {
        const ProbabilityRows rows(n, k, n + k, n == 300 ? DType::kFloat32 : DType::kFloat64,
                                   layout);
        for (const bool weighted : {false, true}) {
          for (const int threads : {1, 3}) check_all(rows, weighted, threads);
        }
      }
    }
  }
}

TEST_CASE("scores that crowd together, far apart, or equal are found") {
  ProbabilityRows rows(2'000, 2, 4);
  std::mt19937_64 random(9);
  for (std::size_t row = 0; row < rows.n; ++row) {
    double score = 0;
    switch (random() % 6) {
      case 0:  // next to one half
        score = 0.5 + static_cast<double>(random() % 900) * 0x1p-52;
        break;
      case 1:  // from the smallest of all floats up
        score = std::ldexp(1.0, -static_cast<int>(random() % 1075));
        break;
      case 2:
        score = static_cast<double>(random() % 2);
        break;
      case 3:
        score = std::numeric_limits<double>::denorm_min() * static_cast<double>(random() % 9);
        break;
      default:
        score = static_cast<double>(random() >> 11U) * 0x1p-53;
    }
    rows.p[row * 2] = score;
    rows.p[row * 2 + 1] = 1 - score;
  }
  rows.lay_out(DType::kFloat64, Layout::kRows);
  for (const bool weighted : {false, true}) check_all(rows, weighted, 2);
}

TEST_CASE("many members and few others, and the other way round") {
  for (const std::uint16_t rare : {std::uint16_t{0}, std::uint16_t{1}}) {
    ProbabilityRows rows(1'500, 2, 6);
    for (std::size_t row = 0; row < rows.n; ++row) {
      const double score = std::exp(-static_cast<double>(row % 1000) / 40);
      rows.p[row * 2] = score;
      rows.p[row * 2 + 1] = 1 - score;
      rows.classes[row] = row % 400 == 0 ? rare : static_cast<std::uint16_t>(1 - rare);
    }
    rows.lay_out(DType::kFloat64, Layout::kColumns);
    check_all(rows, false, 2);
  }
}

TEST_CASE("very many of both: others wait, and are looked up where they are near each other") {
  ProbabilityRows rows(150'000, 3, 8);
  std::mt19937_64 random(10);
  for (double& score : rows.p) score = static_cast<double>(random() >> 11U) * 0x1p-53;
  rows.lay_out(DType::kFloat64, Layout::kRows);
  for (const bool weighted : {false, true}) {
    Ladders ladders;
    const Wins wins = class_ladders(rows.table(weighted), &ladders, 2);
    const Wins alone = class_ladders(rows.table(weighted), nullptr, 2);
    CHECK(alone.exact == wins.exact);
    CHECK(alone.weighted == wins.weighted);
    for (std::size_t i = 0; i < rows.k; ++i) {
      std::vector<Decision> decisions;
      for (std::size_t row = 0; row < rows.n; ++row) {
        if (!rows.used(row)) continue;
        decisions.push_back({rows.at(row, i), rows.weight(row, weighted), rows.classes[row] == i});
      }
      check_ladder(ladders, i, naive(decisions));
    }
  }
}

TEST_CASE("wins without a ladder are those of the ladder, however the scores are spread") {
  std::mt19937_64 random(11);
  for (int shape = 0; shape < 6; ++shape) {
    ProbabilityRows rows(20000, 3, 7);
    for (double& p : rows.p) {
      const double u = static_cast<double>(random() >> 11U) * 0x1p-53;
      p = shape == 0   ? u
          : shape == 1 ? std::ldexp(u, -static_cast<int>(random() % 1000))
          : shape == 2 ? static_cast<double>(random() % 20) / 16
          : shape == 3 ? 0.5 + u * 0x1p-40
          : shape == 4 ? (random() % 100 == 0 ? u : 1.0)
                       : (u - 0.5) * std::ldexp(1.0, static_cast<int>(random() % 2000) - 1000);
      if (random() % 5000 == 0) p = std::numeric_limits<double>::infinity();
      if (random() % 5000 == 1) p = -0.0;
    }
    rows.lay_out(DType::kFloat64, shape % 2 == 0 ? Layout::kRows : Layout::kColumns);
    Ladders ladders;
    const Wins wins = class_ladders(rows.table(false), &ladders, 2);
    CHECK(class_ladders(rows.table(false), nullptr, 2).exact == wins.exact);
    CHECK(class_ladders(rows.table(false), nullptr, 1).exact == wins.exact);
  }
}

TEST_CASE("values that changed since they were checked are harmless") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  ProbabilityRows rows(64, 3, 8);
  for (std::size_t i = 0; i < rows.p.size(); ++i) {
    const double wild[] = {nan, -nan, -1, -0.0, HUGE_VAL, -HUGE_VAL, 1e300, 0.5};
    rows.p[i] = wild[(i * 7 + i / 8) % 8];
  }
  rows.lay_out(DType::kFloat64, Layout::kRows);
  for (const bool weighted : {false, true}) {
    Ladders ladders;
    CHECK_NOTHROW(class_ladders(rows.table(weighted), &ladders, 2));
    CHECK_NOTHROW(class_ladders(rows.table(weighted), nullptr, 2));
    CHECK_NOTHROW(pooled_ladder(rows.table(weighted), 2));
  }
}
