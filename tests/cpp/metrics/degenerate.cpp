// Tables where something is 0, and their reasons; tables of every size; extreme cells.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "confmat/base/error.hpp"
#include "confmat/metrics/registry.hpp"

namespace confmat::metrics {
namespace {

using Counts = std::vector<std::int64_t>;

Table table_of(const Counts& counts) {
  return {std::llround(std::sqrt(static_cast<double>(counts.size()))), counts.data(), nullptr};
}

double value_of(const char* name, const Table& table, const Options& options = {}) {
  const Ask ask = parse(name);
  double out = 0.0;
  values({&ask, 1}, table, options, &out);
  return out;
}

double value_of(const char* name, const Counts& counts, const Options& options = {}) {
  return value_of(name, table_of(counts), options);
}

std::string reason_of(const char* name, const Counts& counts, const Options& options = {},
                      const std::vector<std::string>& labels = {}) {
  return reason(parse(name), table_of(counts), options, labels);
}

Options positive(std::int64_t pos) {
  Options options;
  options.pos = pos;
  return options;
}

std::uint64_t bits(double x) {
  std::uint64_t out = 0;
  std::memcpy(&out, &x, sizeof out);
  return out;
}

std::vector<Ask> all_asks() {
  std::vector<Ask> out;
  for (const Fact& fact : facts()) out.push_back(parse(fact.name));
  return out;
}

// Every value is in its range or the one nan, and a nan has a reason.
void check_all(const Table& table) {
  static const std::vector<Ask> asks = all_asks();
  std::vector<double> out(asks.size());
  for (std::int64_t pos = -1; pos < table.k; ++pos) {
    values(asks, table, positive(pos), out.data());
    for (std::size_t i = 0; i < asks.size(); ++i) {
      const Fact& fact = facts()[i];
      if (std::isnan(out[i])) {
        CHECK(bits(out[i]) == bits(std::numeric_limits<double>::quiet_NaN()));
        CHECK_MESSAGE(!reason(asks[i], table, positive(pos), {}).empty(), fact.name);
      } else {
        CHECK_MESSAGE((out[i] >= fact.lo && out[i] <= fact.hi), fact.name, " = ", out[i]);
        CHECK_FALSE((out[i] == 0.0 && std::signbit(out[i])));
      }
    }
  }
}

double quotient(std::int64_t above, std::int64_t below) {
  return static_cast<double>(above) / static_cast<double>(below);
}

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

}  // namespace

TEST_CASE("metrics: all 2 x 2 tables with cells 0 to 7") {
  for (std::int64_t code = 0; code < 4096; ++code) {
    const Counts c{code & 7, (code >> 3) & 7, (code >> 6) & 7, code >> 9};
    const std::int64_t tp = c[0], fn = c[1], fp = c[2], tn = c[3];
    const Options options = positive(0);
    CHECK(same(value_of("precision", c, options), quotient(tp, tp + fp)));
    CHECK(same(value_of("recall", c, options), quotient(tp, tp + fn)));
    CHECK(same(value_of("npv", c, options), quotient(tn, tn + fn)));
    CHECK(same(value_of("specificity", c, options), quotient(tn, tn + fp)));
    CHECK(same(value_of("f1", c, options), quotient(2 * tp, 2 * tp + fp + fn)));
    CHECK(same(value_of("lr_positive", c, options), quotient(tp * (fp + tn), (tp + fn) * fp)));
    CHECK(same(value_of("diagnostic_odds_ratio", c, options), quotient(tp * tn, fp * fn)));
    const double mcc = value_of("mcc", c);
    CHECK(same(mcc, value_of("gmcc", c)));
    CHECK(same(mcc, value_of("gmcc_root", c)));
    CHECK(same(std::fabs(mcc), value_of("cramer_v", c)));
    CHECK(same(std::fabs(mcc), value_of("canonical_correlation", c)));
    CHECK(std::isnan(mcc) == ((tp + fn) * (tp + fp) * (tn + fn) * (tn + fp) == 0));
  }
  for (std::int64_t code = 0; code < 4096; code += 7) {
    const Counts c{code & 7, (code >> 3) & 7, (code >> 6) & 7, code >> 9};
    check_all(table_of(c));
  }
}

TEST_CASE("metrics: tables of no class, one class and no rows") {
  check_all({0, nullptr, nullptr});
  check_all(table_of({0}));
  check_all(table_of({5}));
  check_all(table_of(Counts(9, 0)));
  CHECK(value_of("accuracy", Counts{5}) == 1.0);
  CHECK(std::isnan(value_of("mcc", Counts{5})));
  CHECK(std::isnan(value_of("accuracy", Table{0, nullptr, nullptr})));
  CHECK(reason_of("gmcc", {5}) == "fewer than two classes");
  CHECK(reason_of("accuracy", {0, 0, 0, 0}) == "there are no rows");
  CHECK_THROWS_AS(value_of("accuracy", Table{2, nullptr, nullptr}), InputError);
}

TEST_CASE("metrics: random tables of three and four classes with many zeros") {
  std::uint32_t state = 7;
  for (int round = 0; round < 400; ++round) {
    Counts c(round % 2 == 0 ? 9 : 16);
    std::vector<double> weights;
    for (std::int64_t& cell : c) {
      state = state * 1664525u + 1013904223u;
      cell = (state >> 20) % 5 < 3 ? 0 : (state >> 24) % 9;
      weights.push_back(static_cast<double>(cell) * 0.1);
    }
    check_all(table_of(c));
    // Tenths round, but what is undefined stays so.
    const Table weighted{table_of(c).k, nullptr, weights.data()};
    for (const char* name : {"recall_macro", "specificity_macro", "mcc", "f1_macro", "kappa"}) {
      const double exact = value_of(name, c);
      const double rounded = value_of(name, weighted);
      CHECK(std::isnan(exact) == std::isnan(rounded));
      if (!std::isnan(exact)) CHECK(std::fabs(exact - rounded) < 1e-13);
    }
  }
}

TEST_CASE("metrics: reasons") {
  CHECK(reason_of("precision", {5, 0, 3, 0}, positive(1), {"no", "yes"}) ==
        "class yes: tp + fp = 0");
  CHECK(reason_of("precision", {5, 1, 3, 2}, positive(1)).empty());
  CHECK(reason_of("mcc", {5, 0, 3, 0}) == "class 0: tn + fn = 0");
  CHECK(reason_of("kappa", {4, 0, 0, 0}) == "N^2 - sum(row * col) = 0");
  CHECK(reason_of("recall", {5, 1, 3, 2}) == "there is no positive class");
  CHECK(reason_of("npv_macro", {5, 0, 0, 0}) == "no class has a value; class 0: tn + fn = 0");
  CHECK(reason_of("npv_micro", {5, 0, 0, 0}) == "all classes together: tn + fn = 0");
  const Counts never_predicted{20, 0, 0, 0, 20, 0, 12, 12, 0};
  CHECK(value_of("gmcc", never_predicted) == 0.0);
  CHECK(reason_of("gmcc", never_predicted, {}, {"a", "b", "c"}) ==
        "degenerate class c: never predicted");
  CHECK(reason_of("gmcc", {5, 1, 0, 2, 5, 0, 0, 0, 3}).empty());
  CHECK(reason_of("f1_macro", never_predicted).empty());
}

TEST_CASE("metrics: undefined and absent classes") {
  const Counts never_predicted{20, 0, 0, 0, 20, 0, 12, 12, 0};
  const Ask macro = parse("precision_macro");
  const Table table = table_of(never_predicted);
  CHECK(n_used(macro, table, {}) == 2);
  CHECK(value_of("precision_macro", never_predicted) == 0.625);
  Options zero;
  zero.undefined = 0.0;
  CHECK(n_used(macro, table, zero) == 3);
  CHECK(value_of("precision_macro", never_predicted, zero) == doctest::Approx(1.25 / 3));
  const Counts absent{4, 1, 0, 2, 3, 0, 0, 0, 0};
  CHECK(value_of("recall_macro", absent) == doctest::Approx((0.8 + 0.6) / 2));
  Options keep;
  keep.keep_empty = true;
  keep.undefined = 0.0;
  CHECK(value_of("recall_macro", absent, keep) == doctest::Approx((0.8 + 0.6) / 3));
  CHECK(value_of("gmcc", absent, keep) == 0.0);
  CHECK(value_of("recall_macro", absent, zero) == doctest::Approx((0.8 + 0.6) / 3));
  CHECK(value_of("gmcc", absent, zero) == value_of("gmcc", absent));
  for (Options* options : {&zero, &keep}) {
    options->implied = true;  // the class is there by a dtype alone
    CHECK(value_of("recall_macro", absent, *options) == doctest::Approx((0.8 + 0.6) / 2));
    options->classes = std::vector<std::int64_t>{1, 2};  // unless it is asked for
    CHECK(value_of("recall_macro", absent, *options) == doctest::Approx(0.6 / 2));
  }
  Options some;
  some.classes = std::vector<std::int64_t>{1, 2};
  CHECK(value_of("recall_macro", absent, some) == doctest::Approx(0.6));
  CHECK(value_of("recall_weighted", absent, some) == doctest::Approx(0.6));
  CHECK(value_of("precision_micro", never_predicted, some) == doctest::Approx(20.0 / 32));
  CHECK(left_out(macro, table, {}) == std::vector<std::int64_t>{2});
  CHECK(left_out(macro, table, some) == std::vector<std::int64_t>{2});
  CHECK(left_out(parse("recall_macro"), table, {}).empty());
  CHECK(left_out(parse("balanced_accuracy"), table_of({20, 0, 12, 0, 20, 12, 0, 0, 0}), {}) ==
        std::vector<std::int64_t>{2});
  CHECK(value_of("gmcc", absent) == value_of("mcc", Counts{4, 1, 2, 3}));
  CHECK(value_of("kappa_quadratic", absent) == doctest::Approx(value_of("kappa", absent)));
}

TEST_CASE("metrics: per class") {
  const Counts c{20, 6, 1, 2, 31, 4, 12, 13, 8};
  const std::vector<Ask> asks{parse("recall"), parse("tp"), parse("mcc_binary")};
  std::vector<double> out(9);
  per_class(asks, table_of(c), {}, out.data());
  for (std::int64_t i = 0; i < 3; ++i) {
    CHECK(out[static_cast<std::size_t>(i) * 3] == value_of("recall", c, positive(i)));
    CHECK(out[static_cast<std::size_t>(i) * 3 + 1] ==
          static_cast<double>(c[static_cast<std::size_t>(i) * 4]));
  }
  const Ask whole = parse("mcc");
  CHECK_THROWS_AS(per_class({&whole, 1}, table_of(c), {}, out.data()), InputError);
}

TEST_CASE("metrics: extreme cells and weights") {
  const std::int64_t huge = std::int64_t{1} << 62;
  check_all(table_of({huge, huge, huge, huge}));
  check_all(table_of(Counts(9, huge)));
  check_all(table_of({huge, 0, 0, 0, 0, 0, 0, 1, 3}));
  check_all(table_of(Counts(9, std::numeric_limits<std::int64_t>::max())));
  CHECK(value_of("mcc", Counts{huge, huge, huge, huge}) == 0.0);
  CHECK(value_of("mcc", Counts{huge, 1, 1, huge}) == doctest::Approx(1.0));
  const std::vector<double> plain{3, 1, 2, 5};
  for (const double scale : {1e-320, 1e-300, 1e-80, 1e80, 1e307}) {
    std::vector<double> scaled;
    for (const double cell : plain) scaled.push_back(cell * scale);
    const Table table{2, nullptr, scaled.data()};
    CHECK(value_of("mcc", table) == doctest::Approx(value_of("mcc", Counts{3, 1, 2, 5}))
                                        .epsilon(scale < 1e-310 ? 1e-3 : 1e-14));
    CHECK(value_of("tp", table, positive(0)) == scaled[0]);
    check_all(table);
  }
  const double inf = std::numeric_limits<double>::infinity();
  for (const double bad : {inf, -inf, std::numeric_limits<double>::quiet_NaN(), 1.7e308}) {
    const std::vector<double> cells(9, bad);
    check_all({3, nullptr, cells.data()});
  }
}

TEST_CASE("metrics: matrices of a table") {
  const Counts c{20, 6, 1, 2, 31, 4, 12, 13, 8};
  const std::vector<double> doubly = bistochastic(table_of(c));
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(doubly[i] + doubly[3 + i] + doubly[6 + i] == doctest::Approx(1.0).epsilon(1e-12));
    CHECK(doubly[3 * i] + doubly[3 * i + 1] + doubly[3 * i + 2] ==
          doctest::Approx(1.0).epsilon(1e-12));
  }
  CHECK_THROWS_AS(bistochastic(table_of({1, 0, 1, 0})), InputError);
  CHECK_THROWS_AS(bistochastic(table_of({1, 1, 1, 0, 0, 1, 0, 0, 1})), InputError);
  CHECK(balanced(table_of({4, 1, 0, 0}))[0] == 4.0);
  CHECK(eve_eigenvalues({0, nullptr, nullptr}).empty());
  CHECK(singular_values({0, nullptr, nullptr}).empty());
  CHECK(std::isnan(eve_bounds({0, nullptr, nullptr}).first));
  CHECK(pair_counts(table_of({3})) == std::vector<std::int64_t>{3, 0, 0, 0});
  const double weight = 1.0;
  CHECK_THROWS_AS(pair_counts({1, nullptr, &weight}), InputError);
}

}  // namespace confmat::metrics
