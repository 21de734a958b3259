// The ways from columns to a row of numbers, through the ABI: encode, collect and finish; one call
// a group; partial counts, merged. All give the same bits, and the totals of a count by hand.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "support/fake_host.hpp"

namespace confmat::host {
namespace {

enum class Kind { kBool, kInt8, kUInt8, kInt32, kUInt32, kInt64, kText, kCategories };

using Classes = std::vector<std::optional<std::size_t>>;
using Rows = std::vector<std::size_t>;

struct Data {
  Classes y[2];
  std::vector<Rows> groups;
  [[nodiscard]] std::size_t size() const { return y[0].size(); }
};

Data random_data(Random& random, std::size_t n, std::size_t k, std::size_t n_groups) {
  Data out;
  for (std::size_t i = 0; i < n; ++i) {
    out.y[0].emplace_back(random.below(k));
    out.y[1].emplace_back(random.chance(2) ? *out.y[0].back() : random.below(k));
  }
  for (auto& side : out.y) {
    for (auto& one : side) {
      if (random.chance(12)) one.reset();
    }
  }
  out.groups.resize(n_groups);  // some stay empty
  for (std::size_t i = 0; i < n; ++i) out.groups[random.below(n_groups)].push_back(i);
  return out;
}

std::string text_of(std::size_t label) {
  const std::string number = std::to_string(label);
  if (label % 3 == 0) return "a label of more than twelve bytes " + number;
  return label % 3 == 1 ? "x" + number : number;
}

std::int64_t int_of(Kind kind, std::size_t label) {
  const auto value = static_cast<std::int64_t>(label);
  if (kind == Kind::kInt64) return value * 1'000'000'007 - 5;
  return kind == Kind::kInt32 ? value - 100 : value;
}

Labels labels_of(Kind kind, const Rows& classes) {
  const bool text = kind == Kind::kText || kind == Kind::kCategories;
  Labels out;
  if (text) out.kind = Labels::Kind::kText;
  if (kind == Kind::kBool) out.kind = Labels::Kind::kBool;
  for (const auto label : classes) {
    if (text) {
      out.texts.push_back(text_of(label));
    } else {
      out.ints.push_back(int_of(kind, label));
    }
  }
  return out;
}

Layout random_layout(Random& random, std::size_t n) {
  Layout out;
  out.offset = random.below(20);
  out.bitmap = random.chance(2);
  out.unknown_nulls = random.chance(2);
  if (random.chance(3)) return out;
  for (std::size_t left = n; left > 0 || random.chance(3);) {
    const std::size_t length = random.chance(4) ? 0 : random.below(left + 1);
    out.chunks.push_back(length);
    left -= length;
  }
  return out;
}

Series column_of(Random& random, Kind kind, const Classes& classes, const Rows& rows) {
  const Layout layout = random_layout(random, rows.size());
  Ints ints;
  Texts strings;
  for (const auto row : rows) {
    ints.emplace_back();
    strings.emplace_back();
    if (!classes[row]) continue;
    ints.back() = int_of(kind, *classes[row]);
    strings.back() = text_of(*classes[row]);
  }
  switch (kind) {
    case Kind::kInt8:
      return integers("c", ints, layout);
    case Kind::kUInt8:
      return integers("C", ints, layout);
    case Kind::kInt32:
      return integers("i", ints, layout);
    case Kind::kUInt32:
      return integers("I", ints, layout);
    case Kind::kInt64:
      return integers("l", ints, layout);
    case Kind::kBool:
      return booleans(ints, layout);
    case Kind::kText:
      return texts(strings, layout, 1 + random.below(3));
    case Kind::kCategories:
      return categories(random.chance(2) ? "I" : "S", strings, layout, random.below(3));
  }
  return {};
}

Rows all_rows(std::size_t n) {
  Rows out(n);
  std::iota(out.begin(), out.end(), std::size_t{0});
  return out;
}

// Row `i` of a Struct, as bits; nulls as a mark.
std::vector<std::uint64_t> row_of(const Outcome& out, std::size_t i) {
  REQUIRE_MESSAGE(out.ok(), out.error);
  std::vector<std::uint64_t> bits;
  for (const auto& field : out.array().children) {
    bits.push_back(field.valid(i) ? field.value<std::uint64_t>(i) : ~std::uint64_t{0});
  }
  return bits;
}

struct Totals {
  std::size_t n = 0, dropped = 0, other = 0, hits = 0;
};

Totals totals_of(const Data& data, const Rows& rows, const std::optional<Rows>& known) {
  Totals out;
  const auto outside = [&known](std::size_t label) {
    return known && std::ranges::find(*known, label) == known->end();
  };
  for (const auto row : rows) {
    const auto& [truth, prediction] = data.y;
    if (!truth[row] || !prediction[row]) {
      ++out.dropped;
    } else if (outside(*truth[row]) || outside(*prediction[row])) {
      ++out.other;
    } else {
      ++out.n;
      if (truth[row] == prediction[row]) ++out.hits;
    }
  }
  return out;
}

void check_paths(Random& random, Kind truth, Kind prediction, std::size_t n, std::size_t k,
                 bool known) {
  const Data data = random_data(random, n, k, 1 + random.below(6));
  Request request;
  request.metrics = {"accuracy", "recall_macro", "f1_macro", "mcc", "kappa"};
  std::optional<Rows> classes;
  if (known) {
    classes = all_rows(k > 2 ? k - 1 : k);  // one label is outside
    std::ranges::rotate(*classes, std::next(classes->begin()));
    request.labels = labels_of(truth, *classes);
    request.bucket = true;
  }
  const Bytes spec = kwargs(request);
  const auto columns = [&](const Rows& rows) {
    return std::vector<Series>{column_of(random, truth, data.y[0], rows),
                               column_of(random, prediction, data.y[1], rows)};
  };
  const Outcome codes = run(kEncode, columns(all_rows(n)), spec);
  REQUIRE_MESSAGE(codes.ok(), codes.error);
  REQUIRE(codes.array().size() == n);
  const Layout layout = random_layout(random, data.groups.size());
  const Outcome finished =
      run(kLabelMetrics, {lists(codes.value, data.groups, {.chunks = layout.chunks, .offset = 2})},
          spec);
  for (std::size_t g = 0; g < data.groups.size(); ++g) {
    const Rows& rows = data.groups[g];
    const auto row = row_of(finished, g);
    const Totals totals = totals_of(data, rows, classes);
    CAPTURE(g);
    REQUIRE(row.size() == 8);
    CHECK(row[0] == totals.n);
    CHECK(row[1] == totals.dropped);
    CHECK(row[2] == totals.other);
    const double accuracy = static_cast<double>(totals.hits) / static_cast<double>(totals.n);
    if (totals.n > 0) CHECK(row[3] == std::bit_cast<std::uint64_t>(accuracy));
    if (totals.n == 0) CHECK(row[3] == ~std::uint64_t{0});
    std::vector<Series> parts;
    for (std::size_t at = 0; at < rows.size() || parts.empty();) {
      const std::size_t end = std::min(rows.size(), at + 1 + random.below(50));
      const auto begin = rows.begin() + static_cast<std::ptrdiff_t>(at);
      const Outcome part =
          run(kPartial, columns({begin, rows.begin() + static_cast<std::ptrdiff_t>(end)}), spec);
      REQUIRE_MESSAGE(part.ok(), part.error);
      parts.push_back(part.value);
      at = end;
    }
    CHECK((row_of(run(kMerge, {concatenated(parts)}, spec), 0) == row));
  }
}

}  // namespace

TEST_CASE("paths: integers, Booleans, texts and dictionaries of any cut give the same bits") {
  Random random(41);
  const std::pair<Kind, Kind> kinds[] = {
      {Kind::kInt8, Kind::kInt8},       {Kind::kInt32, Kind::kInt32},
      {Kind::kInt64, Kind::kInt64},     {Kind::kUInt8, Kind::kInt8},
      {Kind::kInt8, Kind::kUInt32},     {Kind::kText, Kind::kText},
      {Kind::kBool, Kind::kBool},       {Kind::kBool, Kind::kUInt8},
      {Kind::kText, Kind::kCategories}, {Kind::kCategories, Kind::kCategories}};
  for (const auto& [truth, prediction] : kinds) {
    for (const bool known : {false, true}) {
      CAPTURE(static_cast<int>(truth));
      CAPTURE(static_cast<int>(prediction));
      CAPTURE(known);
      for (const std::size_t n : Rows{0, 1, 40, 300}) {
        check_paths(random, truth, prediction, n, 2, known);
        if (truth != Kind::kBool) check_paths(random, truth, prediction, n, 10, known);
      }
      const bool wide = truth >= Kind::kInt32;
      if (wide) check_paths(random, truth, prediction, 900, 300, known);
    }
  }
  CHECK(live() == 0);
}

TEST_CASE("paths: columns of nulls alone") {
  for (const auto& y_true : {nulls(3), integers("i", {1, 0, 1}), texts({"a", "b", "c"})}) {
    const Outcome codes = run(kEncode, {y_true, nulls(3)}, kwargs({}));
    REQUIRE_MESSAGE(codes.ok(), codes.error);
    const Outcome out = run(kLabelMetrics, {lists(codes.value, {{0, 1, 2}, {}})}, kwargs({}));
    CHECK((row_of(out, 0) == std::vector<std::uint64_t>{0, 3, 0, ~std::uint64_t{0}}));
    CHECK((row_of(out, 1) == std::vector<std::uint64_t>{0, 0, 0, ~std::uint64_t{0}}));
    const Outcome part = run(kPartial, {y_true, nulls(3)}, kwargs({}));
    CHECK((row_of(run(kMerge, {part.value}, kwargs({})), 0) == row_of(out, 0)));
  }
}

TEST_CASE("paths: one huge list is counted by several threads") {
  Random random(42);
  constexpr std::size_t kRows = (std::size_t{1} << 20) + 5;
  Ints y[2];
  Texts words[2];
  for (std::size_t i = 0; i < kRows; ++i) {
    for (std::size_t side = 0; side < 2; ++side) {
      const std::size_t label = random.below(20);
      y[side].emplace_back(static_cast<std::int64_t>(label) - 2);
      words[side].emplace_back(text_of(label));
    }
    if (random.chance(1000)) y[0].back().reset();
    if (random.chance(1000)) words[1].back().reset();
  }
  const std::vector<Series> integer_columns = {integers("l", y[0]), integers("i", y[1])};
  const std::vector<Series> text_columns = {texts(words[0]), categories("I", words[1])};
  Request known;
  known.labels = labels_of(Kind::kInt8, all_rows(20));
  known.bucket = true;
  const auto check = [](const std::vector<Series>& columns, const Request& request) {
    const Bytes spec = kwargs(request);
    const Outcome codes = run(kEncode, columns, spec);
    REQUIRE_MESSAGE(codes.ok(), codes.error);
    const Outcome out = run(kLabelMetrics, {lists(codes.value, {all_rows(kRows)})}, spec);
    const Outcome part = run(kPartial, columns, spec);
    REQUIRE_MESSAGE(part.ok(), part.error);
    CHECK((row_of(out, 0) == row_of(run(kMerge, {part.value}, spec), 0)));
  };
  check(integer_columns, {});
  check(integer_columns, known);
  check(text_columns, {});
}

TEST_CASE("paths: one row stands for all, however it is cut") {
  const Series column = integers("l", {0, 1, 1, 0, 1}, {.chunks = {2, 3}});
  for (const auto& request : {Request{}, Request{.labels = int_labels({0, 1})}}) {
    const Bytes spec = kwargs(request);
    const Outcome wanted = run(kEncode, {column, integers("l", {1, 1, 1, 1, 1})}, spec);
    REQUIRE(wanted.ok());
    for (const auto& chunks : {Rows{1}, Rows{0, 1}, Rows{1, 0}, Rows{0, 0, 1, 0}}) {
      const Outcome out = run(kEncode, {column, integers("l", {1}, {.chunks = chunks})}, spec);
      REQUIRE_MESSAGE(out.ok(), out.error);
      CHECK((out.array().buffers == wanted.array().buffers));
      CHECK(run(kEncode, {integers("l", {1}, {.chunks = chunks}), column}, spec).ok());
    }
    const Outcome none = run(kEncode, {integers("l", {}), integers("l", {1})}, spec);
    REQUIRE(none.ok());
    CHECK(none.array().size() == 0);
  }
}

}  // namespace confmat::host
