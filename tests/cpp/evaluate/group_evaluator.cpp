// From counts to rows of numbers: no row is lost, and each path gives the same values.
#include "confmat/evaluate/group_evaluator.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "confmat/base/error.hpp"
#include "support/fake_host.hpp"

using confmat::as_counts;
using confmat::GroupEvaluator;
using confmat::GroupTable;
using confmat::GroupTotals;
using confmat::InputError;
using confmat::Labels;
using confmat::Spec;
using confmat::host::first_labels;
using confmat::host::int_labels;
using confmat::host::packed;
using confmat::host::Random;
using confmat::host::Request;
using confmat::host::text_labels;

namespace {

const std::vector<std::string> kMetrics = {"accuracy", "recall_macro", "f1_macro", "mcc", "kappa"};

Spec spec_of(std::optional<Labels> labels, bool bucket = true,
             std::vector<std::string> metrics = kMetrics) {
  Request request;
  request.metrics = std::move(metrics);
  request.labels = std::move(labels);
  request.bucket = bucket;
  return confmat::parse_spec(packed(request));
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return std::ranges::equal(a, b, [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
  });
}

}  // namespace

TEST_CASE("codes: counted + dropped + other = rows") {
  Random random(11);
  for (const std::size_t k : std::vector<std::size_t>{0, 1, 2, 3, 14, 15, 40}) {
    const Spec spec = spec_of(first_labels(k));
    GroupEvaluator evaluator(spec);
    std::vector<double> values(spec.asks.size());
    for (int trial = 0; trial < 200; ++trial) {
      const std::size_t side = k + 2;
      std::vector<std::int64_t> cells(side * side);
      std::int64_t rows[3] = {};  // counted, other, dropped
      const std::size_t n = random.below(300);
      for (std::size_t r = 0; r < n; ++r) {
        const std::size_t i = random.below(side);
        const std::size_t j = random.below(side);
        ++cells[i * side + j];
        ++rows[i > k || j > k ? 2 : i == k || j == k ? 1 : 0];
      }
      const GroupTotals totals = evaluator.codes(cells, values.data());
      CHECK(totals.n == rows[0]);
      CHECK(totals.n_other == rows[1]);
      CHECK(totals.n_dropped == rows[2]);
    }
  }
}

TEST_CASE("codes: each cell of the border lands in its own total") {
  const Spec spec = spec_of(first_labels(3));
  GroupEvaluator evaluator(spec);
  std::vector<double> values(spec.asks.size());
  for (std::size_t code = 0; code < 25; ++code) {
    std::vector<std::int64_t> cells(25);
    cells[code] = 7;
    const auto totals = evaluator.codes(cells, values.data());
    const std::size_t border = std::max(code / 5, code % 5);
    CAPTURE(code);
    CHECK(totals.n == (border < 3 ? 7 : 0));
    CHECK(totals.n_other == (border == 3 ? 7 : 0));
    CHECK(totals.n_dropped == (border == 4 ? 7 : 0));
  }
}

TEST_CASE("codes: labels outside are refused unless asked for, and nulls never are") {
  const Spec spec = spec_of(first_labels(2), false);
  GroupEvaluator evaluator(spec);
  std::vector<double> values(spec.asks.size());
  const auto with = [&](std::size_t i, std::size_t j) {
    std::vector<std::int64_t> cells(16);
    cells[0] = 5;
    cells[i * 4 + j] = 1;
    return cells;
  };
  CHECK_THROWS_WITH_AS(static_cast<void>(evaluator.codes(with(2, 0), values.data())),
                       doctest::Contains("is not in labels [0, 1]; give"), InputError);
  CHECK_THROWS_WITH_AS(static_cast<void>(evaluator.codes(with(0, 2), values.data())),
                       doctest::Contains("is not in labels [0, 1]; give"), InputError);
  CHECK_THROWS_WITH_AS(static_cast<void>(evaluator.codes(with(2, 2), values.data())),
                       doctest::Contains("[0, 1]"), InputError);
  CHECK(evaluator.codes(with(3, 0), values.data()).n_dropped == 1);
  // A null beside a label outside: the row is dropped.
  CHECK(evaluator.codes(with(2, 3), values.data()).n_dropped == 1);
  CHECK(evaluator.codes(with(3, 2), values.data()).n_dropped == 1);
  CHECK(values[0] == 1.0);
}

TEST_CASE("codes, whole weights and tables give the same bits") {
  Random random(12);
  for (const std::size_t k : std::vector<std::size_t>{1, 2, 5, 20}) {
    const Spec known = spec_of(first_labels(k));
    const Spec unknown = spec_of(std::nullopt);
    for (int trial = 0; trial < 50; ++trial) {
      std::vector<std::int64_t> cells((k + 2) * (k + 2));
      GroupTable table{.labels = first_labels(k), .counts = {}, .weights = {}, .totals = {}};
      std::vector<double> weights;
      for (std::size_t i = 0; i < k; ++i) {
        for (std::size_t j = 0; j < k; ++j) {
          // Every class occurs, so that present classes are all classes.
          const auto n = static_cast<std::int64_t>(random.below(9) + (i == j ? 1 : 0));
          cells[i * (k + 2) + j] = n;
          table.counts.push_back(n);
          weights.push_back(static_cast<double>(n));
        }
      }
      std::vector<double> a(known.asks.size());
      std::vector<double> b(a);
      std::vector<double> c(a);
      std::vector<double> d(a);
      GroupEvaluator evaluator(known);
      static_cast<void>(evaluator.codes(cells, a.data()));
      static_cast<void>(evaluator.weighted(weights, {}, {}, b.data()));
      static_cast<void>(GroupEvaluator(unknown).table(table, c.data()));
      static_cast<void>(GroupEvaluator(unknown, first_labels(k)).codes(cells, d.data()));
      CHECK(same_bits(a, b));
      CHECK(same_bits(a, c));
      CHECK(same_bits(a, d));
    }
  }
}

TEST_CASE("found labels: classes that a group lacks are left out") {
  const Spec spec = spec_of(std::nullopt);
  GroupEvaluator evaluator(spec, text_labels({"a", "b", "c"}));
  std::vector<std::int64_t> cells(25);
  cells[0] = 3;          // a, a
  cells[2] = 1;          // a, c
  cells[12] = 2;         // c, c
  cells[1 * 5 + 4] = 4;  // b, null
  std::vector<double> values(spec.asks.size());
  const auto totals = evaluator.codes(cells, values.data());
  CHECK(totals.n == 6);
  CHECK(totals.n_dropped == 4);
  GroupTable table{
      .labels = text_labels({"a", "c"}), .counts = {3, 1, 0, 2}, .weights = {}, .totals = {}};
  std::vector<double> wanted(spec.asks.size());
  static_cast<void>(evaluator.table(table, wanted.data()));
  CHECK(same_bits(values, wanted));
}

TEST_CASE("groups without rows, and without the positive class") {
  const Spec spec = spec_of(std::nullopt, false, {"accuracy", "precision", "recall", "f1"});
  GroupEvaluator evaluator(spec);
  std::vector<double> values(4, 7.0);
  CHECK(evaluator.table({}, values.data()).n == 0);
  for (const double value : values) CHECK(std::isnan(value));
  // One class only, the negative one.
  GroupTable group{.labels = int_labels({0}), .counts = {5}, .weights = {}, .totals = {.n = 5}};
  CHECK(evaluator.table(group, values.data()).n == 5);
  CHECK(values[0] == 1.0);
  CHECK(std::isnan(values[2]));
  // Three classes and none named: which one is positive must be said.
  GroupTable three{.labels = int_labels({0, 1, 2}),
                   .counts = std::vector<std::int64_t>(9, 1),
                   .weights = {},
                   .totals = {}};
  CHECK_THROWS_AS(static_cast<void>(evaluator.table(three, values.data())), InputError);
  Request request;
  request.metrics = {"recall"};
  request.positive = text_labels({"m"});
  const Spec named = confmat::parse_spec(packed(request));
  // The class goes to its place in the order, empty: a, m, z.
  GroupTable texts{
      .labels = text_labels({"a", "z"}), .counts = {1, 1, 0, 1}, .weights = {}, .totals = {}};
  double recall = 0;
  static_cast<void>(GroupEvaluator(named).table(texts, &recall));
  CHECK(std::isnan(recall));
}

TEST_CASE("whole weights are counts while they and their total are exact") {
  std::vector<std::int64_t> counts;
  const double most = 9007199254740992.0;
  CHECK(as_counts(std::vector<double>{0.0, 1.0, most}, counts));
  CHECK((counts == std::vector<std::int64_t>{0, 1, std::int64_t{1} << 53}));
  CHECK(as_counts(std::vector<double>{}, counts));
  CHECK(counts.empty());
  for (const double bad :
       {0.5, most * 2, -1.0, std::nan(""), std::numeric_limits<double>::infinity(), 5e-324}) {
    CHECK_FALSE(as_counts(std::vector<double>{1.0, bad}, counts));
  }
  // 1024 cells of 2^53 are 2^63 rows: margins would not fit.
  CHECK_FALSE(as_counts(std::vector<double>(1024, most), counts));
}

TEST_CASE("tables beyond 1 GiB are refused before they are made") {
  Request request;
  request.labels = first_labels(12'000);
  const Spec spec = confmat::parse_spec(packed(request));
  CHECK_THROWS_AS(GroupEvaluator evaluator(spec), InputError);
  request.labels = first_labels(1'000);
  const Spec small = confmat::parse_spec(packed(request));
  CHECK_NOTHROW(GroupEvaluator evaluator(small));
}

TEST_CASE("many labels are shown in short") {
  CHECK(confmat::listing(int_labels({})) == "[]");
  CHECK(confmat::listing(int_labels({3, -1})) == "[3, -1]");
  CHECK(confmat::listing(text_labels({"a", "b"})) == "['a', 'b']");
  CHECK(confmat::listing(first_labels(12)) == "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, ... 2 more]");
}
