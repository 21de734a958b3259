// Metrics that a request brings along: their values are those of rows, and bad text is refused.
#include "confmat/metrics/own_rows.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <thread>
#include <vector>

#include "confmat/base/error.hpp"
#include "confmat/metrics/catalogue.hpp"
#include "confmat/metrics/gradient.hpp"

namespace confmat::metrics {
namespace {

constexpr std::int64_t kCells[9] = {50, 3, 1, 4, 35, 15, 2, 7, 43};
constexpr Table kTable{.k = 3, .counts = kCells};

struct Twin {
  const char* row;
  const char* definition;  // without the name
};
constexpr Twin kTwins[] = {
    {"f1", "0 1 higher 2 tp * 2 tp * fp + fn + /"},
    {"jaccard", "0 1 higher tp tp fp + fn + /"},
    {"recall", "0 1 higher tp tp fn + /"},
    {"mcc_binary", "-1 1 higher tp tn * fp fn * - tp fp + tp fn + * tn fp + * tn fn + * sqrt /"},
    {"fowlkes_mallows", "0 1 higher tp square tp fp + tp fn + * / 0.5 **"},
};

std::string refusal_of(const std::string& name) {
  try {
    parse(name);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// A definition with as many numbers as steps before they are added up.
std::string nested(std::size_t n) {
  std::string steps = "tp";
  for (std::size_t i = 1; i < n; ++i) steps += " tp";
  for (std::size_t i = 1; i < n; ++i) steps += " +";
  return "deep := deep 0 inf higher " + steps;
}

}  // namespace

TEST_CASE("own rows: values, gradients and intervals are those of the row with this formula") {
  for (const Twin& twin : kTwins) {
    const std::string row = twin.row;
    for (const std::string end : {"", "_macro", "_micro", "_weighted", "_ovo", "_min"}) {
      const std::string asked = row == "mcc_binary" && !end.empty() ? "mcc" + end : row + end;
      if (asked == "mcc_micro") continue;
      INFO(asked);
      const Ask known = parse(asked);
      const Ask own = parse("own" + end + " := own " + twin.definition);
      CHECK(own.name == "own" + end);
      CHECK(own.needs_positive == known.needs_positive);
      Options options;
      if (own.needs_positive) options.pos = 2;
      const Ask both[] = {known, own};
      double values[2];
      metrics::values(both, kTable, options, values);
      CHECK(values[1] == doctest::Approx(values[0]).epsilon(1e-14));
      Session session(kTable, options);
      std::vector<double> expected, found;
      gradient(known, session, options, expected);
      gradient(own, session, options, found);
      for (std::size_t i = 0; i < expected.size(); ++i) {
        CHECK(found[i] == doctest::Approx(expected[i]).epsilon(1e-12));
      }
    }
  }
}

TEST_CASE("own rows: what is not finite is undefined, and the reason says where") {
  constexpr std::int64_t cells[4] = {5, 0, 3, 0};
  const Table table{.k = 2, .counts = cells};
  Options options;
  options.pos = 1;
  const std::string labels[] = {"a", "b"};
  const auto reason_of = [&](const std::string& steps) {
    const Ask ask = parse("own := own -inf inf higher " + steps);
    double value = 0.0;
    values({&ask, 1}, table, options, &value);
    CHECK(std::isnan(value) == !reason(ask, table, options, labels).empty());
    return reason(ask, table, options, labels);
  };
  CHECK(reason_of("fn tp fp + /") == "class b: tp + fp = 0");
  CHECK(reason_of("tp tp fp + /") == "class b: tp + fp = 0");
  CHECK(reason_of("0 1 tp fp + / *") == "class b: tp + fp = 0");
  CHECK(reason_of("tp fn - sqrt") == "class b: sqrt(tp - fn) is not finite");
  CHECK(reason_of("tp log") == "class b: ln(tp) is not finite");
  CHECK(reason_of("tp log 0 **") == "class b: ln(tp) is not finite");
  CHECK(reason_of("1 fn tp / **") == "class b: tp = 0");
  std::string squares = "tp log";
  for (int i = 0; i < 900; ++i) squares += " square";
  CHECK(reason_of(squares) == "class b: ln(tp) is not finite");
  CHECK(reason_of("1 fn 1000 ** /") == "class b: fn^(1000) is not finite");
  CHECK(reason_of("tp tp tp fp + / 0 ** *") == "class b: tp + fp = 0");
  CHECK(reason_of("fn tn +").empty());
}

TEST_CASE("own rows: only what stays the same with the unit of weights is of any weights") {
  constexpr double kHuge = 0x1p300;
  constexpr double cells[4] = {5 * kHuge, 1 * kHuge, 3 * kHuge, 1 * kHuge};
  const Table table{.k = 2, .weights = cells, .is_weighted = true};
  Options options;
  options.pos = 1;
  const auto value_of = [&](const std::string& steps) {
    const Ask ask = parse("own := own -inf inf higher " + steps);
    double value = 0.0;
    values({&ask, 1}, table, options, &value);
    CHECK(std::isnan(value) == !reason(ask, table, options, {}).empty());
    return value;
  };
  CHECK(value_of("tp tp fp + /") == 0.5);
  CHECK(value_of("tp square fp square / 1 +") == 2.0);
  CHECK(value_of("tp sqrt fp 0.5 ** /") == 1.0);
  CHECK(value_of("tp fp / log") == 0.0);
  CHECK(std::isnan(value_of("tp 1 + fp /")));
  CHECK(std::isnan(value_of("tp fp *")));
  CHECK(std::isnan(value_of("tp log")));
}

TEST_CASE("own rows: text that is no definition is refused") {
  CHECK(has(refusal_of("x := x 0 1 higher"), "does not end in one number"));
  CHECK(has(refusal_of("x := x 0 1 higher tp fp"), "does not end in one number"));
  CHECK(has(refusal_of("x := x 0 1 higher tp +"), "an operation without its numbers"));
  CHECK(has(refusal_of("x := x 0 1 higher tp nan +"), "step 'nan' that is not known"));
  CHECK(has(refusal_of("x := x 0 1 higher tp inf +"), "step 'inf' that is not known"));
  CHECK(has(refusal_of("x := x 0 1 higher tp  +"), "step '\"\"' that is not known"));
  CHECK(has(refusal_of("x := x 0 1 higher pos"), "step 'pos' that is not known"));
  CHECK(has(refusal_of("x := x 0 1 up tp"), "the direction 'up'"));
  CHECK(has(refusal_of("x := x 1 0 up tp"), "the range up to"));
  CHECK(has(refusal_of("x := x nan 0 up tp"), "the end of a range 'nan'"));
  CHECK(has(refusal_of("x := x 0"), "the end of a range '\"\"'"));
  CHECK(has(refusal_of("x := x/y 0 1 higher tp"), "the name 'x/y'"));
  CHECK(has(refusal_of("x := "), "the name '\"\"'"));
  CHECK(has(refusal_of("y := x 0 1 higher tp"), "'y' is no average of 'x'"));
  CHECK(has(refusal_of("x(2) := x 0 1 higher tp"), "'x' takes no parameter"));
  CHECK(has(refusal_of("x_geometric := x -1 1 higher tp"), "x can be negative"));
  CHECK(refusal_of(nested(64)).empty());
  CHECK(has(refusal_of(nested(65)), "nests more than 64 deep"));
  std::string steps = "x := x -inf inf higher tp";
  for (int i = 0; i < 999; ++i) steps += " neg";
  CHECK(refusal_of(steps).empty());
  CHECK(has(refusal_of(steps + " neg"), "more than 1000 steps"));
  CHECK(has(refusal_of("x := x 0 1 higher 0." + std::string(40'000, '1')), "wanted at most 32768"));
}

TEST_CASE("own rows: a definition is one row, whichever thread sees it first") {
  std::vector<std::int32_t> found(8);
  std::vector<std::thread> threads;
  for (std::int32_t& row : found) {
    threads.emplace_back([&row] { row = own_row_of("shared 0 inf neither tp fn +"); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::int32_t row : found) CHECK(row == found[0]);
  CHECK(own_row_of("shared 0 inf lower tp fn +") != found[0]);
  CHECK(own_row(found[0]).facts.name == "shared");
}

}  // namespace confmat::metrics
