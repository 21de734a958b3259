// From the codes of label pairs to the table of a group, against a count by hand.
#include "confmat/evaluate/pair_tally.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "confmat/base/error.hpp"
#include "confmat/evaluate/count_state.hpp"
#include "confmat/evaluate/group_evaluator.hpp"
#include "confmat/evaluate/pair_coder.hpp"
#include "pair_tables.hpp"
#include "support/columns.hpp"
#include "support/fake_host.hpp"

using confmat::Counts;
using confmat::GroupTable;
using confmat::InputError;
using confmat::PairCode;
using confmat::PairCoder;
using confmat::PairDictionary;
using confmat::PairReading;
using confmat::PairTally;
using confmat::WeightedCode;
using confmat::host::Random;
using namespace test;

TEST_CASE("weights are summed exactly, in any order, whatever the code of a pair") {
  std::vector<double> weights = {1e16, 1.0, 1.0, 1e-300, 0.1, 0.2, 0.3, 1e16, 2.0};
  PairDictionary dictionary;
  // The first code is a direct one, the second that of the same pair in the dictionary.
  const std::uint32_t near = (5U + 16384U) * PairCode::kSpan + 6U + 16384U;
  const std::uint32_t codes[] = {near, dictionary.add(std::int64_t{5}, std::int64_t{6}).code};
  CHECK(codes[0] != codes[1]);
  const PairReading pairs = dictionary.reading();
  PairTally tally(pairs);
  Random random(24);
  for (int trial = 0; trial < 200; ++trial) {
    for (std::size_t i = weights.size(); i > 1; --i) {
      std::swap(weights[i - 1], weights[random.below(i)]);
    }
    std::vector<WeightedCode> rows;
    for (const double w : weights) rows.push_back({w, codes[random.below(2)]});
    rows.push_back({-1.0, PairCode::kNull});
    tally.add(rows);
    const GroupTable table = taken(tally, true);
    REQUIRE((table.labels.ints == std::vector<std::int64_t>{5, 6}));
    REQUIRE(table.weights[1] == 2e16 + 4.0);  // 20000000000000004.6: doubles are 4 apart here
    REQUIRE(table.totals.weight == 2e16 + 4.0);
    REQUIRE(table.totals.n_dropped == 1);
  }
}

TEST_CASE("rows of weight 0 add nothing but their classes") {
  PairDictionary dictionary;
  const auto code = [&](std::int64_t t, std::int64_t p) { return dictionary.add(t, p).code; };
  const std::vector<WeightedCode> rows = {{3.0, code(1, 2)}, {0.0, code(7, 1)}, {-0.0, code(1, 7)}};
  const PairReading pairs = dictionary.reading();
  PairTally tally(pairs);
  tally.add(rows);
  const GroupTable table = taken(tally, true);
  CHECK((table.labels.ints == std::vector<std::int64_t>{1, 2, 7}));
  CHECK((table.weights == std::vector<double>{0, 3, 0, 0, 0, 0, 0, 0, 0}));
  CHECK(table.totals.weight == 3.0);
}

TEST_CASE("weights that are none, and codes that are none") {
  PairDictionary dictionary;
  const std::uint32_t known = dictionary.add(std::string_view("a"), std::string_view("b")).code;
  const PairReading pairs = dictionary.reading();
  PairTally tally(pairs);
  for (const double bad : {-1.0, std::numeric_limits<double>::quiet_NaN(),
                           std::numeric_limits<double>::infinity(), -5e-324}) {
    const WeightedCode row{bad, known};
    CHECK_THROWS_AS(tally.add({&row, 1}), InputError);
  }
  const WeightedCode wide{1.0, std::uint64_t{known} | std::uint64_t{1} << 40};
  CHECK_THROWS_AS(tally.add({&wide, 1}), InputError);
  for (const std::uint32_t code : {PairCode::kNone, known ^ 1U, PairCode::kNull | 77U}) {
    PairTally other(pairs);
    other.add({&code, 1});
    CHECK_THROWS_WITH_AS(static_cast<void>(taken(other, false)), doctest::Contains("labels="),
                         InputError);
  }
}

TEST_CASE("texts and integers do not mix") {
  PairDictionary dictionary;
  const std::uint32_t codes[] = {dictionary.add(std::string_view("a"), std::string_view("b")).code,
                                 dictionary.add(std::int64_t{1}, std::int64_t{2}).code};
  const PairReading pairs = dictionary.reading();
  PairTally tally(pairs);
  tally.add(codes);
  CHECK_THROWS_AS(static_cast<void>(taken(tally, false)), InputError);
  PairCoder coder(dictionary);
  Memory memory;
  std::uint32_t code = 0;
  CHECK_THROWS_AS(coder.encode(memory.texts({"a"}), memory.ints({1}, DType::kInt8), 0, &code),
                  InputError);
}

TEST_CASE("an empty group has no labels") {
  const PairDictionary dictionary;
  const PairReading pairs = dictionary.reading();
  PairTally tally(pairs);
  GroupTable table = taken(tally, false);
  CHECK(table.labels.size() == 0);
  CHECK(table.counts.empty());
  tally.add_null();
  table = taken(tally, false);
  CHECK(table.totals.n == 0);
  CHECK(table.totals.n_dropped == 1);
  CHECK(taken(tally, false).totals.n_dropped == 0);
}

TEST_CASE("long runs and merged tallies count as single codes do") {
  Random random(25);
  PairDictionary dictionary;
  for (const std::size_t n : std::vector<std::size_t>{0, 3, 1023, 1024, 5000, 40'000}) {
    for (const std::int64_t least : {0, -4, 3000, -16384, 16300}) {
      for (const std::size_t spread : std::vector<std::size_t>{8, 24, 84}) {
        for (const int numbered : {0, 1, 2}) {  // no code, each, every second
          std::vector<std::uint32_t> codes;
          Expected<std::int64_t> naive;
          for (std::size_t i = 0; i < n; ++i) {
            std::optional<std::int64_t> y[2];
            for (auto& side : y) side = static_cast<std::int64_t>(random.below(spread)) + least;
            if (random.chance(30)) y[0].reset();
            naive.add(y[0], y[1]);
            if (!y[0]) {
              codes.push_back(PairCode::kNull);
            } else if (numbered == 1 || (numbered == 2 && random.chance(2))) {
              codes.push_back(dictionary.add(*y[0], *y[1]).code);
            } else {
              codes.push_back(static_cast<std::uint32_t>(*y[0] - PairCode::kLeast) *
                                  PairCode::kSpan +
                              static_cast<std::uint32_t>(*y[1] - PairCode::kLeast));
            }
          }
          const PairReading pairs = dictionary.reading();
          const std::span all(codes);
          PairTally whole(pairs);
          whole.add(all);
          PairTally first(pairs);
          PairTally second(pairs);
          first.add(all.first(n / 3));
          second.add(all.subspan(n / 3));
          first.add(second);
          for (PairTally* tally : {&whole, &first}) {
            const GroupTable table = taken(*tally, false);
            naive.check(table, table.labels.ints, false);
          }
        }
      }
    }
  }
}

TEST_CASE("random codes never do harm") {
  Random random(23);
  PairDictionary dictionary;
  std::vector<std::uint32_t> known;
  for (std::int64_t i = 0; i < 50; ++i) known.push_back(dictionary.add(i * 99'999, -i).code);
  const PairReading pairs = dictionary.reading();
  for (int i = 0; i < 3000; ++i) {
    std::vector<std::uint32_t> codes(random.below(3000));
    for (auto& code : codes) {
      code = random.chance(40) && i % 2 == 0 ? static_cast<std::uint32_t>(random.bits())
                                             : known[random.below(known.size())];
    }
    PairTally tally(pairs);
    try {
      tally.add(codes);
      static_cast<void>(taken(tally, false));
    } catch (const InputError&) {
    }
  }
}

TEST_CASE("of more labels than a table holds cells are held, and identifiers give no numbers") {
  PairDictionary dictionary;
  std::vector<std::uint32_t> codes;
  for (std::int64_t i = 0; i < 12'000; ++i) codes.push_back(dictionary.add(i, i).code);
  const PairReading pairs = dictionary.reading();
  PairTally tally(pairs);
  tally.add(codes);
  CHECK(tally.rows() == 12'000);
  GroupTable table = taken(tally, false);
  CHECK(table.is_sparse);
  CHECK(table.places.size() == 12'000);
  CHECK_THROWS_AS(confmat::refuse_identifiers(table.labels.size(), 12'000), InputError);
  Counts state = confmat::state_of(std::move(table));  // to which rows may be added
  CHECK_THROWS_WITH_AS(static_cast<void>(confmat::table_of(state)),
                       doctest::Contains("12000 labels in 12000 rows; are they identifiers?"),
                       InputError);
  state.rows.counted = 24'000;
  CHECK_NOTHROW(static_cast<void>(confmat::table_of(state)));
}
