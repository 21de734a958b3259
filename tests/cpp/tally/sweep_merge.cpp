// Sweeps of parts merge to that of the whole.
#include <doctest/doctest.h>

#include <cmath>

#include "confmat/base/error.hpp"
#include "sweep.hpp"

using namespace test;
using confmat::InputError;
using confmat::merge_sweeps;
using confmat::Pages;
using confmat::sweep;
using confmat::SweepOptions;
using confmat::SweepState;
using confmat::SweepView;
using confmat::view_of;

namespace {

template <class T>
Pages<T> pages(const std::vector<T>& values) {
  Pages<T> out(values.size());
  std::copy(values.begin(), values.end(), out.data());
  return out;
}

template <class Score, class Tally>
SweepState state(const std::vector<Score>& scores, const std::vector<Tally>& positives,
                 const std::vector<Tally>& negatives) {
  return {pages(scores), pages(positives), pages(negatives)};
}

SweepState merged(const std::vector<const SweepState*>& states) {
  std::vector<SweepView> views;
  for (const SweepState* one : states) views.push_back(view_of(*one));
  return merge_sweeps(views);
}

}  // namespace

TEST_CASE("columns swept in parts are swept as a whole") {
  std::mt19937_64 random(17);
  const std::size_t n = 300'000;
  for (int kind = 0; kind < kScoreKinds; ++kind) {
    CAPTURE(kind);
    const auto scores = random_scores(n, kind, random);
    const auto classes = random_classes(n, random);
    const Column truth = classes_column(classes);
    const Column score = scores_column(scores);
    const auto whole = sweep({&truth, 1}, {&score, 1}, {}, {});
    for (const std::int64_t rows : {1'000, 99'999, 150'000, 300'000}) {
      SweepOptions options;
      options.rows_at_once = rows;
      const auto parts = sweep({&truth, 1}, {&score, 1}, {}, options);
      CHECK(same(parts.state, whole.state));
    }
    // Any grouping of the parts, and any order.
    std::vector<SweepState> cut;
    for (const auto& [first, last] : {std::pair{0, 1'000}, {1'000, 200'000}, {200'000, 300'000}}) {
      const Column t = slice(truth, first, last);
      const Column s = slice(score, first, last);
      cut.push_back(sweep({&t, 1}, {&s, 1}, {}, {}).state);
    }
    const SweepState left = merged({&cut[0], &cut[1]});
    const SweepState right = merged({&cut[2], &cut[1]});
    CHECK(same(merged({&left, &cut[2]}), whole.state));
    CHECK(same(merged({&cut[0], &right}), whole.state));
    CHECK(same(merged({&cut[2], &cut[0], &cut[1]}), whole.state));
  }
}

TEST_CASE("nan and dropped rows of all parts are counted once, errors name the row of the column") {
  const std::size_t n = 1000;
  std::vector<double> scores(n, 0.5);
  const std::vector<std::uint8_t> classes(n, 1);
  scores[700] = scores[701] = std::nan("");
  const Column truth = classes_column(classes);
  const Column score = scores_column(scores);
  SweepOptions options;
  options.rows_at_once = 100;
  CHECK_THROWS_WITH_AS(sweep({&truth, 1}, {&score, 1}, {}, options),
                       doctest::Contains("score nan at row 700"), InputError);
  options.nan_drop = true;
  CHECK(sweep({&truth, 1}, {&score, 1}, {}, options).rows.n_nan == 2);
}

TEST_CASE("counts get 64 bits when one of them needs it") {
  const auto a = state<float>({2, 1}, std::vector<std::uint32_t>{UINT32_MAX, 4}, {0, 1});
  const auto b = state<float>({3, 2}, std::vector<std::uint32_t>{0, 1}, {9, 0});
  const auto c = state<float>({1}, std::vector<std::uint32_t>{0}, {UINT32_MAX - 1});
  const SweepState fits = merged({&a, &c});
  CHECK(fits.positives.index() == 0);
  const SweepState wide = merged({&a, &b});
  CHECK(wide.positives.index() == 1);
  CHECK(wide.negatives.index() == 1);
  CHECK(numbers(wide.scores) == std::vector<double>{3, 2, 1});
  CHECK(numbers(wide.positives) == std::vector<double>{0, 4294967296.0, 4});
  CHECK(numbers(wide.negatives) == std::vector<double>{9, 0, 1});
  CHECK(merged({&wide, &c}).positives.index() == 1);  // stays wide
  const auto huge = state<float>({1}, std::vector<std::uint64_t>{std::uint64_t{1} << 62}, {0});
  CHECK_THROWS_WITH_AS(merged({&huge, &huge}), doctest::Contains("2^63 - 1"), InputError);
}

TEST_CASE("types of merged states: the wider scores, weights before counts") {
  const auto narrow = state<float>({0.1F}, std::vector<std::uint32_t>{1}, {2});
  const auto wide = state<double>({0.1}, std::vector<std::uint32_t>{3}, {4});
  const auto weighted = state<float>({0.1F}, std::vector<double>{0.5}, {0.25});
  CHECK(merged({&narrow, &narrow}).scores.index() == 0);
  const SweepState both = merged({&narrow, &wide});
  CHECK(both.scores.index() == 1);
  CHECK(numbers(both.scores) == std::vector<double>{static_cast<double>(0.1F), 0.1});
  const SweepState sum = merged({&narrow, &weighted});
  CHECK(sum.positives.index() == 2);
  CHECK(numbers(sum.positives) == std::vector<double>{1.5});
  CHECK(numbers(sum.negatives) == std::vector<double>{2.25});
  CHECK(numbers(merged({}).scores).empty());
  CHECK(same(merged({&wide}), wide));
}

TEST_CASE("what is no state is refused") {
  const auto good = state<double>({2, 1}, std::vector<std::uint32_t>{1, 1}, {1, 1});
  const double nan = std::nan("");
  for (const std::vector<double>& scores :
       std::vector<std::vector<double>>{{1, 2}, {1, 1}, {nan, 1}, {1, nan}, {0.0, -0.0}}) {
    const auto bad = state<double>(scores, std::vector<std::uint32_t>{1, 1}, {1, 1});
    CHECK_THROWS_WITH_AS(merged({&good, &bad}), "state 1: the scores do not descend", InputError);
  }
  const auto lone = state<double>({nan}, std::vector<std::uint32_t>{1}, {1});
  CHECK_THROWS_AS(merged({&lone}), InputError);
  const auto few = state<double>({2, 1}, std::vector<std::uint32_t>{1}, {1, 1});
  CHECK_THROWS_WITH_AS(merged({&few}),
                       "state 0: scores, positives and negatives do not belong together",
                       InputError);
  SweepState mixed = state<double>({2, 1}, std::vector<std::uint32_t>{1, 1}, {1, 1});
  mixed.negatives = pages(std::vector<double>{1, 1});
  CHECK_THROWS_AS(merged({&mixed}), InputError);
}
