// Weights, counts and ordered categories through the ABI.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "confmat/base/exact_sum.hpp"
#include "confmat/state/counts.hpp"
#include "support/fake_host.hpp"

namespace confmat::host {
namespace {

const std::vector<std::string> kMetrics = {"accuracy", "recall_macro", "f1_macro", "mcc"};

Request weighted(std::optional<Labels> labels, bool has_weights = true) {
  Request out;
  out.metrics = kMetrics;
  out.labels = std::move(labels);
  out.weighted = has_weights;
  out.bucket = true;
  return out;
}

// The Struct of encode and finish, one row a group.
Outcome grouped(const std::vector<Series>& columns, const std::vector<std::vector<std::size_t>>& by,
                const Request& request) {
  const Outcome codes = run(kEncode, columns, kwargs(request));
  REQUIRE_MESSAGE(codes.ok(), codes.error);
  Outcome out = run(kLabelMetrics, {lists(codes.value, by, {.offset = 1})}, kwargs(request));
  REQUIRE_MESSAGE(out.ok(), out.error);
  return out;
}

// Field `m` of row `i` as a double; nan where null.
double number(const Outcome& out, std::size_t m, std::size_t i) {
  const Array& field = out.array().children.at(m);
  return field.valid(i) ? field.value<double>(i) : std::nan("");
}

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

Texts as_texts(const Ints& values) {
  Texts out;
  for (const auto& value : values) {
    out.emplace_back();
    if (value) out.back() = "label number " + std::to_string(1000 + *value);
  }
  return out;
}

Labels texts_of(const Labels& labels) {
  const Ints values(labels.ints.begin(), labels.ints.end());
  Labels out = text_labels({});
  for (const auto& text : as_texts(values)) out.texts.push_back(*text);
  return out;
}

struct Sample {
  Ints y[2];
  Doubles weights;
  std::vector<std::vector<std::size_t>> groups;
};

Sample sample(Random& random, std::size_t n, std::size_t k, bool whole) {
  Sample out;
  out.groups.resize(1 + random.below(5));
  for (std::size_t i = 0; i < n; ++i) {
    for (auto& side : out.y) {
      side.emplace_back(static_cast<std::int64_t>(random.below(k)));
      if (random.chance(15)) side.back().reset();
    }
    const auto weight = static_cast<double>(1 + random.below(4));
    out.weights.emplace_back(whole ? weight : weight / 7 * std::pow(10.0, random.below(20)));
    if (random.chance(15)) out.weights.back().reset();
    out.groups[random.below(out.groups.size())].push_back(i);
  }
  return out;
}

}  // namespace

TEST_CASE("weights: whole ones are repetitions of rows") {
  Random random(51);
  for (const std::size_t k : std::vector<std::size_t>{2, 10, 300}) {
    for (int trial = 0; trial < 8; ++trial) {
      const Sample one = sample(random, k == 300 ? 1500 : 200, k, true);
      Ints repeated[2];
      std::vector<std::vector<std::size_t>> groups;
      for (const auto& group : one.groups) {
        groups.emplace_back();
        for (const auto row : group) {
          if (!one.weights[row]) continue;
          for (double r = 0; r < *one.weights[row]; ++r) {
            groups.back().push_back(repeated[0].size());
            for (std::size_t side = 0; side < 2; ++side) {
              repeated[side].push_back(one.y[side][row]);
            }
          }
        }
      }
      for (const bool known : {false, true}) {
        const auto labels = known ? std::optional(first_labels(k)) : std::nullopt;
        const Outcome a = grouped({integers("i", one.y[0]), integers("l", one.y[1], {.offset = 2}),
                                   floats("g", one.weights, {.offset = 5})},
                                  one.groups, weighted(labels));
        const Outcome b = grouped({integers("i", repeated[0]), integers("l", repeated[1])}, groups,
                                  weighted(labels, false));
        for (std::size_t g = 0; g < groups.size(); ++g) {
          const auto n = b.array().children[0].value<std::int64_t>(g);
          CHECK(number(a, 0, g) == static_cast<double>(n));
          for (std::size_t m = 3; m < 3 + kMetrics.size(); ++m) {
            CHECK(same(number(a, m, g), number(b, m, g)));
          }
        }
      }
    }
  }
}

TEST_CASE("weights: exact sums, whatever the order, the chunks and the way") {
  Random random(52);
  for (const std::size_t k : std::vector<std::size_t>{2, 10, 20}) {
    for (int trial = 0; trial < 10; ++trial) {
      Sample one = sample(random, 300, k, false);
      const auto run_ints = [&](std::optional<Labels> labels, const Layout& layout) {
        return grouped({integers("c", one.y[0], layout), integers("i", one.y[1]),
                        floats("g", one.weights, layout)},
                       one.groups, weighted(std::move(labels)));
      };
      const auto run_texts = [&](std::optional<Labels> labels) {
        return grouped({texts(as_texts(one.y[0])), categories("I", as_texts(one.y[1])),
                        floats("g", one.weights)},
                       one.groups, weighted(std::move(labels)));
      };
      std::vector<Outcome> all;
      all.push_back(run_ints(first_labels(k), {}));
      all.push_back(run_ints(std::nullopt, {.chunks = {100, 0, 7, 193}, .offset = 9}));
      all.push_back(run_texts(texts_of(first_labels(k))));
      all.push_back(run_texts(std::nullopt));
      for (auto& group : one.groups) std::ranges::reverse(group);
      all.push_back(run_ints(first_labels(k), {.chunks = {299, 1}}));
      all.push_back(run_texts(std::nullopt));
      for (std::size_t g = 0; g < one.groups.size(); ++g) {
        std::map<std::pair<std::int64_t, std::int64_t>, ExactSum> cells;
        std::int64_t dropped = 0;
        for (const auto row : one.groups[g]) {
          const bool valid = one.y[0][row] && one.y[1][row] && one.weights[row];
          if (valid) cells[{*one.y[0][row], *one.y[1][row]}].add(*one.weights[row]);
          dropped += valid ? 0 : 1;
        }
        ExactSum n;  // of the cells, each rounded once
        for (const auto& [pair, sum] : cells) n.add(sum.value());
        for (const auto& out : all) {
          CHECK(number(out, 0, g) == n.value());
          CHECK(out.array().children[1].value<std::int64_t>(g) == dropped);
          for (std::size_t m = 3; m < 3 + kMetrics.size(); ++m) {
            CHECK(same(number(out, m, g), number(all[0], m, g)));
          }
        }
      }
    }
  }
}

TEST_CASE("weights: every type of numbers, one for all rows, and none of the rows") {
  const Series y = integers("l", {0, 1, 1, 0});
  const std::vector<std::vector<std::size_t>> all = {{0, 1, 2, 3}};
  for (const bool known : {false, true}) {
    const Request request = weighted(known ? std::optional(first_labels(2)) : std::nullopt);
    for (const char* format : {"c", "C", "s", "S", "i", "I", "l", "L"}) {
      CHECK(number(grouped({y, y, integers(format, {1, 2, 3, 4})}, all, request), 0, 0) == 10);
    }
    CHECK(number(grouped({y, y, booleans({1, 0, 1, 1})}, all, request), 0, 0) == 3);
    CHECK(number(grouped({y, y, floats("f", {0.5, 1, 1, 1})}, all, request), 0, 0) == 3.5);
    CHECK(number(grouped({y, y, floats("g", {0.25})}, all, request), 0, 0) == 1);
    const Outcome one =
        grouped({integers("l", {1}), integers("l", {1}), floats("g", {1, 2, 3, 4})}, all, request);
    CHECK(number(one, 0, 0) == 10);
    const Outcome none = grouped({y, y, floats("g", {0, 0, 0, 0})}, all, request);
    CHECK(number(none, 0, 0) == 0);
    CHECK(std::isnan(number(none, 3, 0)));
    const Outcome nothing = grouped({y, y, nulls(4)}, all, request);
    CHECK(nothing.array().children[1].value<std::int64_t>(0) == 4);
  }
}

TEST_CASE("states: the matrices of a count by hand") {
  Random random(53);
  for (const std::size_t k : std::vector<std::size_t>{1, 2, 10, 14, 15, 300}) {
    const Sample one = sample(random, 400, k + 1, true);  // one label is outside
    Request request = weighted(first_labels(k), false);
    request.metrics.clear();
    const Bytes spec = kwargs(request);
    const Outcome codes = run(
        kEncode, {integers("l", one.y[0], {.chunks = {1, 399}}), integers("l", one.y[1])}, spec);
    REQUIRE_MESSAGE(codes.ok(), codes.error);
    const Outcome out = run(
        kLabelState, {lists(codes.value, one.groups, {.chunks = {0, one.groups.size()}})}, spec);
    REQUIRE_MESSAGE(out.ok(), out.error);
    REQUIRE(out.array().size() == one.groups.size());
    for (std::size_t g = 0; g < one.groups.size(); ++g) {
      std::vector<std::int64_t> wanted(k * k);
      for (const auto row : one.groups[g]) {
        const auto i = one.y[0][row].value_or(-1);
        const auto j = one.y[1][row].value_or(-1);
        const auto most = static_cast<std::int64_t>(k);
        if (i < 0 || j < 0 || i >= most || j >= most) continue;
        ++wanted[static_cast<std::size_t>(i * most + j)];
      }
      const std::string bytes = out.array().text(g);
      const Counts state =
          decode_counts({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
      std::vector<std::int64_t> cells(k * k);
      for (std::size_t i = 0; i < state.held(); ++i) {
        cells[static_cast<std::size_t>(state.place(i))] = state.cells[i];
      }
      CHECK(cells == wanted);
    }
  }
}

TEST_CASE("enums: classes stand in the order of their categories") {
  const std::vector<std::string> order = {"low", "middle", "high"};
  const Texts y_true = {"low", "high", "middle", "low", std::nullopt, "high"};
  const Texts y_pred = {"low", "middle", "high", "high", "low", "high"};
  Request request;
  request.metrics = {"accuracy", "kappa_linear"};
  const std::vector<std::vector<std::size_t>> all = {{0, 1, 2, 3, 4, 5}};
  const Outcome ordered = grouped(
      {enumeration(order, y_true, {.chunks = {2, 4}}), enumeration(order, y_pred)}, all, request);
  request.labels = text_labels(order);
  const Outcome wanted = grouped({texts(y_true), texts(y_pred)}, all, request);
  request.labels = std::nullopt;
  const Outcome sorted = grouped({texts(y_true), texts(y_pred)}, all, request);
  CHECK(number(ordered, 3, 0) == number(wanted, 3, 0));
  CHECK(number(ordered, 4, 0) == number(wanted, 4, 0));
  CHECK(number(ordered, 4, 0) != number(sorted, 4, 0));
  // Enums with other categories are texts.
  const Outcome mixed = grouped(
      {enumeration(order, y_true), enumeration({"high", "low", "middle"}, y_pred)}, all, request);
  CHECK(number(mixed, 4, 0) == number(sorted, 4, 0));

  const Series weights = floats("g", {0.1, 0.7, std::nullopt, 3, 1, 0.2});
  request.weighted = true;
  const Outcome weighted_enum =
      grouped({enumeration(order, y_true), enumeration(order, y_pred), weights}, all, request);
  request.labels = text_labels(order);
  const Outcome weighted_texts = grouped({texts(y_true), texts(y_pred), weights}, all, request);
  for (const std::size_t m : std::vector<std::size_t>{0, 3, 4}) {
    CHECK(number(weighted_enum, m, 0) == number(weighted_texts, m, 0));
  }
  for (const std::size_t m : std::vector<std::size_t>{1, 2}) {
    CHECK(weighted_enum.array().children[m].value<std::int64_t>(0) ==
          weighted_texts.array().children[m].value<std::int64_t>(0));
  }
}

TEST_CASE("enums: the positive class is a category or none") {
  const std::vector<std::string> order = {"no", "yes"};
  const Texts y_true = {"no", "yes", "yes", "no"};
  const Texts y_pred = {"yes", "yes", "no", "no"};
  const std::vector<Series> columns = {enumeration(order, y_true), enumeration(order, y_pred)};
  const std::vector<std::vector<std::size_t>> groups = {{0, 1}, {}, {2, 3, 1}};
  Request request;
  request.metrics = {"recall", "precision", "accuracy"};
  for (const auto& positive : order) {
    request.positive = text_labels({positive});
    request.labels = std::nullopt;
    const Outcome found = grouped(columns, groups, request);
    request.labels = text_labels(order);
    const Outcome wanted = grouped(columns, groups, request);
    for (std::size_t g = 0; g < groups.size(); ++g) {
      for (std::size_t m = 3; m < 6; ++m) {
        CHECK(same(number(found, m, g), number(wanted, m, g)));
      }
    }
  }
  request.labels = std::nullopt;
  // Neither an unknown name nor the position of a category may pass for one.
  for (const char* absent : {"maybe", "1", "0"}) {
    request.positive = text_labels({absent});
    const Outcome codes = run(kEncode, columns, kwargs(request));
    REQUIRE_MESSAGE(codes.ok(), codes.error);
    const Outcome out = run(kLabelMetrics, {lists(codes.value, groups)}, kwargs(request));
    CHECK(out.error.find("pos_label") != std::string::npos);
  }
}

}  // namespace confmat::host
