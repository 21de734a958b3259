// Few rows of many classes: the compact table gives the bits of the whole one, for every metric.
#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <string>

#include "confmat/base/exact_sum.hpp"
#include "confmat/evaluate/group_evaluator.hpp"
#include "confmat/metrics/registry.hpp"
#include "support/fake_host.hpp"

using confmat::GroupEvaluator;
using confmat::GroupTotals;
using confmat::Spec;
using confmat::host::first_labels;
using confmat::host::packed;
using confmat::host::Random;
using confmat::host::Request;

namespace {

struct Rows {
  std::vector<std::uint32_t> codes;
  std::vector<double> weights;
};

// Rows of a few of k classes, now and then with a null or a label outside.
Rows random_rows(Random& random, std::size_t k, std::size_t n, bool whole) {
  std::vector<std::size_t> classes;
  for (std::size_t i = 1 + random.below(6); i > 0; --i) classes.push_back(random.below(k));
  const auto label = [&] {
    return random.chance(20) ? k + random.below(2) : classes[random.below(classes.size())];
  };
  Rows out;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t truth = label();
    const std::size_t prediction = random.chance(2) ? truth : label();
    out.codes.push_back(static_cast<std::uint32_t>(truth * (k + 2) + prediction));
    const auto size = static_cast<double>(random.below(9));
    out.weights.push_back(whole ? size : size / 7);
  }
  return out;
}

bool same(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

// The values of the whole table.
GroupTotals whole_table(GroupEvaluator& evaluator, const Rows& rows, std::size_t k, bool weighted,
                        std::vector<double>& values) {
  std::vector<std::int64_t> cells((k + 2) * (k + 2));
  for (const auto code : rows.codes) ++cells[code];
  GroupTotals totals = evaluator.codes(cells, values.data());
  if (!weighted) return totals;
  std::vector<confmat::ExactSum> sums(k * k);
  for (std::size_t r = 0; r < rows.codes.size(); ++r) {
    const std::size_t i = rows.codes[r] / (k + 2);
    const std::size_t j = rows.codes[r] % (k + 2);
    if (i < k && j < k) sums[i * k + j].add(rows.weights[r]);
  }
  std::vector<double> weights;
  confmat::ExactSum n;
  for (const auto& sum : sums) {
    weights.push_back(sum.value());
    n.add(sum.value());
  }
  totals.weight = n.value();
  return evaluator.weighted(weights, {}, totals, values.data());
}

}  // namespace

TEST_CASE("few rows: every metric has the bits of the whole table, or is left to it") {
  Random random(61);
  int compact = 0;
  for (const auto& fact : confmat::metrics::facts()) {
    CAPTURE(fact.name);
    for (int trial = 0; trial < 24; ++trial) {
      const std::size_t k = 15 + random.below(60);
      const bool weighted = trial % 3 != 0;
      Request request;
      request.metrics = {fact.name};
      request.labels = first_labels(k);
      request.positive = confmat::host::int_labels({static_cast<std::int64_t>(random.below(k))});
      request.bucket = true;
      if (trial % 4 == 1) request.undefined = 0.5;
      const Spec spec = confmat::parse_spec(packed(request));
      GroupEvaluator evaluator(spec);
      const Rows rows =
          random_rows(random, k, random.below(random.chance(2) ? 4 : k * k / 16), trial % 2 == 0);
      std::vector<double> few(1, -7.0);
      std::vector<double> whole(1, -8.0);
      GroupTotals totals;
      const std::vector<double> none;
      if (!evaluator.few(rows.codes, weighted ? rows.weights : none, totals, few.data())) {
        CHECK((spec.asks[0].ordered || request.undefined));  // averages then see absent classes
        continue;
      }
      ++compact;
      const GroupTotals wanted = whole_table(evaluator, rows, k, weighted, whole);
      CHECK(same(few[0], whole[0]));
      CHECK((weighted ? same(totals.weight, wanted.weight) : totals.n == wanted.n));
      CHECK(totals.n_dropped == wanted.n_dropped);
      CHECK(totals.n_other == wanted.n_other);
    }
  }
  CHECK(compact > 750);
}

TEST_CASE("few cells of many classes: a list of them has the bits of the table") {
  Random random(62);
  int listed = 0;
  for (const auto& fact : confmat::metrics::facts()) {
    CAPTURE(fact.name);
    for (int trial = 0; trial < 6; ++trial) {
      const std::size_t k = 65 + random.below(60);
      const bool weighted = trial % 2 != 0;
      Request request;
      request.metrics = {fact.name};
      request.labels = first_labels(k);
      request.positive = confmat::host::int_labels({static_cast<std::int64_t>(random.below(k))});
      request.bucket = true;
      request.keep_empty = trial % 3 == 1;  // no class is left out
      if (trial == 5) request.undefined = 0.5;
      const Spec spec = confmat::parse_spec(packed(request));
      GroupEvaluator evaluator(spec);
      Rows rows = random_rows(random, k, random.below(k * k / 8), trial < 3);
      for (auto& weight : rows.weights) {
        if (random.chance(5)) weight = 0;
      }
      std::vector<double> few(1, -7.0), whole(1, -8.0);
      GroupTotals totals;
      const std::vector<double> none;
      if (!evaluator.few(rows.codes, weighted ? rows.weights : none, totals, few.data())) continue;
      ++listed;
      const GroupTotals wanted = whole_table(evaluator, rows, k, weighted, whole);
      CHECK(same(few[0], whole[0]));
      CHECK((weighted ? same(totals.weight, wanted.weight) : totals.n == wanted.n));
      CHECK(totals.n_dropped == wanted.n_dropped);
      CHECK(totals.n_other == wanted.n_other);
    }
  }
  CHECK(listed > 5 * std::ssize(confmat::metrics::facts()));
}

TEST_CASE("few rows: what needs the whole table is left to it") {
  Request request;
  request.labels = first_labels(20);
  std::vector<double> values(1);
  GroupTotals totals;
  const std::vector<std::uint32_t> rows = {0, 23};
  const std::vector<std::uint32_t> outside = {0, 20};
  const std::vector<std::uint32_t> beyond = {0, 22 * 22};
  const auto is_few = [&](const Request& asked, std::span<const std::uint32_t> codes,
                          std::span<const double> weights = {}) {
    const Spec spec = confmat::parse_spec(packed(asked));
    return GroupEvaluator(spec).few(codes, weights, totals, values.data());
  };
  CHECK(is_few(request, rows));
  CHECK(is_few(request, {}));
  CHECK_FALSE(is_few(request, outside));
  CHECK_FALSE(is_few(request, beyond));
  const std::vector<double> negative = {1.0, -1.0};
  const std::vector<double> endless = {1.0, INFINITY};
  const std::vector<double> large = {1.0, 1e9};
  for (const auto& weights : {negative, endless, large})
    CHECK_FALSE(is_few(request, rows, weights));
  CHECK_FALSE(is_few(request, std::vector<std::uint32_t>(25)));
  Request other = request;
  other.smoothing = 1.0;
  CHECK_FALSE(is_few(other, rows));
  other = request;
  other.keep_empty = true;
  CHECK_FALSE(is_few(other, rows));
  for (const char* name : {"kappa_linear", "kappa_quadratic", "recall"}) {
    other = request;
    other.metrics = {name};  // recall: no positive class was named
    other.labels = first_labels(20);
    if (std::string(name) == "recall") {
      for (auto& label : other.labels->ints) label += 100;
    }
    CHECK_FALSE(is_few(other, rows));
  }
}
