// Tables of slices: order, merges, hostile bytes.
#include "confmat/state/slice_table.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "confmat/base/error.hpp"
#include "confmat/state/counts.hpp"
#include "confmat/state/state_difference.hpp"
#include "confmat/state/state_sum.hpp"
#include "support/damaged_bytes.hpp"
#include "support/fake_host.hpp"

using confmat::Counts;
using confmat::decode_table;
using confmat::encode;
using confmat::InputError;
using confmat::KeyColumn;
using confmat::KeyKind;
using confmat::KeyValues;
using confmat::LabelSet;
using confmat::merged;
using confmat::Origin;
using confmat::SliceTable;
using confmat::StateError;
using confmat::taken_away;
using confmat::host::Bytes;
using confmat::host::check_changed_ones;
using confmat::host::check_refused_when_damaged;
using confmat::host::int_labels;
using confmat::host::Random;

namespace {

Bytes counts(std::int64_t n, bool of_other_labels = false) {
  Counts out;
  out.labels = std::make_shared<const LabelSet>(
      LabelSet{int_labels({0, of_other_labels ? 2 : 1}), Origin::kGiven, 0});
  out.rows.counted = n;
  out.cells = std::vector<std::int64_t>{n, 0, 0, 0};
  return encode(out);
}

// A table that keeps the states that it points to.
struct Kept {
  std::vector<Bytes> states;
  SliceTable table;
};

struct Row {
  std::int64_t number;  // negative: null
  const char* text;     // null pointer: null
  std::int64_t n;       // 0: a null state
};

Kept kept(const std::vector<Row>& rows, const char* asked = "{}") {
  Kept out;
  SliceTable& table = out.table;
  table.head = {
      asked, {{"number", "Int64", KeyKind::kInt}, {"text", "String", KeyKind::kText}}, {"state"}};
  table.totals["left_out"] = static_cast<std::int64_t>(rows.size());
  table.rows = rows.size();
  table.keys.resize(2);
  table.states.resize(1);
  for (const Row& row : rows) {
    const bool no_number = row.number < 0, no_text = row.text == nullptr;
    table.keys[0].nulls.push_back(no_number ? 1 : 0);
    table.keys[0].ranks.push_back(no_number ? 0 : confmat::rank_of_int(row.number));
    table.keys[1].nulls.push_back(no_text ? 1 : 0);
    table.keys[1].texts.push_back(no_text ? "" : row.text);
    out.states.push_back(row.n == 0 ? Bytes() : counts(row.n));
  }
  for (const Bytes& state : out.states) table.states[0].push_back(state);
  return out;
}

Bytes table_of(const std::vector<Row>& rows) {
  const Kept one = kept(rows);
  return merged({&one.table, 1});
}

std::vector<Bytes> valid_tables() {
  Kept none = kept({});
  none.table.head.keys.clear();
  none.table.keys.clear();
  return {table_of({}), merged({&none.table, 1}),
          table_of({{1, "a", 5}, {1, nullptr, 300}, {-1, "", 0}, {0, "b", 7}})};
}

}  // namespace

TEST_CASE("tables: numbers keep their order as ranks, and come back") {
  const std::int64_t ints[] = {INT64_MIN, -1, 0, 1, INT64_MAX};
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK(confmat::int_of_rank(confmat::rank_of_int(ints[i])) == ints[i]);
    if (i > 0) CHECK(confmat::rank_of_int(ints[i - 1]) < confmat::rank_of_int(ints[i]));
  }
  const double floats[] = {-HUGE_VAL, -1e308, -5e-324, 0.0, 5e-324, 0.1, HUGE_VAL};
  for (std::size_t i = 0; i < 7; ++i) {
    CHECK(confmat::float_of_rank(confmat::rank_of_float(floats[i])) == floats[i]);
    if (i > 0) CHECK(confmat::rank_of_float(floats[i - 1]) < confmat::rank_of_float(floats[i]));
  }
  CHECK(confmat::rank_of_float(-0.0) == confmat::rank_of_float(0.0));
  CHECK(confmat::rank_of_float(-std::nan("1")) == confmat::rank_of_float(std::nan("2")));
  CHECK(confmat::rank_of_float(std::nan("")) > confmat::rank_of_float(HUGE_VAL));
}

TEST_CASE("tables: slices are sorted, nulls last, and those of one key are one") {
  const Bytes bytes =
      table_of({{-1, "a", 1}, {3, nullptr, 2}, {3, "b", 4}, {0, "z", 8}, {3, "b", 16}});
  const SliceTable table = decode_table(bytes);
  REQUIRE(table.rows == 4);
  CHECK(table.keys[0].ranks[0] == confmat::rank_of_int(0));
  CHECK(table.keys[1].texts[1] == "b");
  CHECK(table.keys[1].is_null(2));
  CHECK(table.keys[0].is_null(3));
  CHECK(confmat::decode_counts(table.states[0][1]).cells[0] == 20);
  CHECK((merged({&table, 1}) == bytes));
}

TEST_CASE("tables: any split, order and number of threads give the same bytes") {
  Random random(5);
  const char* const texts[] = {"a", "b", "long enough to be none of the short ones", nullptr};
  for (const std::size_t n : {std::size_t{40}, std::size_t{30'000}}) {
    std::vector<Row> rows;
    for (std::size_t i = 0; i < n; ++i) {
      rows.push_back({static_cast<std::int64_t>(random.below(n / 2)) - 1, texts[random.below(4)],
                      static_cast<std::int64_t>(random.below(100))});
    }
    const Bytes whole = table_of(rows);
    std::vector<Bytes> saved;
    for (std::size_t part = 0; part < 5; ++part) {
      std::vector<Row> some;
      for (std::size_t i = part; i < n; i += 5) some.push_back(rows[i]);
      saved.push_back(table_of(some));
    }
    for (const int threads : {1, 3}) {
      std::vector<SliceTable> tables;
      for (const Bytes& one : saved) tables.push_back(decode_table(one));
      CHECK((merged(tables, threads) == whole));
    }
    confmat::StateSum sum;
    for (const Bytes& one : saved) sum.add(one);
    CHECK((sum.take() == whole));
    CHECK((confmat::StateDifference{}.of(whole, saved[0]) != whole));
    const std::vector<SliceTable> two = {decode_table(whole), decode_table(saved[0])};
    CHECK((confmat::StateDifference{}.of(merged(two), saved[0]) == whole));
  }
}

TEST_CASE("tables: a sum of states is written in the form of its content") {
  Counts one;
  one.labels = std::make_shared<const LabelSet>(LabelSet{int_labels({0, 1}), Origin::kGiven, 0});
  for (const std::int64_t n :
       std::vector<std::int64_t>{1, 100, 200, 40'000, 3'000'000'000}) {  // all cells, or the two
    one.rows.counted = 2 * n;
    one.cells = std::vector<std::int64_t>{n, 0, 0, n};
    const Bytes saved = encode(one);
    confmat::StateSum sum;
    for (int time = 0; time < 3; ++time) {  // those after the first with what it has left
      sum.add(saved);
      sum.add(saved);
      CHECK((sum.take() == encode(added(one, one))));
    }
  }
}

TEST_CASE("tables: what does not go together is refused") {
  const Kept one = kept({{1, "a", 5}}), other = kept({{1, "a", 5}}, "{\"by\":1}");
  const std::vector<SliceTable> differ = {one.table, other.table};
  CHECK_THROWS_AS(static_cast<void>(merged(differ)), InputError);
  CHECK_THROWS_AS(static_cast<void>(merged({})), InputError);
  CHECK_THROWS_AS(static_cast<void>(taken_away(one.table, other.table)), InputError);
  SliceTable labels = one.table;
  const Bytes state = counts(5, true);
  labels.states[0][0] = state;
  const std::vector<SliceTable> of_labels = {one.table, labels};
  CHECK_THROWS_AS(static_cast<void>(merged(of_labels)), InputError);
  SliceTable nested = one.table;
  const Bytes table = table_of({});
  nested.states[0][0] = table;
  CHECK_THROWS_AS(static_cast<void>(decode_table(merged({&nested, 1}))), StateError);
  CHECK_THROWS_AS(confmat::check_slice_state(table), StateError);
}

TEST_CASE("bytes of tables: every prefix, every bit and bytes behind the last are refused") {
  check_refused_when_damaged(valid_tables(),
                             [](const Bytes& of) { static_cast<void>(decode_table(of)); });
}

TEST_CASE("bytes of tables: changed ones with a right checksum are refused, or written as read") {
  check_changed_ones(valid_tables(), 30'000, 3, [](const Bytes& bytes) {
    const SliceTable table = decode_table(bytes);
    Bytes again;
    CHECK_NOTHROW(again = merged({&table, 1}));
    CHECK((again == bytes));
  });
}
