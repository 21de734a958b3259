// From columns of labels that nobody named to the codes of pairs, read back.
#include "confmat/evaluate/pair_coder.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "confmat/base/error.hpp"
#include "pair_tables.hpp"
#include "support/columns.hpp"
#include "support/fake_host.hpp"

using confmat::GroupTable;
using confmat::InputError;
using confmat::PairCoder;
using confmat::PairDictionary;
using confmat::PairReading;
using confmat::PairTally;
using confmat::WeightedCode;
using confmat::host::Random;
using namespace test;

namespace {

std::vector<std::uint32_t> codes_of(PairCoder& coder, const Column& y_true, const Column& y_pred) {
  std::vector<std::uint32_t> codes(
      static_cast<std::size_t>(std::max(y_true.length, y_pred.length)));
  coder.encode(y_true, y_pred, 0, codes.data());
  return codes;
}

// Labels of which `one_in` is null.
template <class Label, class Draw>
std::vector<std::optional<Label>> drawn(std::size_t n, Random& random, std::size_t one_in,
                                        const Draw& draw) {
  std::vector<std::optional<Label>> out(n);
  for (auto& value : out) {
    if (one_in == 0 || !random.chance(one_in)) value = draw();
  }
  return out;
}

template <class Label>
Expected<Label> naive_of(const std::vector<std::optional<Label>>& y_true,
                         const std::vector<std::optional<Label>>& y_pred) {
  Expected<Label> out;
  const std::size_t n = std::max(y_true.size(), y_pred.size());
  for (std::size_t i = 0; i < n; ++i) {
    out.add(y_true[y_true.size() == 1 ? 0 : i], y_pred[y_pred.size() == 1 ? 0 : i]);
  }
  return out;
}

}  // namespace

TEST_CASE("integers of any size, group after group") {
  Random random(21);
  PairDictionary dictionary;
  PairCoder coder(dictionary);
  const DType types[] = {DType::kInt8,  DType::kInt16,  DType::kInt32,   DType::kInt64,
                         DType::kUInt8, DType::kUInt64, DType::kFloat64, DType::kInt64};
  for (int trial = 0; trial < 160; ++trial) {
    Memory memory;
    const DType type = types[static_cast<std::size_t>(trial) % std::size(types)];
    const std::int64_t bits = type == DType::kInt8    ? 6
                              : type == DType::kUInt8 ? 7
                              : type == DType::kInt16 ? 14
                              : type == DType::kInt32 ? 30
                                                      : 52;
    const std::size_t n = random.below(trial % 5 == 0 ? 6000 : 300);
    const std::int64_t spread = std::int64_t{1} << (random.below(8));
    const bool far = random.chance(3);
    const bool is_signed = type != DType::kUInt8 && type != DType::kUInt64;
    const auto draw = [&] {
      const auto small = static_cast<std::int64_t>(random.below(static_cast<std::size_t>(spread)));
      if (far && random.chance(9)) return (std::int64_t{1} << bits) - small;
      return is_signed && random.chance(2) ? -small / 2 : small / 2;
    };
    const auto y_true = drawn<std::int64_t>(n, random, trial % 2 == 0 ? 0 : 7, draw);
    const auto y_pred = drawn<std::int64_t>(random.chance(9) ? 1 : n, random, 0, draw);
    if (n == 0) continue;
    const auto codes = codes_of(coder, memory.ints(y_true, type), memory.ints(y_pred, type));
    const GroupTable table = table_of(dictionary, codes);
    naive_of(y_true, y_pred).check(table, table.labels.ints, false);
  }
}

TEST_CASE("texts in every layout, from a few to very many") {
  Random random(22);
  PairDictionary dictionary;
  PairCoder coder(dictionary);
  for (int trial = 0; trial < 60; ++trial) {
    Memory memory;
    const std::size_t n = 1 + random.below(trial % 6 == 0 ? 9000 : 400);
    const std::size_t many[] = {2, 15, 300, 3000};
    const std::size_t k = many[random.below(4)];
    const auto draw = [&] {
      const std::size_t i = random.below(k);
      return std::string(i % 3 == 0 ? 0 : i % 20, 'x') + std::to_string(i);
    };
    const auto y_true = drawn<std::string>(n, random, 11, draw);
    const auto y_pred = drawn<std::string>(random.chance(9) ? 1 : n, random, 0, draw);
    Shape shape;
    shape.layout = trial % 3 == 0   ? TextLayout::kView
                   : trial % 3 == 1 ? TextLayout::kOffsets32
                                    : TextLayout::kOffsets64;
    const auto codes = codes_of(coder, memory.texts(y_true, shape), memory.texts(y_pred, shape));
    const GroupTable table = table_of(dictionary, codes);
    naive_of(y_true, y_pred).check(table, table.labels.texts, false);
  }
}

TEST_CASE("more labels than a thread keeps are still counted") {
  Random random(26);
  PairDictionary dictionary;
  PairCoder coder(dictionary);
  Memory memory;
  const auto draw = [&] { return static_cast<std::int64_t>(random.below(20'000)) * 1'000'003; };
  std::vector<std::uint32_t> codes;
  Expected<std::int64_t> naive;
  for (int call = 0; call < 8; ++call) {
    const auto y = drawn<std::int64_t>(6000, random, 0, draw);
    const Column column = memory.ints(y, DType::kInt64);
    const auto more = codes_of(coder, column, column);
    codes.insert(codes.end(), more.begin(), more.end());
    for (const auto& label : y) naive.add(label, label);
  }
  // No table has so many classes; the pairs are all there.
  const PairReading pairs = dictionary.reading();
  std::map<std::int64_t, std::size_t> found;
  for (const auto code : codes) ++found[pairs.labels(code).y_true];
  REQUIRE(found.size() == naive.rows.size());
  for (const auto& [pair, rows] : naive.rows) REQUIRE(found[pair.first] == rows.size());
}

TEST_CASE("labels that are almost all different are refused") {
  PairDictionary dictionary;
  PairCoder coder(dictionary);
  Memory memory;
  Ints y;
  for (std::int64_t i = 0; i < 200'000; ++i) y.emplace_back(1'000'000 + i);
  const Column column = memory.ints(y, DType::kInt64);
  std::vector<std::uint32_t> codes(y.size());
  CHECK_THROWS_WITH_AS(coder.encode(column, column, 0, codes.data()),
                       doctest::Contains("are they identifiers?"), InputError);
  // The next query does not suffer for it; and many queries, each of a few new labels, are none.
  for (std::int64_t query = 0; query < 400; ++query) {
    for (std::int64_t i = 0; i < 1000; ++i) {
      y[static_cast<std::size_t>(i)] = -1'000'000 - 1000 * query - i;
    }
    const Column few = memory.ints({y.begin(), y.begin() + 1000}, DType::kInt64);
    coder.encode(few, few, 0, codes.data());
    static_cast<void>(dictionary.reading());
  }
  // Small integers need no dictionary, however many.
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = static_cast<std::int64_t>(i % 32768) - 16384;
  const Column small = memory.ints(y, DType::kInt64);
  CHECK(codes_of(coder, small, small).size() == y.size());
}

TEST_CASE("pairs of an Enum come back as codes of all its categories") {
  Random random(27);
  for (const std::size_t k : std::vector<std::size_t>{1, 3, 14, 15, 300, 3000}) {
    PairDictionary dictionary;
    PairCoder coder(dictionary);
    confmat::Categories categories;
    for (std::size_t i = 0; i < k; ++i) categories.push_back("category " + std::to_string(k - i));
    Memory memory;
    const auto draw = [&] { return categories[random.below(k)]; };
    const auto y_true = drawn<std::string>(5000, random, 9, draw);
    const auto y_pred = drawn<std::string>(5000, random, 11, draw);
    std::vector<std::uint32_t> codes(5000);
    coder.encode(memory.texts(y_true), memory.texts(y_pred), 0, categories, codes.data());
    const std::size_t side = k + 2;
    std::vector<std::int64_t> wanted(side * side);
    for (std::size_t i = 0; i < codes.size(); ++i) {
      const auto place = [&](const std::string& text) {
        return static_cast<std::size_t>(std::ranges::find(categories, text) - categories.begin());
      };
      const bool known = y_true[i].has_value() && y_pred[i].has_value();
      ++wanted[known ? place(*y_true[i]) * side + place(*y_pred[i]) : side * side - 1];
      CHECK((known || codes[i] == coder.null_code(categories)));
    }
    const PairReading pairs = dictionary.reading();
    PairTally tally(pairs);
    for (int again = 0; again < 2; ++again) {
      tally.add(codes);
      const confmat::Categories* found = tally.resolve();
      REQUIRE(found != nullptr);
      CHECK(*found == categories);
      std::vector<std::int64_t> cells(side * side);
      if (again == 0) {
        tally.take_known(cells);
      } else {
        std::vector<WeightedCode> rows;
        tally.take_known(rows);
        for (const auto& row : rows) ++cells[row.code];
      }
      CHECK(cells == wanted);
    }
  }
}

TEST_CASE("the code of a null is in no window") {
  PairDictionary dictionary;
  PairCoder coder(dictionary);
  Memory memory;
  for (const std::int64_t truth : {16383, 16370, 16368}) {
    Ints y_true(2000, truth);
    Ints y_pred(2000, -16384);
    y_true[7].reset();
    y_pred[9].reset();
    const auto codes =
        codes_of(coder, memory.ints(y_true, DType::kInt64), memory.ints(y_pred, DType::kInt64));
    const GroupTable table = table_of(dictionary, codes);
    naive_of(y_true, y_pred).check(table, table.labels.ints, false);
    const auto turned =
        codes_of(coder, memory.ints(y_pred, DType::kInt64), memory.ints(y_true, DType::kInt64));
    const GroupTable other = table_of(dictionary, turned);
    naive_of(y_pred, y_true).check(other, other.labels.ints, false);
  }
}

TEST_CASE("two Enums of one coder keep their categories and do not mix") {
  PairDictionary dictionary;
  PairCoder coder(dictionary);
  Memory memory;
  const Texts y = {"a", "b", "b", {}};
  const Column column = memory.texts(y);
  const std::vector<confmat::Categories> kinds = {{"a", "b", "c"}, {"b", "c", "a"}, {"b", "a"}};
  std::vector<std::vector<std::uint32_t>> codes(kinds.size(), std::vector<std::uint32_t>(y.size()));
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    coder.encode(column, column, 0, kinds[i], codes[i].data());
  }
  const PairReading pairs = dictionary.reading();
  PairTally tally(pairs);
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    tally.add(codes[i]);
    const confmat::Categories* found = tally.resolve();
    REQUIRE(found != nullptr);
    CHECK(*found == kinds[i]);
    const std::size_t side = kinds[i].size() + 2;
    std::vector<std::int64_t> cells(side * side);
    tally.take_known(cells);
    const auto a = static_cast<std::size_t>(std::ranges::find(kinds[i], "a") - kinds[i].begin());
    const auto b = static_cast<std::size_t>(std::ranges::find(kinds[i], "b") - kinds[i].begin());
    CHECK(cells[a * side + a] == 1);
    CHECK(cells[b * side + b] == 2);
    CHECK(cells.back() == 1);
  }
  tally.add(codes[0]);
  tally.add(codes[1]);
  CHECK_THROWS_WITH_AS(tally.resolve(), "label pairs of two kinds in one group", InputError);
}

TEST_CASE("classes that recur are no flood, however many, nor what another query has met") {
  Random random(28);
  PairDictionary dictionary;
  PairCoder coder(dictionary);
  Memory memory;
  std::vector<std::uint32_t> codes(200'000);
  Ints y_true;
  Ints y_pred;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    y_true.emplace_back(1'000'000 + static_cast<std::int64_t>(random.below(100'000)));
    y_pred.emplace_back(1'000'000 + static_cast<std::int64_t>(random.below(100'000)));
  }
  coder.encode(memory.ints(y_true, DType::kInt64), memory.ints(y_pred, DType::kInt64), 0,
               codes.data());
  const std::uint32_t known = codes.front();
  Ints ids;
  for (std::int64_t i = 0; i < 60'000; ++i) ids.emplace_back(-1'000'000 - i);
  const Column many = memory.ints(ids, DType::kInt64);
  coder.encode(many, many, 0, codes.data());
  PairCoder other(dictionary);
  for (auto& id : ids) id = *id - 60'000;
  const Column few = memory.ints({ids.begin(), ids.begin() + 20'000}, DType::kInt64);
  other.encode(few, few, 0, codes.data());
  static_cast<void>(dictionary.reading().labels(known));
}
