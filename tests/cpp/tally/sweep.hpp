// A naive sweep, and score columns for tests.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <span>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "confmat/tally/sweep.hpp"
#include "support/columns.hpp"

namespace test {

using NaiveSweep = std::map<double, std::pair<double, double>, std::greater<>>;

template <class Score>
Column scores_column(const std::vector<Score>& values) {
  Column column;
  column.type = sizeof(Score) == 4 ? DType::kFloat32 : DType::kFloat64;
  column.length = static_cast<std::int64_t>(values.size());
  column.data = reinterpret_cast<const std::byte*>(values.data());
  column.stride = sizeof(Score);
  return column;
}

inline Column classes_column(const std::vector<std::uint8_t>& values) {
  Column column;
  column.type = DType::kBool8;
  column.length = static_cast<std::int64_t>(values.size());
  column.data = reinterpret_cast<const std::byte*>(values.data());
  column.stride = 1;
  return column;
}

template <class Score>
NaiveSweep naive_sweep(const std::vector<std::uint8_t>& positive,
                       const std::vector<Score>& scores) {
  NaiveSweep naive;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    auto& [p, n] = naive[static_cast<double>(scores[i]) + 0.0];
    (positive[i] != 0 ? p : n) += 1;
  }
  return naive;
}

inline std::vector<double> numbers(const confmat::Tallies& tallies) {
  return std::visit(
      [](const auto& pages) {
        std::vector<double> out;
        for (const auto value : pages.span()) out.push_back(static_cast<double>(value));
        return out;
      },
      tallies);
}

inline std::vector<double> numbers(const confmat::Scores& scores) {
  return std::visit(
      [](const auto& pages) {
        std::vector<double> out;
        for (const auto value : pages.span()) out.push_back(static_cast<double>(value));
        return out;
      },
      scores);
}

// Whether the state holds the naive sweep: scores in order, no -0.0, the same tallies.
inline bool agrees(const confmat::SweepState& state, const NaiveSweep& naive) {
  const auto scores = numbers(state.scores);
  const auto positives = numbers(state.positives);
  const auto negatives = numbers(state.negatives);
  if (scores.size() != naive.size() || positives.size() != naive.size() ||
      negatives.size() != naive.size()) {
    return false;
  }
  std::size_t at = 0;
  for (const auto& [score, tally] : naive) {
    if (scores[at] != score || (score == 0 && std::signbit(scores[at]))) return false;
    if (positives[at] != tally.first || negatives[at] != tally.second) return false;
    ++at;
  }
  return true;
}

inline bool same(const confmat::SweepState& a, const confmat::SweepState& b) {
  return a.scores.index() == b.scores.index() && a.positives.index() == b.positives.index() &&
         numbers(a.scores) == numbers(b.scores) && numbers(a.positives) == numbers(b.positives) &&
         numbers(a.negatives) == numbers(b.negatives);
}

// Scores of many kinds: spread, tied, clustered, of both signs, with the ends of the line.
inline std::vector<double> random_scores(std::size_t n, int kind, std::mt19937_64& random) {
  std::uniform_real_distribution<double> uniform(0, 1);
  std::normal_distribution<double> normal;
  std::vector<double> scores(n);
  for (auto& score : scores) {
    switch (kind) {
      case 0:
        score = uniform(random);
        break;
      case 1:
        score = normal(random);
        break;
      case 2:
        score = std::round(uniform(random) * 100) / 100;
        break;
      case 3:
        score = (random() % 2 == 0 ? 1e-9 : 0.999) + uniform(random) * 1e-12;
        break;
      case 4:
        score = std::ldexp(normal(random), static_cast<int>(random() % 2000) - 1000);
        break;
      case 5:
        score = random() % 3 == 0 ? 0.0 : random() % 2 == 0 ? -0.0 : HUGE_VAL;
        break;
      case 6:
        score = random() % 4 == 0 ? -HUGE_VAL : normal(random) * 1e-310;
        break;
      default:
        score = 0.25;
    }
  }
  return scores;
}
inline constexpr int kScoreKinds = 8;

inline std::vector<std::uint8_t> random_classes(std::size_t n, std::mt19937_64& random) {
  std::vector<std::uint8_t> classes(n);
  for (auto& one : classes) one = random() % 10 < 3 ? 1 : 0;
  return classes;
}

}  // namespace test
