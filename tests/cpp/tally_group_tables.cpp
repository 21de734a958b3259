#include <doctest/doctest.h>

#include "confmat/base/error.hpp"
#include "confmat/tally/groups.hpp"
#include "tally_columns.hpp"

using namespace test;
using confmat::count_groups;
using confmat::GroupOptions;
using confmat::GroupTables;
using confmat::InputError;
using confmat::Labels;

namespace {

GroupTables naive_groups(const Ints& key, const Ints& t, const Ints& p, std::int64_t k) {
  std::map<std::optional<std::int64_t>, std::vector<std::int64_t>> tables;
  const auto side = static_cast<std::size_t>(k + 2);
  for (std::size_t i = 0; i < key.size(); ++i) {
    auto& table = tables[key[i]];
    table.resize(side * side);
    const auto class_of = [k](const std::optional<std::int64_t>& value) {
      if (!value) return static_cast<std::size_t>(k + 1);
      return static_cast<std::size_t>(*value >= 0 && *value < k ? *value : k);
    };
    ++table[class_of(t[i]) * side + class_of(p[i])];
  }
  GroupTables groups;
  groups.side = k + 2;
  for (const auto& [one, table] : tables) {
    if (!one) continue;
    groups.keys.push_back(*one);
    groups.cells.insert(groups.cells.end(), table.begin(), table.end());
  }
  if (const auto null = tables.find(std::nullopt); null != tables.end()) {
    groups.has_null_key = true;
    groups.cells.insert(groups.cells.end(), null->second.begin(), null->second.end());
  }
  return groups;
}

bool same(const GroupTables& a, const GroupTables& b) {
  return a.keys == b.keys && a.has_null_key == b.has_null_key && a.side == b.side &&
         a.cells == b.cells;
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
        const GroupTables wanted = naive_groups(key, t, p, k);
        for (const int threads : {1, 2}) {
          GroupOptions options;
          options.threads = threads;
          options.max_bytes = std::int64_t{1} << 31;
          const auto found = count_groups(chunks(a, 4, random), chunks(b, 3, random),
                                          chunks(c, 2, random), labels, options);
          REQUIRE(found.has_value());
          REQUIRE(same(*found, wanted));
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
    return count_groups({&key, 1}, {&y, 1}, {&y, 1}, labels, options);
  };
  CHECK_FALSE(groups(memory.ints({0, 1, INT64_MAX}, DType::kInt64)).has_value());
  CHECK_FALSE(groups(memory.ints({INT64_MIN, 1, INT64_MAX}, DType::kInt64)).has_value());
  CHECK_FALSE(groups(memory.ints({0, 1, -1}, DType::kUInt64)).has_value());
  CHECK_FALSE(groups(memory.texts({"a", "b", "c"})).has_value());
  CHECK_FALSE(groups(memory.doubles({1, 2, 3})).has_value());
  CHECK_FALSE(groups(memory.ints({0, 1, 1000}, DType::kInt64), {.max_bytes = 100'000}).has_value());
  CHECK(groups(memory.ints({0, 1, 1000}, DType::kInt64), {.max_bytes = 200'000}).has_value());
  const auto nulls = groups(memory.ints({{}, {}, {}}, DType::kNull));
  REQUIRE(nulls.has_value());
  CHECK(nulls->keys.empty());
  CHECK(nulls->has_null_key);
  CHECK(nulls->cells[0] == 2);
  const auto none = count_groups({}, {}, {}, labels, {});
  REQUIRE(none.has_value());
  CHECK(none->cells.empty());
  CHECK_THROWS_AS(groups(memory.ints({0, 1}, DType::kInt64)), InputError);
}
