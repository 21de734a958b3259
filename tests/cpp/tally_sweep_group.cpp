#include <doctest/doctest.h>

#include <vector>

#include "confmat/tally/sweep_group.hpp"
#include "tally_sweep.hpp"

using namespace test;
using confmat::GroupSweep;
using confmat::score_key;
using confmat::score_of;

namespace {

template <class Score, class Runs>
bool agrees(const Runs& runs, const NaiveSweep& naive) {
  if (runs.scores.size() != naive.size() || runs.positives.size() != naive.size()) return false;
  std::size_t at = 0;
  for (const auto& [score, tally] : naive) {
    if (static_cast<double>(runs.scores[at]) != score) return false;
    if (static_cast<double>(runs.positives[at]) != tally.first) return false;
    if (static_cast<double>(runs.negatives[at]) != tally.second) return false;
    ++at;
  }
  return true;
}

template <class Score>
void sweep_groups(std::mt19937_64& random) {
  GroupSweep<Score> groups;
  for (const std::size_t n :
       {0U, 1U, 2U, 10U, 24U, 25U, 60U, 700U, 9'000U, 60'000U, 150'000U, 280'000U, 3U}) {
    for (int kind = 0; kind < kScoreKinds; ++kind) {
      CAPTURE(n);
      CAPTURE(kind);
      const auto wide = random_scores(n, kind, random);
      const std::vector<Score> scores(wide.begin(), wide.end());
      const auto classes = random_classes(n, random);
      std::vector<confmat::KeyOf<Score>> keys;
      std::vector<double> weights;
      NaiveSweep sums;
      for (std::size_t i = 0; i < n; ++i) {
        keys.push_back(score_key(scores[i]));
        weights.push_back(static_cast<double>(random() % 1000) / 7);
        auto& [p, q] = sums[static_cast<double>(scores[i])];
        (classes[i] != 0 ? p : q) += weights.back();
      }
      const NaiveSweep counts = naive_sweep(classes, scores);
      for (const int threads : {1, 2}) {
        CHECK(agrees<Score>(groups.counts(keys, classes.data(), threads), counts));
        CHECK(agrees<Score>(groups.weights(keys, classes.data(), weights.data(), threads), sums));
      }
    }
  }
}

}  // namespace

TEST_CASE("groups of any size are swept with the same memory") {
  std::mt19937_64 random(23);
  sweep_groups<float>(random);
  sweep_groups<double>(random);
}

TEST_CASE("keys keep the order of scores and give them back") {
  const std::vector<double> ordered{-HUGE_VAL, -1e300, -1, -5e-324, 0, 5e-324, 1, 1e300, HUGE_VAL};
  for (std::size_t i = 0; i < ordered.size(); ++i) {
    CHECK(score_of(score_key(ordered[i])) == ordered[i]);
    if (i > 0) CHECK(score_key(ordered[i - 1]) < score_key(ordered[i]));
  }
  CHECK(score_key(-0.0) == score_key(0.0));
  CHECK(score_key(-0.0F) == score_key(0.0F));
  CHECK(score_of(score_key(-1.5F)) == -1.5F);
  CHECK(confmat::is_nan_bits(std::bit_cast<std::uint32_t>(std::nanf(""))));
  CHECK(!confmat::is_nan_bits(std::bit_cast<std::uint64_t>(-HUGE_VAL)));
}
