// Binned sweeps: every row lies in its bin, and scores are known while a bin has one.
#include "confmat/tally/sweep_binned.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cfloat>
#include <cmath>
#include <limits>
#include <optional>

#include "confmat/base/error.hpp"
#include "confmat/base/half.hpp"
#include "confmat/state/sweep.hpp"
#include "sweep.hpp"

using namespace test;
using confmat::Binning;
using confmat::InputError;
using confmat::sweep_binned;
using confmat::SweepOptions;
using confmat::SweptBins;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
const Binning kHalves{.map = confmat::BinMap::of_name("float16")};

Binning leading(std::uint32_t bins) { return {.map = confmat::BinMap::of_number(bins)}; }

template <class Score>
SweptBins bins_of(const std::vector<std::uint8_t>& classes, const std::vector<Score>& scores,
                  const Binning& binning, int threads = 0) {
  const Column truth = classes_column(classes);
  const Column score = scores_column(scores);
  SweepOptions options;
  options.threads = threads;
  return sweep_binned({&truth, 1}, {&score, 1}, {}, binning, options);
}

// Where the bins begin, or with 1 where they end.
std::vector<double> bounds(const SweptBins& swept, const Binning& binning,
                           std::uint32_t after = 0) {
  confmat::Grid grid{.kind = confmat::Grid::Kind::kMap, .map = binning.map, .edges = {}};
  if (!binning.edges.empty()) {
    grid.kind = confmat::Grid::Kind::kEdges;
    grid.edges = std::vector(binning.edges.begin(), binning.edges.end());
  }
  return grid.lower(swept.state.bins.span(), after);
}

// Whether the bins descend without overlap and hold exactly the rows within them.
template <class Score>
bool holds(const std::vector<std::uint8_t>& classes, const std::vector<Score>& scores,
           const Binning& binning, int threads = 0) {
  const SweptBins swept = bins_of(classes, scores, binning, threads);
  const std::vector<double> lower = bounds(swept, binning);
  const std::vector<double> upper = bounds(swept, binning, 1);
  const auto positives = numbers(swept.state.positives);
  const auto negatives = numbers(swept.state.negatives);
  std::vector<double> p(lower.size());
  std::vector<double> n(lower.size());
  for (std::size_t i = 0; i < lower.size(); ++i) {
    if (!(lower[i] < upper[i]) && !(lower[i] == kInf && i == 0)) return false;
    if (i > 0 && upper[i] > lower[i - 1]) return false;
  }
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const auto score = static_cast<double>(scores[i]);
    const auto bin = static_cast<std::size_t>(
        std::find_if(lower.begin(), lower.end(), [&](double from) { return from <= score; }) -
        lower.begin());
    if (bin == lower.size() || (score >= upper[bin] && score != kInf)) return false;
    (classes[i] != 0 ? p : n)[bin] += 1;
  }
  return p == positives && n == negatives;
}

}  // namespace

TEST_CASE("every row lies within its bin, for all scores, bins and threads") {
  std::mt19937_64 random(19);
  const std::vector<double> grid{-1, -0.25, 0.0, 0.25, 0.5, 0.75, 1};
  const std::vector<double> one{0.25};
  for (const std::size_t n : {0U, 1U, 3000U}) {
    for (int kind = 0; kind < kScoreKinds; ++kind) {
      CAPTURE(kind);
      const auto wide = random_scores(n, kind, random);
      const std::vector<float> narrow(wide.begin(), wide.end());
      const auto classes = random_classes(n, random);
      for (const Binning& binning : std::vector<Binning>{leading(2),
                                                         leading(16),
                                                         leading(512),
                                                         leading(65536),
                                                         kHalves,
                                                         {},
                                                         {.edges = grid},
                                                         {.edges = one}}) {
        CHECK(holds(classes, wide, binning));
        CHECK(holds(classes, narrow, binning));
      }
    }
  }
  const std::size_t n = 300'000;
  const auto scores = random_scores(n, 1, random);
  const auto classes = random_classes(n, random);
  for (const int threads : {1, 2, 4}) {
    CHECK(holds(classes, scores, leading(256), threads));
    CHECK(holds(classes, scores, {.edges = grid}, threads));
  }
}

TEST_CASE("float64 scores beside a bound of bins fall on its right side") {
  std::vector<double> scores;
  for (std::uint32_t high = 0; high < 65536; high += 37) {
    const auto bound = static_cast<double>(std::bit_cast<float>(high << 16U));
    if (!std::isfinite(bound)) continue;
    for (const double score : {bound, std::nextafter(bound, -kInf), std::nextafter(bound, kInf)}) {
      scores.push_back(score);
    }
    const auto last = static_cast<double>(std::bit_cast<float>((high << 16U) | 0xFFFFU));
    scores.push_back(std::nextafter(last, -kInf));
    scores.push_back(std::nextafter(last, kInf));
  }
  for (const double score : {0.0, -0.0, DBL_TRUE_MIN, -DBL_TRUE_MIN, DBL_MAX, -DBL_MAX, kInf, -kInf,
                             static_cast<double>(FLT_MAX), static_cast<double>(-FLT_MAX),
                             static_cast<double>(FLT_TRUE_MIN), -FLT_TRUE_MIN / 2.0}) {
    scores.push_back(score);
  }
  const std::vector<std::uint8_t> classes(scores.size(), 1);
  for (const std::uint32_t bins : {2U, 4U, 512U, 1024U, 65536U}) {
    CAPTURE(bins);
    CHECK(holds(classes, scores, leading(bins)));
  }
}

TEST_CASE("bounds of the outer bins, and of zero") {
  const std::vector<std::uint8_t> classes{1, 0, 1, 0, 1};
  const std::vector<float> scores{HUGE_VALF, -HUGE_VALF, -0.0F, 0.0F, 1.0F};
  const auto swept = bins_of(classes, scores, leading(65536));
  const std::vector<double> lower = bounds(swept, leading(65536));
  const std::vector<double> upper = bounds(swept, leading(65536), 1);
  CHECK(lower == std::vector<double>{kInf, 1, 0, -kInf});
  CHECK(upper[0] == kInf);
  CHECK(upper[1] == 1.0078125);
  CHECK(upper[3] == static_cast<double>(-FLT_MAX));
  CHECK(!std::signbit(lower[2]));
  CHECK(numbers(swept.state.positives) == std::vector<double>{1, 1, 1, 0});
  CHECK(numbers(swept.state.negatives) == std::vector<double>{0, 0, 1, 1});
  CHECK(swept.state.positives.index() == 1);
  const std::vector<double> edges{0, 1};
  const auto given = bins_of(classes, scores, {.edges = edges});
  CHECK(bounds(given, {.edges = edges}) == std::vector<double>{1, 0, -kInf});
  CHECK(numbers(given.state.positives) == std::vector<double>{2, 1, 0});
}

TEST_CASE("edges that crowd together are told apart") {
  std::vector<double> edges;
  for (int i = 0; i < 3000; ++i) edges.push_back(0.5 + i * DBL_EPSILON);
  edges.push_back(1e300);
  std::vector<double> scores{-1, 0.5 - DBL_EPSILON, 2, 1e301};
  for (int i = 0; i < 3000; i += 7) scores.push_back(0.5 + (i + 0.5) * DBL_EPSILON);
  const std::vector<std::uint8_t> classes(scores.size(), 0);
  CHECK(holds(classes, scores, {.edges = edges}));
}

TEST_CASE("what are no bins is refused; rows are read as by the exact sweep") {
  const std::vector<std::uint8_t> classes{1, 0};
  const std::vector<double> scores{1, std::nan("")};
  const std::vector<double> good{0.5};
  for (const std::uint32_t bins : {0U, 1U, 3U, 131072U}) {
    CHECK_THROWS_WITH_AS(bins_of(classes, scores, leading(bins)),
                         doctest::Contains("a power of two"), InputError);
  }
  for (const std::vector<double>& edges :
       std::vector<std::vector<double>>{{1, 1}, {2, 1}, {0, kInf}, {std::nan("")}, {0.0, -0.0}}) {
    CHECK_THROWS_WITH_AS(bins_of(classes, scores, {.edges = edges}),
                         doctest::Contains("`bins`: edge"), InputError);
  }
  CHECK_THROWS_WITH_AS(bins_of(classes, scores, leading(64)),
                       doctest::Contains("score nan at row 1 of `y_score`"), InputError);
  CHECK_THROWS_WITH_AS(bins_of(classes, scores, {.edges = good}),
                       doctest::Contains("score nan at row 1 of `y_score`"), InputError);
  Memory memory;
  const Column truth = memory.ints({1, 0, 2}, DType::kInt8);
  const Column score = memory.doubles({1, 2, 3});
  CHECK_THROWS_WITH_AS(sweep_binned({&truth, 1}, {&score, 1}, {}, {}, {}),
                       doctest::Contains("classes found: 0, 1, 2"), InputError);
}

namespace {

// The exact sweep where every bin has one score, else nothing.
std::optional<NaiveSweep> known(const SweptBins& swept) {
  if (!swept.state.scores) return std::nullopt;
  const auto scores = numbers(*swept.state.scores);
  const auto positives = numbers(swept.state.positives);
  const auto negatives = numbers(swept.state.negatives);
  NaiveSweep found;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    CHECK(!(scores[i] == 0 && std::signbit(scores[i])));
    found[scores[i]] = {positives[i], negatives[i]};
  }
  CHECK(found.size() == positives.size());
  return found;
}

}  // namespace

TEST_CASE("the scores are known just while every bin has one") {
  std::mt19937_64 random(23);
  const std::vector<double> edges{0, 0.25, 0.3, 0.75};
  for (int round = 0; round < 200; ++round) {
    const std::size_t n = random() % 40;
    std::vector<double> wide(n);
    for (double& score : wide) score = static_cast<double>(random() % 9) / 8 - 0.25;
    if (n > 0 && random() % 2 == 0) wide[random() % n] = static_cast<double>(random() % 9) / 7;
    const std::vector<float> narrow(wide.begin(), wide.end());
    const auto classes = random_classes(n, random);
    for (const Binning& binning : std::vector<Binning>{
             leading(2), leading(512), leading(65536), kHalves, {}, {.edges = edges}}) {
      const auto check = [&](const auto& scores) {
        const SweptBins swept = bins_of(classes, scores, binning);
        const NaiveSweep naive = naive_sweep(classes, scores);
        const auto found = known(swept);
        CHECK(found.has_value() == (naive.size() == swept.state.bins.size()));
        if (found) CHECK(*found == naive);
      };
      check(wide);
      check(narrow);
    }
  }
}

TEST_CASE("a second score is found wherever it is, and whoever reads it") {
  const std::size_t part = std::size_t{1} << 22;
  std::vector<float> scores(part * 2 + 5);
  for (std::size_t i = 0; i < scores.size(); ++i) scores[i] = static_cast<float>(i % 100) / 100;
  const std::vector<std::uint8_t> classes(scores.size(), 1);
  const float beside = std::nextafter(0.5F, 1.0F);
  for (const int threads : {1, 2, 4}) {
    CHECK(known(bins_of(classes, scores, leading(65536), threads)) == naive_sweep(classes, scores));
  }
  for (std::size_t i = part; i < scores.size(); ++i) {
    if (scores[i] == 0.5F) scores[i] = beside;  // each part is of one score a bin by itself
  }
  for (const int threads : {1, 2, 4}) {
    CHECK_FALSE(bins_of(classes, scores, leading(65536), threads).state.scores);
    CHECK_FALSE(bins_of(classes, scores, kHalves, threads).state.scores);
  }
}

TEST_CASE("each float16 is a bin, and other scores are rounded down to one") {
  std::vector<double> halves;
  for (std::uint32_t bits = 0; bits < 65536; ++bits) {
    const auto half = static_cast<double>(confmat::float_of_half(static_cast<std::uint16_t>(bits)));
    if (!std::isnan(half)) halves.push_back(half);
  }
  CHECK(*std::max_element(halves.begin(), halves.end() - 1) == kInf);
  const std::vector<std::uint8_t> classes(halves.size(), 1);
  const std::vector<float> narrow(halves.begin(), halves.end());
  const SweptBins swept = bins_of(classes, narrow, kHalves);
  CHECK(known(swept) == naive_sweep(classes, narrow));
  CHECK(swept.state.bins.size() == 63489);
  CHECK(swept.state.scores->index() == 0);
  CHECK(bins_of(classes, halves, kHalves).state.scores->index() == 1);
  std::vector<double> beside;
  for (std::size_t i = 0; i < halves.size(); i += 7) {  // of every exponent
    const double half = halves[i];
    for (const double toward : {kInf, -kInf}) {
      beside.push_back(std::nextafter(half, toward));
      const auto single = std::nextafter(static_cast<float>(half), static_cast<float>(toward));
      beside.push_back(static_cast<double>(single));
    }
  }
  const std::vector<std::uint8_t> more(beside.size(), 1);
  CHECK(holds(more, beside, kHalves));
}
