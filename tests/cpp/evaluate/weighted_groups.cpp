// Groups of weighted rows, whole tables and few rows: each row lands in its total, each weight in
// its cell.
#include "confmat/evaluate/weighted_groups.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "confmat/base/error.hpp"
#include "confmat/base/exact_sum.hpp"
#include "support/fake_host.hpp"

using confmat::ExactSum;
using confmat::GroupTotals;
using confmat::InputError;
using confmat::Spec;
using confmat::WeightedCode;
using confmat::WeightedGroups;
using confmat::host::first_labels;
using confmat::host::packed;
using confmat::host::Random;
using confmat::host::Request;

namespace {

Spec spec_of(std::size_t k) {
  Request request;
  request.metrics = {"accuracy", "recall_micro"};
  request.labels = first_labels(k);
  request.bucket = true;
  request.weighted = true;
  return confmat::parse_spec(packed(request));
}

struct Wanted {
  GroupTotals totals;
  double accuracy = 0.0;
};

Wanted wanted_of(const std::vector<WeightedCode>& rows, std::size_t k) {
  const std::size_t side = k + 2;
  Wanted out;
  ExactSum all;
  ExactSum right;
  for (const auto& [weight, code] : rows) {
    const auto i = code / side;
    const auto j = code % side;
    if (i > k || j > k) {
      ++out.totals.n_dropped;
    } else if (i == k || j == k) {
      ++out.totals.n_other;
    } else {
      all.add(weight);
      if (i == j) right.add(weight);
    }
  }
  out.totals.weight = all.value();
  out.accuracy = right.value() / all.value();
  return out;
}

void check(WeightedGroups& groups, const std::vector<WeightedCode>& rows, std::size_t k) {
  const Wanted wanted = wanted_of(rows, k);
  double values[2] = {};
  const GroupTotals found = groups.evaluate(rows, values);
  CHECK(found.n_dropped == wanted.totals.n_dropped);
  CHECK(found.n_other == wanted.totals.n_other);
  CHECK(found.weight == doctest::Approx(wanted.totals.weight).epsilon(1e-14));
  if (wanted.totals.weight > 0) {
    CHECK(values[0] == doctest::Approx(wanted.accuracy).epsilon(1e-13));
    CHECK(values[1] == doctest::Approx(wanted.accuracy).epsilon(1e-13));
  }
}

}  // namespace

TEST_CASE("weighted groups: each row in its total, each weight in its cell") {
  Random random(61);
  for (const std::size_t k : std::vector<std::size_t>{1, 2, 3, 40}) {
    const Spec spec = spec_of(k);
    WeightedGroups groups(spec);
    for (int trial = 0; trial < 60; ++trial) {
      std::vector<WeightedCode> rows;
      for (std::size_t n = random.below(400); n > 0; --n) {
        const std::size_t code = random.below(k + 2) * (k + 2) + random.below(k + 2);
        rows.push_back({static_cast<double>(random.below(1000)) / 7, code});
      }
      check(groups, rows, k);
    }
  }
}

TEST_CASE("weighted groups: few rows whose weights only the whole table takes") {
  const Spec spec = spec_of(40);
  WeightedGroups groups(spec);
  const std::size_t side = 42;
  const double large = std::ldexp(1.0, 60);
  check(groups, {{large, 0}, {large, side + 1}, {1, side * side - 1}, {3, 40}, {large, 2}}, 40);
}

TEST_CASE("weighted groups: codes and weights that are none are refused") {
  for (const std::size_t k : std::vector<std::size_t>{2, 40}) {
    const Spec spec = spec_of(k);
    WeightedGroups groups(spec);
    const std::size_t side = k + 2;
    double values[2];
    const auto refused = [&](double weight, std::uint64_t code) {
      for (const std::size_t others : std::vector<std::size_t>{0, 300}) {
        std::vector<WeightedCode> rows(others, {1.0, 0});
        rows.push_back({weight, code});
        CHECK_THROWS_AS(groups.evaluate(rows, values), InputError);
      }
    };
    for (const std::uint64_t code : {std::uint64_t{side * side}, std::uint64_t{side * side + 1},
                                     std::uint64_t{1} << 32U, ~std::uint64_t{0}}) {
      refused(1.0, code);
    }
    const double endless = std::numeric_limits<double>::infinity();
    for (const double weight : {-1.0, endless, std::nan("")}) refused(weight, side + 1);
  }
}
