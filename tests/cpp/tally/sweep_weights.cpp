// Weighted sweeps: exact sums, and totals out of range.
#include <doctest/doctest.h>

#include <cfloat>
#include <cmath>
#include <map>
#include <numeric>

#include "confmat/base/error.hpp"
#include "confmat/base/exact_sum.hpp"
#include "confmat/tally/sweep_binned.hpp"
#include "sweep.hpp"

using namespace test;
using confmat::InputError;
using confmat::sweep;
using confmat::sweep_binned;
using confmat::SweepOptions;
using confmat::Swept;

TEST_CASE("float weights are summed exactly, whatever the order, threads and chunks") {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (const std::size_t n : {40U, 5000U, 300'000U}) {
    for (int kind = 0; kind < kScoreKinds; ++kind) {
      CAPTURE(n);
      CAPTURE(kind);
      const auto scores = random_scores(n, kind, random);
      const auto classes = random_classes(n, random);
      std::vector<double> weights(n);
      using Sides = std::pair<confmat::ExactSum, confmat::ExactSum>;
      std::map<double, Sides> sums, squares;
      for (std::size_t i = 0; i < n; ++i) {
        weights[i] = random() % 5 == 0 ? 0.0 : uniform(random);
        if (weights[i] == 0) continue;
        auto& [p, q] = sums[scores[i] + 0.0];
        (classes[i] != 0 ? p : q).add(weights[i]);
        Sides& of = squares[scores[i] + 0.0];
        (classes[i] != 0 ? of.first : of.second).add(weights[i] * weights[i]);
      }
      NaiveSweep naive;
      for (const auto& [score, sides] : sums) {
        naive[score] = {sides.first.value(), sides.second.value()};
      }
      for (const int threads : {1, 2, 4}) {
        SweepOptions options;
        options.threads = threads;
        const Swept swept = sweep(chunks(classes_column(classes), 3, random),
                                  chunks(scores_column(scores), 3, random),
                                  chunks(scores_column(weights), 3, random), options);
        REQUIRE(agrees(swept.state, naive));
        CHECK(swept.rows.n_dropped == 0);
        REQUIRE(swept.state.positive_squares.size() == squares.size());
        std::size_t at = squares.size();
        for (const auto& [score, sides] : squares) {
          --at;
          REQUIRE(swept.state.positive_squares[at] == sides.first.value());
          REQUIRE(swept.state.negative_squares[at] == sides.second.value());
        }
        options.rows_at_once = 999;  // put together from parts, whose sums are rounded
        const Swept parts = sweep(chunks(classes_column(classes), 3, random),
                                  chunks(scores_column(scores), 3, random),
                                  chunks(scores_column(weights), 3, random), options);
        for (at = 0; at < squares.size(); ++at) {
          REQUIRE(parts.state.positive_squares[at] ==
                  doctest::Approx(swept.state.positive_squares[at]).epsilon(1e-13));
        }
      }
    }
  }
}

TEST_CASE("integer weights are counts, up to 2^63 - 1 of both classes together") {
  using Counts = std::vector<std::uint64_t>;
  Memory memory;
  const std::int64_t big = std::int64_t{1} << 62;
  const Column truth = memory.ints({1, 1, 1, 0, 0, 1}, DType::kInt8);
  const Column score = memory.doubles({5, 5, 5, 5, 3, 3});
  const auto with = [&](const Ints& weights, DType type) {
    const Column weight = memory.ints(weights, type);
    return sweep({&truth, 1}, {&score, 1}, {&weight, 1}, {});
  };
  const auto counts = [](const confmat::Tallies& tallies) {
    const auto found = std::get<confmat::Pages<std::uint64_t>>(tallies).span();
    return Counts(found.begin(), found.end());
  };
  for (const DType type : {DType::kInt64, DType::kUInt64}) {
    const Swept swept = with({big, 1, big - 9, 7, 0, 0}, type);
    CHECK(numbers(swept.state.scores) == std::vector<double>{5});
    CHECK(counts(swept.state.positives) == Counts{INT64_MAX - 7});
    CHECK(counts(swept.state.negatives) == Counts{7});
    for (const Ints& many : {Ints{big, 1, big, 0, 0, 0}, Ints{big, 1, big - 9, 8, 0, 0},
                             Ints{big, 1, big - 9, 7, 1, 0}, Ints{INT64_MAX, INT64_MAX, 2, 0, 0, 0},
                             Ints{INT64_MAX, INT64_MAX, INT64_MAX, 0, 0, 0}}) {
      CHECK_THROWS_WITH_AS(with(many, type), doctest::Contains("sum to more than 2^63 - 1"),
                           InputError);
    }
  }
}

TEST_CASE("bad weights are refused by row unless the row is dropped anyway") {
  Memory memory;
  const Column truth = memory.ints({1, 0, std::nullopt, 1}, DType::kInt8);
  const Column score = memory.doubles({1, 2, 3, 4});
  const auto with = [&](const std::vector<double>& weights) {
    const Column weight = memory.doubles(weights);
    return sweep({&truth, 1}, {&score, 1}, {&weight, 1}, {});
  };
  CHECK_THROWS_WITH_AS(with({1, -2, 1, 1}), "weight -2 at row 1 of `sample_weight` is negative",
                       InputError);
  CHECK_THROWS_WITH_AS(with({1, 2, 1, std::nan("")}),
                       "weight nan at row 3 of `sample_weight` is not finite", InputError);
  CHECK(with({1, 1, -1, 1}).rows.n_dropped == 1);
  CHECK_THROWS_WITH_AS(with({DBL_MAX, 1, 1, DBL_MAX}), doctest::Contains("sum to inf"), InputError);
  const Column nulls = memory.ints({1, std::nullopt, 1, 1}, DType::kFloat32);
  CHECK(sweep({&truth, 1}, {&score, 1}, {&nulls, 1}, {}).rows.n_dropped == 2);
  // Nor is the score of such a row, be it a nan or no double.
  const Column nan = memory.doubles({1, std::nan(""), 3, 4});
  const Column odd = memory.ints({1, (std::int64_t{1} << 53) + 1, 3, 4}, DType::kInt64);
  for (const Column& bad : {nan, odd}) {
    const Swept swept = sweep({&truth, 1}, {&bad, 1}, {&nulls, 1}, {});
    CHECK(swept.rows.n_dropped == 2);
    CHECK(swept.rows.n_nan == 0);
  }
  // A row without weight is checked like any other, and adds no score.
  const Column other = memory.ints({1, 0, 9, 1}, DType::kInt8);
  const Column both = memory.ints({1, 0, 0, 1}, DType::kInt8);
  const Column zero = memory.doubles({1, 1, 0, 1});
  CHECK_THROWS_WITH_AS(sweep({&other, 1}, {&score, 1}, {&zero, 1}, {}),
                       doctest::Contains("label 9 at row 2 of `y_true`"), InputError);
  CHECK(numbers(sweep({&both, 1}, {&score, 1}, {&zero, 1}, {}).state.scores) ==
        std::vector<double>{4, 2, 1});
}

TEST_CASE("binned sums of weights do not depend on the threads") {
  std::mt19937_64 random(13);
  const std::size_t n = 5'000'000;  // more than one part
  const auto scores = random_scores(n, 2, random);
  const auto classes = random_classes(n, random);
  std::vector<double> weights(n);
  for (auto& weight : weights) weight = std::ldexp(static_cast<double>(random() >> 11U), -53);
  const Column truth = classes_column(classes);
  const Column score = scores_column(scores);
  const Column weight = scores_column(weights);
  std::vector<double> first;
  for (const int threads : {1, 2, 4}) {
    SweepOptions options;
    options.threads = threads;
    const auto swept = sweep_binned({&truth, 1}, {&score, 1}, {&weight, 1}, {}, options);
    const auto sums = numbers(swept.state.positives);
    if (first.empty()) first = sums;
    CHECK(first == sums);
  }
  const double total = std::accumulate(first.begin(), first.end(), 0.0);
  CHECK(total == doctest::Approx(0.3 * 0.5 * static_cast<double>(n)).epsilon(0.01));
  const auto swept = sweep_binned({&truth, 1}, {&score, 1}, {&weight, 1}, {}, {});
  double squares = 0;
  for (const double square : swept.state.positive_squares.span()) squares += square;
  for (const double square : swept.state.negative_squares.span()) squares += square;
  CHECK(squares == doctest::Approx(static_cast<double>(n) / 3).epsilon(0.01));
}
