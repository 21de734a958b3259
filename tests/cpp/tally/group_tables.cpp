// Tables of groups: against a count a group, for any keys.
#include <doctest/doctest.h>

#include <numeric>

#include "confmat/tally/groups.hpp"
#include "support/columns.hpp"

using namespace test;
using confmat::Chunks;
using confmat::count_groups;
using confmat::group_key;
using confmat::GroupKey;
using confmat::GroupOptions;

namespace {

// Of values, a null at the end.
struct Found {
  std::vector<std::vector<std::optional<std::int64_t>>> keys;  // group by group
  std::vector<std::int64_t> cells;

  bool operator==(const Found&) const = default;
};

std::optional<Found> groups_of(const std::vector<Chunks>& columns, Chunks y_true, Chunks y_pred,
                               const Labels& labels, const GroupOptions& options) {
  std::vector<GroupKey> keys;
  for (const Chunks column : columns) {
    auto key = group_key(column, options.threads);
    if (!key) return std::nullopt;
    keys.push_back(std::move(*key));
  }
  auto tables = count_groups(keys, y_true, y_pred, labels, options);
  if (!tables) return std::nullopt;
  Found found{.keys = {}, .cells = std::move(tables->cells)};
  for (std::size_t g = 0; g < static_cast<std::size_t>(tables->groups); ++g) {
    auto& values = found.keys.emplace_back();
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const std::uint32_t number = tables->numbers[i][g];
      if (number == keys[i].null()) {
        values.push_back(std::nullopt);
      } else {
        const Labels& listed = keys[i].listed;
        values.push_back(!keys[i].set                         ? keys[i].base + number
                         : listed.kind == Labels::Kind::kText ? std::stoll(listed.texts[number])
                                                              : listed.ints[number]);
      }
    }
  }
  return found;
}

bool nulls_last(const std::vector<std::optional<std::int64_t>>& a,
                const std::vector<std::optional<std::int64_t>>& b) {
  return std::ranges::lexicographical_compare(a, b, [](const auto& x, const auto& y) {
    return x && y ? *x < *y : x.has_value() && !y.has_value();
  });
}

Found naive_groups(const std::vector<Ints>& keys, const Ints& t, const Ints& p, std::int64_t k) {
  std::map<std::vector<std::optional<std::int64_t>>, std::vector<std::int64_t>,
           decltype(&nulls_last)>
      tables(nulls_last);
  const auto side = static_cast<std::size_t>(k + 2);
  for (std::size_t i = 0; i < t.size(); ++i) {
    std::vector<std::optional<std::int64_t>> values;
    for (const Ints& key : keys) values.push_back(key[i]);
    auto& table = tables[values];
    table.resize(side * side);
    const auto class_of = [k](const std::optional<std::int64_t>& value) {
      if (!value) return static_cast<std::size_t>(k + 1);
      return static_cast<std::size_t>(*value >= 0 && *value < k ? *value : k);
    };
    ++table[class_of(t[i]) * side + class_of(p[i])];
  }
  Found found;
  for (const auto& [values, table] : tables) {
    found.keys.push_back(values);
    found.cells.insert(found.cells.end(), table.begin(), table.end());
  }
  return found;
}

}  // namespace

TEST_CASE("tables of groups agree with a naive count: key types, nulls, cuts, threads") {
  std::mt19937_64 random(51);
  struct Case {
    DType type;
    std::int64_t low;
    std::int64_t high;
  };
  for (const Case& one :
       {Case{DType::kInt8, -128, 127}, Case{DType::kUInt8, 250, 255},
        Case{DType::kInt16, -300, 900}, Case{DType::kUInt32, 4'000'000'000, 4'000'000'100},
        Case{DType::kInt64, INT64_MIN, INT64_MIN + 40}, Case{DType::kUInt64, 7, 7},
        Case{DType::kBool8, 0, 1}, Case{DType::kBoolBits, 0, 1}}) {
    for (const std::int64_t k : {2, 10, 20, 256}) {
      for (const int null_percent : {0, 10}) {
        const std::size_t n = k == 10 ? 300'000 : 5000;
        const Ints key = random_ints(n, one.low, one.high, null_percent, random);
        const Ints t = random_ints(n, 0, k, null_percent, random);
        const Ints p = random_ints(n, -1, k - 1, 0, random);
        Labels labels;
        for (std::int64_t i = 0; i < k; ++i) labels.ints.push_back(i);
        Memory memory;
        const Column a = memory.ints(key, one.type, {.bit_offset = 3, .null_offset = 13});
        const Column b = memory.ints(t, DType::kInt32);
        const Column c = memory.ints(p, DType::kInt16);
        const Found wanted = naive_groups({key}, t, p, k);
        for (const int threads : {1, 2}) {
          GroupOptions options;
          options.threads = threads;
          options.max_bytes = std::int64_t{1} << 31;
          const auto cut = chunks(a, 4, random);
          const auto found =
              groups_of({cut}, chunks(b, 3, random), chunks(c, 2, random), labels, options);
          REQUIRE(found.has_value());
          REQUIRE(*found == wanted);
        }
      }
    }
  }
}

TEST_CASE("tables of several keys, texts and dictionaries among them") {
  std::mt19937_64 random(52);
  Labels labels;
  labels.ints = {0, 1, 2};
  for (const std::size_t n : {std::size_t{1}, std::size_t{70}, std::size_t{20'000}}) {
    for (const int null_percent : {0, 15}) {
      // Of four digits, so that texts are ordered as numbers are.
      const Ints texts = random_ints(n, 1000, 1300, null_percent, random);
      Ints keys = random_ints(n, 0, 4, null_percent, random);
      const Ints days = random_ints(n, -20, 11, null_percent, random);
      const Ints t = random_ints(n, 0, 2, 5, random);
      const Ints p = random_ints(n, 0, 3, 5, random);
      const auto names = [](const Ints& values) {
        Texts out;
        for (const auto& value : values) {
          out.push_back(value ? std::optional(std::to_string(*value)) : std::nullopt);
        }
        return out;
      };
      Memory memory;
      const Column b = memory.ints(t, DType::kInt8);
      const Column c = memory.ints(p, DType::kInt64);
      const Column d = memory.ints(days, DType::kInt32);
      const Column known = memory.texts({"1000", "1001", "1002", "1003", "1004"});
      const Column e = memory.keys(keys, DType::kUInt8, known);
      for (auto& key : keys) key = key ? std::optional(*key + 1000) : std::nullopt;
      for (const TextLayout layout :
           {TextLayout::kOffsets32, TextLayout::kOffsets64, TextLayout::kView}) {
        const Column a = memory.texts(names(texts), {.layout = layout});
        for (const int threads : {1, 2}) {
          GroupOptions options;
          options.threads = threads;
          options.max_bytes = std::int64_t{1} << 31;
          const auto cut = chunks(a, 3, random);
          const auto other = chunks(d, 4, random);
          const auto found = groups_of({cut, {&e, 1}, other}, {&b, 1}, {&c, 1}, labels, options);
          REQUIRE(found.has_value());
          REQUIRE(*found == naive_groups({texts, keys, days}, t, p, 3));
        }
      }
    }
  }
}

TEST_CASE("keys that no dense table can hold") {
  Memory memory;
  Labels labels;
  labels.ints = {0, 1};
  const Column y = memory.ints({0, 1, 0}, DType::kInt8);
  const auto groups = [&](const Column& key, GroupOptions options = {}) {
    return groups_of({{&key, 1}}, {&y, 1}, {&y, 1}, labels, options);
  };
  CHECK_FALSE(groups(memory.ints({0, 1, INT64_MAX}, DType::kInt64)).has_value());
  CHECK_FALSE(groups(memory.ints({INT64_MIN, 1, INT64_MAX}, DType::kInt64)).has_value());
  CHECK_FALSE(groups(memory.ints({0, 1, -1}, DType::kUInt64)).has_value());
  CHECK_FALSE(groups(memory.doubles({1, 2, 3})).has_value());
  CHECK_FALSE(groups(memory.ints({0, 1, 1000}, DType::kInt64), {.max_bytes = 100'000}).has_value());
  CHECK(groups(memory.ints({0, 1, 1000}, DType::kInt64), {.max_bytes = 200'000}).has_value());
  const auto nulls = groups(memory.ints({{}, {}, {}}, DType::kNull));
  REQUIRE(nulls.has_value());
  REQUIRE(nulls->keys.size() == 1);
  CHECK_FALSE(nulls->keys[0][0].has_value());
  CHECK(nulls->cells[0] == 2);
  const auto none = groups_of({{}}, {}, {}, labels, {});
  REQUIRE(none.has_value());
  CHECK(none->cells.empty());
  CHECK_THROWS_AS(groups(memory.ints({0, 1}, DType::kInt64)), InputError);
}

TEST_CASE("groups: what fewer keys make is what counting by them alone gives") {
  const Ints first{2, 0, {}, 2, 0, 2, {}, 0}, second{7, 7, 8, {}, 9, 7, 8, 9};
  const Ints truth{0, 1, 1, 0, {}, 1, 0, 1}, prediction{0, 1, 0, 2, 1, 1, {}, 1};
  const Labels labels{Labels::Kind::kInt, {0, 1}, {}};
  Memory memory;
  const Column a[] = {memory.ints(first, DType::kInt32)};
  const Column b[] = {memory.ints(second, DType::kInt64)};
  const Column t[] = {memory.ints(truth, DType::kInt8)};
  const Column p[] = {memory.ints(prediction, DType::kInt8)};
  std::vector<GroupKey> keys;
  for (const Chunks column : {Chunks(a), Chunks(b)}) keys.push_back(*group_key(column, 1));
  const auto finest = count_groups(keys, t, p, labels, {.threads = 1});
  REQUIRE(finest);
  for (const std::size_t kept : {std::size_t{0}, std::size_t{1}}) {
    const std::size_t positions[] = {kept};
    const auto found = confmat::roll_up(*finest, keys, positions);
    const auto wanted = count_groups({&keys[kept], 1}, t, p, labels, {.threads = 1});
    REQUIRE(wanted);
    CHECK(found.groups == wanted->groups);
    CHECK((found.numbers[kept] == wanted->numbers[0]));
    CHECK(found.numbers[1 - kept].empty());
    CHECK((found.cells == wanted->cells));
  }
  const auto all = confmat::roll_up(*finest, keys, {});
  CHECK(all.groups == 1);
  CHECK(std::accumulate(all.cells.begin(), all.cells.end(), std::int64_t{0}) == 8);
  const confmat::GroupTables nothing{
      .numbers = {{}, {}}, .groups = 0, .side = finest->side, .cells = {}};
  CHECK(confmat::roll_up(nothing, keys, {}).groups == 1);
}
