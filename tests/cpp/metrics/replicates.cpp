// Replicates of tables and sweeps: their law, and that nothing but the seed decides them.
#include "confmat/metrics/replicates.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "confmat/base/error.hpp"
#include "confmat/metrics/score_replicates.hpp"

using namespace confmat;
using namespace confmat::metrics;

namespace {

std::vector<Ask> parsed(const std::vector<std::string>& names) {
  std::vector<Ask> asks;
  for (const auto& name : names) asks.push_back(parse(name));
  return asks;
}

std::vector<double> drawn(const std::vector<std::string>& names, const Table& table,
                          const double* squares, const Resampling& how, const Options& options) {
  const auto asks = parsed(names);
  std::vector<double> out(asks.size() * static_cast<std::size_t>(how.replicates));
  replicates(asks, table, squares, options, how, out.data());
  return out;
}

struct Moments {
  double mean = 0, variance = 0;
};

Moments moments(const std::vector<double>& values, std::size_t column, std::size_t columns) {
  Moments out;
  double count = 0;
  for (std::size_t i = column; i < values.size(); i += columns) {
    out.mean += values[i];
    count += 1;
  }
  out.mean /= count;
  for (std::size_t i = column; i < values.size(); i += columns) {
    out.variance += (values[i] - out.mean) * (values[i] - out.mean);
  }
  out.variance /= count;
  return out;
}

bool same(const std::vector<double>& one, const std::vector<double>& other) {
  if (one.size() != other.size()) return false;
  for (std::size_t i = 0; i < one.size(); ++i) {
    if (!(one[i] == other[i] || (std::isnan(one[i]) && std::isnan(other[i])))) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("replicates of a rate are binomial") {
  const std::int64_t cells[] = {30, 10, 20, 40};
  const Table table{.k = 2, .counts = cells};
  const Resampling how{.replicates = 40000, .seed = 4};
  Options of_second;
  of_second.pos = 1;
  const auto values = drawn({"accuracy", "recall"}, table, nullptr, how, of_second);
  const Moments rate = moments(values, 0, 2);
  CHECK(std::fabs(rate.mean - 0.7) < 4.5 * std::sqrt(0.7 * 0.3 / 100 / 40000));
  CHECK(std::fabs(rate.variance / (0.7 * 0.3 / 100) - 1) < 4.5 * std::sqrt(2.0 / 40000));
  CHECK(std::fabs(moments(values, 1, 2).mean - 40.0 / 60) < 0.002);
}

TEST_CASE("replicates depend on the seed, and on no thread") {
  std::vector<std::int64_t> cells(80 * 80);
  for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = static_cast<std::int64_t>(i % 7);
  const Table table{.k = 80, .counts = cells.data()};
  const std::vector<std::string> names{"mcc", "f1_macro", "eve"};
  const auto one = drawn(names, table, nullptr, {.replicates = 20, .seed = 8, .threads = 1}, {});
  CHECK(same(one, drawn(names, table, nullptr, {.replicates = 20, .seed = 8, .threads = 7}, {})));
  CHECK(!same(one, drawn(names, table, nullptr, {.replicates = 20, .seed = 9, .threads = 1}, {})));
  const auto more = drawn(names, table, nullptr, {.replicates = 30, .seed = 8, .threads = 3}, {});
  CHECK(same(one, {more.begin(), more.begin() + 60}));
}

TEST_CASE("a sparse table is drawn as the whole one") {
  std::vector<std::int64_t> cells(9, 0);
  cells[0] = 5;
  cells[4] = 700;
  cells[5] = 3;
  cells[6] = 20;
  const std::int64_t places[] = {0, 4, 5, 6};
  const std::int64_t held[] = {5, 700, 3, 20};
  const Table whole{.k = 3, .counts = cells.data()};
  const Table sparse{.k = 3, .counts = held, .places = places, .filled = 4, .is_sparse = true};
  const Resampling how{.replicates = 300, .seed = 1};
  const std::vector<std::string> names{"accuracy", "mcc", "f1_macro"};
  CHECK(same(drawn(names, whole, nullptr, how, {}), drawn(names, sparse, nullptr, how, {})));
  const std::vector<double> weights{5.5, 700, 3.25, 20}, squares{6, 900, 4, 21};
  std::vector<double> spread(9), spread_squares(9);
  for (std::size_t i = 0; i < 4; ++i) {
    spread[static_cast<std::size_t>(places[i])] = weights[i];
    spread_squares[static_cast<std::size_t>(places[i])] = squares[i];
  }
  const Table weighed{.k = 3, .weights = spread.data()};
  const Table few{
      .k = 3, .weights = weights.data(), .places = places, .filled = 4, .is_sparse = true};
  CHECK(same(drawn(names, weighed, spread_squares.data(), how, {}),
             drawn(names, few, squares.data(), how, {})));
}

TEST_CASE("a weighted rate varies by its delta variance") {
  // Of weights of 1 to 3 in each cell; hits are the diagonal.
  const std::vector<double> weights{40.5, 13.25, 22.0, 61.75};
  const std::vector<double> squares{90.0, 20.0, 55.0, 130.0};
  const Table table{.k = 2, .weights = weights.data()};
  const Resampling how{.replicates = 60000, .seed = 3};
  const auto values = drawn({"accuracy"}, table, squares.data(), how, {});
  const double n = 40.5 + 13.25 + 22.0 + 61.75;
  const double rate = (40.5 + 61.75) / n;
  const double delta =
      ((90.0 + 130.0) * (1 - rate) * (1 - rate) + (20.0 + 55.0) * rate * rate) / (n * n);
  const Moments found = moments(values, 0, 1);
  CHECK(std::fabs(found.mean - rate) < 0.003);
  CHECK(std::fabs(found.variance / delta - 1) < 0.05);
}

TEST_CASE("weights that count as two rows and a half are drawn as these on average") {
  const std::vector<double> weights{1.5, 0, 0, 2.5}, squares{1.8, 0, 0, 5.0};
  Options of_second;
  of_second.pos = 1;
  const Resampling how{.replicates = 40000, .seed = 12};
  const auto values =
      drawn({"tp", "tn"}, {.k = 2, .weights = weights.data()}, squares.data(), how, of_second);
  CHECK(std::fabs(moments(values, 0, 2).mean - 2.5) < 0.05);
  CHECK(std::fabs(moments(values, 1, 2).mean - 1.5) < 0.04);
}

TEST_CASE("the same weight everywhere gives the law of counts") {
  const std::int64_t cells[] = {30, 10, 20, 40};
  const std::vector<double> weights{15, 5, 10, 20}, squares{7.5, 2.5, 5, 10};
  const Resampling how{.replicates = 40000, .seed = 2};
  const auto plain = drawn({"mcc", "accuracy"}, {.k = 2, .counts = cells}, nullptr, how, {});
  const auto halves =
      drawn({"mcc", "accuracy"}, {.k = 2, .weights = weights.data()}, squares.data(), how, {});
  for (const std::size_t column : {std::size_t{0}, std::size_t{1}}) {
    const Moments one = moments(plain, column, 2), other = moments(halves, column, 2);
    CHECK(std::fabs(one.mean - other.mean) < 4.5 * std::sqrt(2 * one.variance / 40000));
    CHECK(std::fabs(one.variance / other.variance - 1) < 4.5 * std::sqrt(4.0 / 40000));
  }
}

TEST_CASE("tables that cannot be drawn again are refused") {
  const std::vector<double> weights{1.5, 2.0, 0.0, 3.0}, squares{1.2, 0.0, 0.0, 4.0};
  const Table table{.k = 2, .weights = weights.data()};
  const Resampling how{.replicates = 2, .seed = 0};
  CHECK_THROWS_AS(drawn({"mcc"}, table, nullptr, how, {}), InputError);
  CHECK_THROWS_AS(drawn({"mcc"}, table, squares.data(), how, {}), InputError);
  const std::int64_t many[] = {std::int64_t{1} << 62, 1, 0, 0}, wrong[] = {-1, 2, 3, 4};
  CHECK_THROWS_AS(drawn({"mcc"}, {.k = 2, .counts = many}, nullptr, how, {}), InputError);
  CHECK_THROWS_AS(drawn({"mcc"}, {.k = 2, .counts = wrong}, nullptr, how, {}), InputError);
  CHECK(std::isnan(drawn({"mcc"}, {.k = 3, .is_sparse = true}, nullptr, how, {})[1]));
  const std::int64_t none[] = {0, 0, 0, 0};
  for (const double value : drawn({"mcc"}, {.k = 2, .counts = none}, nullptr, how, {})) {
    CHECK(std::isnan(value));
  }
}

TEST_CASE("replicates of a sweep") {
  const double scores[] = {0.9, 0.7, 0.5, 0.3};
  const std::uint32_t positives[] = {30, 20, 10, 0}, negatives[] = {0, 10, 25, 15};
  const SweepView sweep{
      .size = 4, .scores = scores, .amounts = Amounts<std::uint32_t>{positives, negatives}};
  const std::vector<ScoreAsk> asks{parse_score("roc_auc"), parse_score("brier")};
  const Resampling how{.replicates = 20000, .seed = 6};
  std::vector<double> out(40000), again(40000), value(2);
  score_replicates(asks, sweep, true, how, out.data());
  score_replicates(asks, sweep, true, {.replicates = 20000, .seed = 6, .threads = 5}, again.data());
  CHECK(same(out, again));
  score_values(asks, sweep, 1, value.data());
  // DeLong's variance with populations in place of samples: placements of the positives among the
  // negatives and the other way, ties half.
  const double n = 60, m = 50;
  double of_positives = 0, of_negatives = 0;
  for (int i = 0; i < 4; ++i) {
    double below = negatives[i] / 2.0, above = positives[i] / 2.0;
    for (int j = i + 1; j < 4; ++j) below += negatives[j];
    for (int j = 0; j < i; ++j) above += positives[j];
    of_positives += positives[i] * std::pow(below / m - value[0], 2);
    of_negatives += negatives[i] * std::pow(above / n - value[0], 2);
  }
  const double delong = of_positives / n / n + of_negatives / m / m;
  const Moments auc = moments(out, 0, 2);
  CHECK(std::fabs(auc.mean - value[0]) < 4.5 * std::sqrt(delong / 20000));
  CHECK(auc.variance / delong < 1.06);  // and a term of order 1 / (n m)
  CHECK(auc.variance / delong > 0.96);
  // Together, the share of positives varies as well.
  score_replicates(asks, sweep, false, how, again.data());
  CHECK(moments(again, 1, 2).variance > moments(out, 1, 2).variance);

  const double weights[] = {1.5, 2, 0, 3};
  const SweepView weighed{
      .size = 4, .scores = scores, .amounts = Amounts<double>{weights, weights}};
  CHECK_THROWS_AS(score_replicates(asks, weighed, true, how, out.data()), InputError);
  const std::uint64_t far[] = {std::uint64_t{1} << 61, 0, 7, 0},
                      wide[] = {1, std::uint64_t{1} << 60, 0, 2};
  const SweepView large{.size = 4, .scores = scores, .amounts = Amounts<std::uint64_t>{far, wide}};
  score_replicates(asks, large, true, {.replicates = 3, .seed = 1}, out.data());
  CHECK(out[0] == doctest::Approx(1.0));
  const SweepView empty{.size = 0, .scores = scores, .amounts = sweep.amounts};
  score_replicates(asks, empty, true, {.replicates = 3, .seed = 1}, out.data());
  CHECK(std::isnan(out[0]));
}

TEST_CASE("replicates of a sweep of weights") {
  const double scores[] = {0.9, 0.7, 0.5, 0.3};
  const std::uint32_t positives[] = {30, 20, 10, 0}, negatives[] = {0, 10, 25, 15};
  const std::vector<ScoreAsk> asks{parse_score("roc_auc")};
  const Resampling how{.replicates = 20000, .seed = 8};
  // Rows that all weigh as much: `weight`.
  const auto drawn_with = [&](double weight) {
    double sums[2][4], squares[2][4];
    for (int i = 0; i < 4; ++i) {
      sums[0][i] = weight * positives[i];
      sums[1][i] = weight * negatives[i];
      for (int of = 0; of < 2; ++of) squares[of][i] = weight * sums[of][i];
    }
    const SweepView sweep{.size = 4,
                          .scores = scores,
                          .amounts = Amounts<double>{sums[0], sums[1]},
                          .squares = {squares[0], squares[1]}};
    std::vector<double> out(20000), again(20000);
    score_replicates(asks, sweep, false, how, out.data());
    score_replicates(asks, sweep, true, {.replicates = 20000, .seed = 8, .threads = 5},
                     again.data());
    CHECK(same(out, again));
    return out;
  };
  std::vector<double> counts(20000);
  const SweepView sweep{
      .size = 4, .scores = scores, .amounts = Amounts<std::uint32_t>{positives, negatives}};
  score_replicates(asks, sweep, true, how, counts.data());
  const std::vector<double> ones = drawn_with(1), heavy = drawn_with(8);
  CHECK(same(ones, heavy));
  const Moments found = moments(ones, 0, 1), wanted = moments(counts, 0, 1);
  CHECK(std::fabs(found.mean - wanted.mean) < 6 * std::sqrt(wanted.variance / 20000));
  CHECK(found.variance / wanted.variance == doctest::Approx(1).epsilon(0.06));
  // Of half as many rows of twice the weight twice the variance is expected.
  double sums[2][4], squares[2][4];
  for (int i = 0; i < 4; ++i) {
    sums[0][i] = positives[i];
    sums[1][i] = negatives[i];
    for (int of = 0; of < 2; ++of) squares[of][i] = 2 * sums[of][i];
  }
  std::vector<double> few(20000);
  const SweepView light{.size = 4,
                        .scores = scores,
                        .amounts = Amounts<double>{sums[0], sums[1]},
                        .squares = {squares[0], squares[1]}};
  score_replicates(asks, light, true, how, few.data());
  CHECK(moments(few, 0, 1).variance / wanted.variance == doctest::Approx(2).epsilon(0.1));
  // Few heavy rows at one score count there as much as all the others do elsewhere.
  squares[0][0] = 10 * sums[0][0];
  score_replicates(asks, light, true, how, few.data());
  CHECK(moments(few, 0, 1).mean == doctest::Approx(wanted.mean).epsilon(0.01));
}
