// Sweeps of parts merge to that of the whole.
#include "src/tally/sweep_merge.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "confmat/base/error.hpp"
#include "sweep.hpp"

using namespace test;
using confmat::InputError;
using confmat::merged;
using confmat::Pages;
using confmat::RunPages;
using confmat::sweep;
using confmat::SweepOptions;
using confmat::Unweighted;

namespace {

template <class T>
Pages<T> pages(const std::vector<T>& values) {
  Pages<T> out(values.size());
  std::copy(values.begin(), values.end(), out.data());
  return out;
}

template <class Weight>
RunPages<std::uint32_t, Weight> part(
    const std::vector<float>& scores,
    const std::vector<typename confmat::RunsOut<std::uint32_t, Weight>::Tally>& positives,
    const std::vector<typename confmat::RunsOut<std::uint32_t, Weight>::Tally>& negatives) {
  RunPages<std::uint32_t, Weight> out;
  out.scores = pages(scores);
  out.positives = pages(positives);
  out.negatives = pages(negatives);
  return out;
}

template <class... Part>
confmat::SweepState merged_of(Part... parts) {
  std::vector<std::common_type_t<Part...>> all;
  (all.push_back(std::move(parts)), ...);
  return merged(std::move(all));
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
  const auto a = [] { return part<Unweighted>({2, 1}, {UINT32_MAX, 4}, {0, 1}); };
  const auto b = [] { return part<Unweighted>({3, 2}, {0, 1}, {9, 0}); };
  const auto c = [] { return part<Unweighted>({1}, {0}, {UINT32_MAX - 1}); };
  CHECK(merged_of(a(), c()).positives.index() == 0);
  for (const auto& wide : {merged_of(a(), b()), merged_of(b(), a())}) {
    CHECK(wide.positives.index() == 1);
    CHECK(wide.negatives.index() == 1);
    CHECK(numbers(wide.scores) == std::vector<double>{3, 2, 1});
    CHECK(numbers(wide.positives) == std::vector<double>{0, 4294967296.0, 4});
    CHECK(numbers(wide.negatives) == std::vector<double>{9, 0, 1});
  }
  CHECK(numbers(merged_of(a(), b(), c()).negatives) == std::vector<double>{9, 0, UINT32_MAX});
  CHECK(merged_of(b(), c(), part<Unweighted>({1}, {0}, {2})).negatives.index() == 1);
}

TEST_CASE("sums of integer weights stay 64 bits wide, below 2^63") {
  constexpr std::uint64_t kHalf = std::uint64_t{1} << 62;
  const auto huge = [] { return part<std::uint64_t>({1}, {kHalf}, {kHalf - 1}); };
  const auto one = [] { return part<std::uint64_t>({1}, {1}, {0}); };
  CHECK(merged_of(one(), one()).positives.index() == 1);
  CHECK_THROWS_WITH_AS(merged_of(huge(), one()), doctest::Contains("2^63 - 1"), InputError);
}
