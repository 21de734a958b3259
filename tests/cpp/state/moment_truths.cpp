// Moments: bins of true numbers, as fine as few are.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "confmat/base/error.hpp"
#include "confmat/base/exact_sum.hpp"
#include "confmat/state/moments.hpp"
#include "confmat/state/number_bins.hpp"
#include "support/damaged_bytes.hpp"
#include "support/drawn_moments.hpp"

using namespace confmat;
using host::drawn, host::part, host::summed;

namespace {

// The bins of a number of bits that have numbers.
std::vector<std::uint64_t> occupied(const std::vector<double>& numbers, int bits) {
  std::vector<std::uint64_t> bins;
  for (const double x : numbers) bins.push_back(bin_of_number(x, bits));
  std::ranges::sort(bins);
  const auto rest = std::ranges::unique(bins);
  bins.erase(rest.begin(), rest.end());
  return bins;
}

}  // namespace

TEST_CASE("moments: few truths are bins of their own") {
  const std::vector<double> y = {-3, 1.25, std::nextafter(1.25, 2), 0, -0.0, 5e-324, -3};
  const Moments some = summed(y, y);
  CHECK(some.truth_bits == kAllBits);
  const NumberRanges found = number_ranges(some, MomentTerm::kTruths);
  CHECK(found.mean == std::vector<double>{-3, 0, 5e-324, 1.25, std::nextafter(1.25, 2)});
  CHECK(found.low == found.mean);
  CHECK(found.high == found.mean);
  CHECK(found.weight == std::vector<double>{2, 2, 1, 1, 1});
}

TEST_CASE("moments: as many truths as there may be bins are each told, one more are not") {
  std::vector<double> y = {0.0};
  for (std::size_t i = 1; i <= kFewBins; ++i) y.push_back(1e6 + static_cast<double>(i) / 1024);
  const auto of = [&](std::size_t first, std::size_t last) {
    return summed(part(y, first, last), part(y, first, last));
  };
  for (const Moments& all : {of(0, kFewBins), added(of(0, 100), of(100, kFewBins))}) {
    CHECK(all.truth_bits == kAllBits);
    CHECK(all.truths == occupied(part(y, 0, kFewBins), kAllBits));
  }
  for (const Moments& more : {of(0, kFewBins + 1), added(of(0, 100), of(100, kFewBins + 1))}) {
    CHECK(more.truth_bits == 28);  // 2^19 and more in units of 2^-9
    CHECK(more.truths == occupied(y, 28));
  }
  for (std::size_t i = 0; i < 2 * kFewBins; ++i) y.push_back(1e6 + static_cast<double>(i) / 1024);
  CHECK(of(kFewBins + 1, y.size()).truth_bits == 28);  // where two each leave as many as may be
}

TEST_CASE("moments: bins of truths are the finest that are few, whatever the cut") {
  std::mt19937_64 random(8);
  constexpr std::size_t kRows = 20'000;
  std::vector<double> any_weight(kRows);
  std::uniform_real_distribution<double> weight(0.1, 2.0);
  for (double& w : any_weight) w = weight(random);
  any_weight[5] = 1e-60;
  any_weight[6] = 1e60;
  struct Case {
    double mean, spread, step;  // multiples of a step, where there is one
    int least, most;            // bits
  };
  for (const Case& of :
       {Case{200, 4, 0, 9, 20}, Case{1e6, 1, 0, 20, 30}, Case{-1e9, 1e-3, 0, 38, 50},
        Case{0, 1, 0, 7, 7}, Case{50, 20, 1, kAllBits, kAllBits}, Case{0, 1e-309, 0, 7, kAllBits},
        Case{3, 0, 0, kAllBits, kAllBits}}) {
    std::vector<double> y = drawn(random, kRows, 0.0);
    for (double& x : y) {
      x = of.mean + of.spread * x;
      if (of.step > 0) x = std::round(x / of.step) * of.step;
    }
    if (of.spread > 0) {
      y[1] = -5e-324;
      y[2] = 1e60;
    }
    for (const auto& w : {std::vector<double>{}, any_weight}) {
      const Moments whole = summed(y, y, w);
      CAPTURE(of.mean);
      CHECK(whole.truth_bits >= of.least);
      CHECK(whole.truth_bits <= of.most);
      CHECK(whole.truths == occupied(y, whole.truth_bits));
      CHECK((whole.truths.size() <= kFewBins || whole.truth_bits == kUsualBits));
      if (whole.truth_bits < kAllBits) CHECK(occupied(y, whole.truth_bits + 1).size() > kFewBins);
      CHECK(encode(summed(y, y, w, 3)) == encode(whole));
      // Parts that are small enough to have bins of other bits.
      Moments sum = summed(part(y, 0, 1), part(y, 0, 1), part(w, 0, 1));
      for (std::size_t at = 1, n = 1; at < kRows; at += n, n = n * 3 / 2 + 1) {
        const std::size_t end = std::min(at + n, kRows);
        const Moments some = summed(part(y, at, end), part(y, at, end), part(w, at, end));
        CHECK(are_same(decode_moments(encode(some)), some));
        sum = n % 2 == 0 ? added(some, sum) : added(sum, some);
      }
      CHECK(encode(sum) == encode(whole));
      const Moments some = summed(part(y, 0, 300), part(y, 0, 300), part(w, 0, 300));
      const Moments rest = taken_away(whole, some);
      CHECK(rest.truth_bits == whole.truth_bits);
      CHECK(rest.truths == occupied(part(y, 300, kRows), whole.truth_bits));
      CHECK(are_same(decode_moments(encode(rest)), rest));
      const Moments again = added(rest, some);
      CHECK(again.truth_bits == whole.truth_bits);
      CHECK(again.truths == whole.truths);
      CHECK(std::ranges::equal(again.sums.leads.view(), whole.sums.leads.view()));
      CHECK(std::ranges::equal(again.sums.tails.view(), whole.sums.tails.view()));
    }
  }
}

TEST_CASE("moments: the means of bins of truths are those of their rows") {
  std::vector<double> y = {-3, 1.25, 1.251, 1.2525, 0, -0.0, 5e-324, 1e60, 1e-309, -3};
  std::vector<double> w = {1, 2, 3, 4, 1, 1, 1, 1e-60, 1, 5};
  // Two a bin of 7 bits, and too many of 8.
  for (int i = 0; i < 768; ++i) y.push_back(-std::ldexp(1 + i % 256 / 256.0, 100 + i / 256));
  w.resize(y.size(), 1.0);
  for (const auto& weights : {std::vector<double>{}, w}) {
    const Moments some = summed(y, y, weights);
    CHECK(some.truth_bits == kUsualBits);
    NumberRanges found = number_ranges(some, MomentTerm::kTruths);
    for (auto* const of : {&found.low, &found.high, &found.mean, &found.weight}) {
      CHECK(of->size() == 384 + 5);
      of->erase(of->begin(), of->begin() + 384);
    }
    const auto weight = [&](std::size_t i) { return weights.empty() ? 1.0 : weights[i]; };
    double n = weight(1) + weight(2) + weight(3);
    const double mean = (1.25 * weight(1) + 1.251 * weight(2) + 1.2525 * weight(3)) / n;
    CHECK(found.weight == std::vector<double>{weight(0) + weight(9),
                                              weight(4) + weight(5) + weight(6), weight(8), n,
                                              weight(7)});
    CHECK(found.mean[0] == -3.0);
    CHECK(found.mean[1] == 0.0);
    CHECK(found.mean[2] == 1e-309);
    CHECK(found.mean[3] == doctest::Approx(mean).epsilon(1e-15));
    CHECK(found.mean[4] == 1e60);
    CHECK(found.low[0] <= -3.0);
    CHECK(found.high[0] == -3.0);
  }
}

TEST_CASE("moments: truths that no bin has are refused") {
  const Moments some = summed({1.25, 1.251, 9}, {1, 2, 4});
  CHECK_THROWS_AS(taken_away(some, summed({1.2501, 9}, {1, 4})), InputError);
  Moments other = some;
  std::vector<double> sums(some.sums.leads.view().begin(), some.sums.leads.view().end());
  sums[some.first_bin(MomentTerm::kTruths) + 1] *= 1.01;
  other.sums.leads = std::move(sums);
  CHECK_THROWS_AS(decode_moments(encode(other)), StateError);
}

TEST_CASE("moments: bins of truths of other bits than rows give are refused") {
  const auto refuses = [](const Moments& of, const char* what) {
    const std::vector<std::uint8_t> bytes = encode(of);
    CHECK_THROWS_WITH_AS(decode_moments(bytes), doctest::Contains(what), StateError);
  };
  Moments some = summed({1.25, 1.5, 9}, {1, 2, 4});
  for (const int bits : {-1, kUsualBits - 1, kAllBits + 1, 1000}) {
    some.truth_bits = bits;
    refuses(some, "the bits of its bins");
  }
  Moments none = summed({}, {});
  none.truth_bits = 20;
  refuses(none, "the bits of no bins");
  std::vector<double> y;
  for (int i = 0; i < 600; ++i) y.push_back(1 + i * 0x1p-20);
  Moments all = summed(y, y);
  CHECK(all.truths.size() <= kFewBins);
  all.truths = occupied(y, kAllBits);
  all.truth_bits = kAllBits;
  std::vector<double> sums(all.sums.leads.view().begin(), all.sums.leads.view().end());
  sums.resize(all.first_bin(MomentTerm::kTruths));
  for (const double x : y) sums.insert(sums.end(), {1.0, x});
  all.sums.leads = std::move(sums);
  refuses(all, "too many bins");
}

TEST_CASE("moments: bins of truths sum to all truths, to the last bit") {
  std::mt19937_64 random(9);
  std::vector<double> y = drawn(random, 5'000, 200.0), w(y.size());
  std::uniform_real_distribution<double> weight(0.1, 2.0);
  for (double& x : w) x = weight(random);
  for (const auto& weights : {std::vector<double>{}, w}) {
    const Moments all = summed(y, y, weights);
    ExactSum left;
    const auto add = [&](std::size_t at, double sign) {
      left.add(sign * all.sums.leads[at]);
      for (const Tail& tail : all.sums.tails_of(at)) left.add(sign * tail.part);
    };
    for (std::size_t i = 0; i < all.truths.size(); ++i) {
      add(all.first_bin(MomentTerm::kTruths) + 2 * i + 1, 1.0);
    }
    add(kSumTruth, -1.0);
    CHECK(left.value() == 0);
  }
}

TEST_CASE("moments: truths of one group leave nothing to the next, nor to none") {
  std::mt19937_64 random(10);
  const std::vector<double> many = drawn(random, 3'000, 200.0), few = {1, 200.5, 3};
  GroupMoments groups({.terms = host::kTerms}, false);
  for (const auto* const y : {&many, &few, &many}) {
    const Column column = host::numbers_of(*y);
    groups.add(column, column, nullptr, 0);
    CHECK(encode(groups.take()) == encode(summed(*y, *y)));
  }
  const Moments all = summed(many, many);
  CHECK(all.truth_bits < kAllBits);
  CHECK(encode(taken_away(all, all)) == encode(summed({}, {})));
  Moments finer = all;
  ++finer.truth_bits;
  CHECK_FALSE(are_same(all, finer));
}

TEST_CASE("moments: rows whose truths a bin cannot have are not taken away") {
  std::vector<double> y(3, 200.0);
  for (int i = 0; i < 2'000; ++i) y.push_back(300 + i * 0.01);
  const auto of = [](const std::vector<double>& truths) {
    return host::moments_of_numbers(truths, std::vector<double>(truths.size()), {},
                                    {{MomentTerm::kTruths, kUsualBits}});
  };
  const Moments all = of(y);
  const std::uint64_t of_three = bin_of_number(200.0, all.truth_bits);
  const double end = std::nextafter(end_of_bin(of_three, all.truth_bits), 0.0);
  CHECK_NOTHROW(taken_away(all, of({200.0})));
  CHECK_THROWS_AS(taken_away(all, of({end})), InputError);
}

TEST_CASE("moments: each truth is kept by any number of threads") {
  std::mt19937_64 random(11);
  const std::vector<double> y = drawn(random, 300'000, 5.0), w(y.size(), 0.3);
  const std::vector<TermAsk> each = {{MomentTerm::kTruths, kAllBits}};
  for (const auto& weights : {std::vector<double>{}, w}) {
    CHECK(encode(host::moments_of_numbers(y, y, weights, each, 4)) ==
          encode(host::moments_of_numbers(y, y, weights, each, 1)));
  }
}
