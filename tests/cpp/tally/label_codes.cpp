// Labels that rows list, as places among all labels.
#include "confmat/tally/label_codes.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "confmat/base/error.hpp"
#include "support/columns.hpp"
#include "support/fake_host.hpp"

using confmat::Chunks;
using confmat::Column;
using confmat::DType;
using confmat::InputError;
using confmat::label_codes;
using confmat::LabelCodes;
using confmat::Labels;
using confmat::ListedLabels;
using confmat::host::Random;

namespace {

using Ends = std::vector<std::int64_t>;

// Rows of two labels each.
Ends by_twos(std::size_t labels) {
  Ends ends;
  for (std::size_t i = 2; i <= labels; i += 2) ends.push_back(static_cast<std::int64_t>(i));
  return ends;
}

struct Refused {
  std::string text;
  std::int64_t row = -1;
};

Refused refused(std::span<const ListedLabels> columns, const Labels* known) {
  try {
    static_cast<void>(label_codes(columns, known, 1));
  } catch (const InputError& error) {
    return {error.what(), error.row().value_or(-1)};
  }
  return {};
}

}  // namespace

TEST_CASE("label codes: those found ascend, of one column and of two, whatever the threads") {
  Random random(1);
  for (const DType type : {DType::kInt8, DType::kInt16, DType::kInt64, DType::kUInt32}) {
    for (const std::size_t n : {0U, 2U, 4098U, 600'000U}) {
      test::Memory memory;
      std::vector<test::Ints> values(2);
      std::map<std::int64_t, std::uint32_t> places;
      for (auto& of_column : values) {
        for (std::size_t i = 0; i < n; ++i) {
          of_column.emplace_back(static_cast<std::int64_t>(random.below(100)));
          places[*of_column.back()] = 0;
        }
      }
      std::uint32_t next = 0;
      for (auto& [label, place] : places) place = next++;
      const Column columns[] = {memory.ints(values[0], type, {.stride = 2, .reversed = true}),
                                memory.ints(values[1], type)};
      const Ends ends = by_twos(n);
      const ListedLabels listed[] = {{{&columns[0], 1}, ends, "y_true"},
                                     {{&columns[1], 1}, ends, "y_pred"}};
      for (const int threads : {1, 3}) {
        const LabelCodes found = label_codes(listed, nullptr, threads);
        REQUIRE(found.codes.size() == 2);
        CHECK(found.labels.ints.size() == places.size());
        CHECK(std::ranges::is_sorted(found.labels.ints));
        for (std::size_t side = 0; side < 2; ++side) {
          REQUIRE(found.codes[side].size() == n);
          for (std::size_t i = 0; i < n; ++i) {
            REQUIRE(found.codes[side][i] == places[*values[side][i]]);
          }
        }
      }
    }
  }
}

TEST_CASE("label codes: given labels keep their places; chunks and texts") {
  test::Memory memory;
  const Column parts[] = {memory.texts({"b", "a"}), memory.texts({}),
                          memory.texts({"c", "b", "b"}, {.layout = confmat::TextLayout::kView})};
  const Ends ends{0, 3, 5};
  const ListedLabels listed{Chunks(parts), ends, "y_true"};
  const Labels known{Labels::Kind::kText, {}, {"c", "a", "absent", "b"}};
  const auto given = label_codes({&listed, 1}, &known, 0);
  const auto found = label_codes({&listed, 1}, nullptr, 0);
  CHECK((found.labels.texts == std::vector<std::string>{"a", "b", "c"}));
  const std::vector<std::uint32_t> of_given{3, 1, 0, 3, 3}, of_found{1, 0, 2, 1, 1};
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK(given.codes[0][i] == of_given[i]);
    CHECK(found.codes[0][i] == of_found[i]);
  }
}

TEST_CASE("label codes: more labels than fit 16 bits") {
  constexpr std::size_t kLabels = 70'000;
  test::Memory memory;
  test::Ints values;
  for (std::size_t i = kLabels; i-- > 0;) values.emplace_back(static_cast<std::int64_t>(i));
  const Column column = memory.ints(values, DType::kInt32);
  const Ends ends{static_cast<std::int64_t>(kLabels)};
  const ListedLabels listed{{&column, 1}, ends, "y_true"};
  const LabelCodes found = label_codes({&listed, 1}, nullptr, 1);
  REQUIRE(found.labels.ints.size() == kLabels);
  for (std::size_t i = 0; i < kLabels; ++i) REQUIRE(found.codes[0][i] == kLabels - 1 - i);
}

TEST_CASE("label codes: what is refused has its row, past rows of no labels") {
  test::Memory memory;
  const Column good = memory.ints({1, 2, 1, 2}, DType::kInt64);
  const Column null = memory.ints({1, 2, {}, 2}, DType::kInt64);
  const Column texts = memory.texts({"a", "b", "a", "b"});
  const Ends ends{1, 1, 2, 2, 4};
  const Labels known{Labels::Kind::kInt, {1}, {}};
  const auto of = [&](const Column& column, const char* argument) {
    return ListedLabels{{&column, 1}, ends, argument};
  };
  const ListedLabels with_null[] = {of(good, "y_true"), of(null, "y_pred")};
  Refused one = refused(with_null, nullptr);
  CHECK(one.text.find("`y_pred` holds a null inside the list") != std::string::npos);
  CHECK(one.row == 4);
  const ListedLabels plain[] = {of(good, "y_true")};
  one = refused(plain, &known);
  CHECK(one.text.find("label 2") != std::string::npos);
  CHECK(one.text.find("of `y_true` is not in labels [1]") != std::string::npos);
  CHECK(one.row == 2);
  const ListedLabels two_kinds[] = {of(good, "y_true"), of(texts, "y_pred")};
  CHECK(refused(two_kinds, nullptr).text.find("labels of one kind") != std::string::npos);
  CHECK(refused({&two_kinds[1], 1}, &known).text.find("one kind") != std::string::npos);
}
