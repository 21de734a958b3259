// Indicators of any type.
#include "confmat/tally/indicators.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <random>
#include <vector>

#include "confmat/base/error.hpp"
#include "support/columns.hpp"

using confmat::Chunks;
using confmat::Column;
using confmat::DType;
using confmat::Indicators;

namespace {

constexpr DType kTypes[] = {DType::kInt8,  DType::kInt16,   DType::kInt32,  DType::kInt64,
                            DType::kUInt8, DType::kUInt16,  DType::kUInt32, DType::kUInt64,
                            DType::kBool8, DType::kBoolBits};

struct Read {
  Indicators found;
  std::vector<std::byte> table;
};

Read read(const std::vector<Chunks>& columns, std::size_t values, std::int64_t width = 1) {
  Read read;
  read.table.resize(columns.size() * values, std::byte{9});
  read.found = confmat::read_indicators(columns, width, 2, read.table.data());
  return read;
}

}  // namespace

TEST_CASE("indicators: every type, length and layout, with and without nulls") {
  std::mt19937_64 random(3);
  for (const DType type : kTypes) {
    for (const std::size_t n : {0UL, 1UL, 63UL, 4097UL, 140'000UL}) {
      for (const bool nulls : {false, true}) {
        test::Ints values(n);
        for (auto& value : values) {
          if (!nulls || random() % 50 != 0) value = static_cast<std::int64_t>(random() % 2);
        }
        test::Memory memory;
        const test::Shape shape{.stride = type == DType::kBoolBits ? 1 : 2,
                                .reversed = type != DType::kBoolBits && n % 2 == 1,
                                .bit_offset = 3,
                                .null_offset = 5};
        const Column column = memory.ints(values, type, shape);
        const Read got = read({{&column, 1}, {&column, 1}}, n);
        CHECK_FALSE(got.found.refused);
        std::vector<std::byte> bits(2 * n, std::byte{9});
        const std::vector<Chunks> ten(10, Chunks(&column, 1));
        const Indicators packed = confmat::read_packed_indicators(ten, 2, bits.data());
        CHECK_FALSE(packed.refused);
        CHECK(packed.missing == got.found.missing);
        bool some = false;
        for (std::size_t i = 0; i < n; ++i) {
          const auto one = std::byte{values[i].value_or(0) == 1};
          REQUIRE(got.table[i] == one);
          REQUIRE(got.table[n + i] == one);
          REQUIRE(bits[i] == std::byte(255 * std::to_integer<int>(one)));
          REQUIRE(bits[n + i] == std::byte(3 * std::to_integer<int>(one)));
          some = some || !values[i];
        }
        REQUIRE(got.found.missing.size() == (some ? n : 0));
        for (std::size_t i = 0; some && i < n; ++i) REQUIRE(got.found.missing[i] == !values[i]);
      }
    }
  }
}

TEST_CASE("indicators: the first value that is neither 0 nor 1") {
  test::Memory memory;
  test::Ints values(10'000, 1);
  values[7'001] = 2;
  values[300] = std::nullopt;
  const Column late = memory.ints(values, DType::kInt64);
  values[500] = -1;
  const Column early = memory.ints(values, DType::kInt16);
  const Read apart = read({{&late, 1}, {&early, 1}}, 10'000);
  REQUIRE(apart.found.refused);
  CHECK(apart.found.refused->row == 500);
  CHECK(apart.found.refused->column == 1);
  CHECK(apart.found.missing[300] == 1);
  const Read by_rows = read({{&early, 1}}, 10'000, 4);
  REQUIRE(by_rows.found.refused);
  CHECK(by_rows.found.refused->row == 125);
  CHECK(by_rows.found.refused->column == 0);
  CHECK(by_rows.found.missing[75] == 1);
}

TEST_CASE("indicators: floats, where a nan is missing, and columns of nothing") {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> values{0.0, 1.0, kNan, -0.0, 0.5};
  Column column;
  column.type = DType::kFloat64;
  column.length = 5;
  column.data = reinterpret_cast<const std::byte*>(values.data());
  column.stride = 8;
  Read got = read({{&column, 1}}, 5);
  CHECK(got.table == std::vector<std::byte>{std::byte{0}, std::byte{1}, std::byte{0}, std::byte{0},
                                            std::byte{0}});
  CHECK(got.found.missing == std::vector<std::uint8_t>{0, 0, 1, 0, 0});
  REQUIRE(got.found.refused);
  CHECK(got.found.refused->row == 4);
  Column nothing;
  nothing.length = 2;
  got = read({{&nothing, 1}}, 2);
  CHECK(got.found.missing == std::vector<std::uint8_t>{1, 1});
  Column text;
  text.type = DType::kText;
  CHECK_THROWS_AS(read({{&text, 1}}, 0), confmat::InputError);
}
