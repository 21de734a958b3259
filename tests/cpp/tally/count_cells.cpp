// Counts of texts in cells of one width.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <deque>

#include "confmat/batch/text_codes.hpp"
#include "support/columns.hpp"

using namespace test;
using confmat::CellOwner;

namespace {

std::vector<std::uint32_t> points_of(const std::string& text) {  // of one or two bytes each
  std::vector<std::uint32_t> points;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x80) {
      points.push_back(byte);
    } else {
      points.push_back((byte & 0x1FU) << 6U | (static_cast<unsigned char>(text[++i]) & 0x3FU));
    }
  }
  return points;
}

// Memory that ends where the last cell ends.
class Cells {
 public:
  Column column(const Texts& texts, std::size_t characters, const Shape& shape) {
    Column column;
    column.type = DType::kCells;
    column.length = static_cast<std::int64_t>(texts.size());
    column.cell = characters * 4;
    column.swapped = shape.swapped;
    if (texts.empty()) return column;
    const std::size_t step = column.cell * static_cast<std::size_t>(shape.stride);
    const auto start = static_cast<std::size_t>(shape.misaligned);
    auto& memory = bytes_.emplace_back(start + (texts.size() - 1) * step + column.cell);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const std::size_t place = shape.reversed ? texts.size() - 1 - i : i;
      const auto points = points_of(*texts[i]);
      for (std::size_t at = 0; at < points.size(); ++at) {
        const std::uint32_t bits = shape.swapped ? __builtin_bswap32(points[at]) : points[at];
        std::memcpy(memory.data() + start + place * step + 4 * at, &bits, 4);
      }
    }
    const std::size_t first = shape.reversed ? (texts.size() - 1) * step : 0;
    column.data = reinterpret_cast<const std::byte*>(memory.data() + start + first);
    column.stride = static_cast<std::int64_t>(step) * (shape.reversed ? -1 : 1);
    return column;
  }

 private:
  std::deque<std::vector<std::uint8_t>> bytes_;
};

Texts random_cells(std::size_t n, std::size_t characters, std::mt19937_64& random) {
  Texts texts(n);
  for (auto& text : texts) {
    text.emplace();
    for (std::size_t left = random() % (characters + 1); left > 0; --left) {
      *text += random() % 2 == 0 ? "a" : "ë";
    }
  }
  return texts;
}

// Numbers cells of 8 bytes that hold small numbers; refuses 99.
class Numbers final : public CellOwner {
 public:
  std::uint32_t code(const std::byte* cell) override {
    CHECK(inside);
    ++asked;
    std::uint64_t value;
    std::memcpy(&value, cell, sizeof value);
    return value == 99 ? kRefused : static_cast<std::uint32_t>(value + 1);
  }
  void begin() override { inside = true; }
  void end() noexcept override { inside = false; }

  bool inside = false;
  std::int64_t asked = 0;
};

// Numbers as they are met; those that were met are known.
class Met final : public CellOwner {
 public:
  std::uint32_t code(const std::byte* cell) override {
    const std::uint32_t before = known(cell);
    if (before != kUnknown) return before;
    std::uint64_t value;
    std::memcpy(&value, cell, sizeof value);
    if (value == 1) return kRefused;
    values_.push_back(value);
    return static_cast<std::uint32_t>(values_.size() - 1);
  }
  [[nodiscard]] std::uint32_t known(const std::byte* cell) const noexcept override {
    std::uint64_t value;
    std::memcpy(&value, cell, sizeof value);
    const auto found = std::find(values_.begin(), values_.end(), value);
    return found == values_.end() ? kUnknown : static_cast<std::uint32_t>(found - values_.begin());
  }

 private:
  std::vector<std::uint64_t> values_;
};

}  // namespace

TEST_CASE("pointers are numbered as they are met, though several threads read them") {
  std::vector<std::uint64_t> values(700'000);
  std::mt19937_64 random(43);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = (random() % (5 + i / 40'000) + 1) << 10U;  // new ones all along
  }
  Column cells;
  cells.length = static_cast<std::int64_t>(values.size());
  cells.data = reinterpret_cast<const std::byte*>(values.data());
  cells.stride = 8;
  std::vector<std::uint32_t> wanted;
  Met in_order;
  for (const auto& value : values) {
    wanted.push_back(in_order.code(reinterpret_cast<const std::byte*>(&value)));
  }
  std::vector<std::uint32_t> codes(values.size());
  Met owner;
  REQUIRE(confmat::codes_of_pointers(cells, owner, codes.data()));
  CHECK(codes == wanted);
  values[values.size() - 3] = 1;
  Met refuses;
  CHECK(!confmat::codes_of_pointers(cells, refuses, codes.data()));
}

TEST_CASE("cells of each width agree with a naive count, however they lie") {
  std::mt19937_64 random(41);
  const Shape shapes[] = {{},
                          {.stride = 3},
                          {.reversed = true},
                          {.swapped = true},
                          {.misaligned = 1},
                          {.stride = 2, .reversed = true, .swapped = true, .misaligned = 3}};
  for (const std::size_t width : {0U, 1U, 2U, 3U, 4U, 5U, 7U, 10U}) {
    for (const Shape& shape : shapes) {
      const std::size_t n = 3000;
      const Texts t = random_cells(n, std::min<std::size_t>(width, 6), random);
      const Texts p = random_cells(n, std::min<std::size_t>(width, 2), random);
      Cells cells;
      Memory memory;
      const Column a = cells.column(t, width, shape);
      const Column b = cells.column(p, width + 1, {});
      const Column c = memory.texts(p);
      const auto naive = naive_count(t, p);
      REQUIRE(agrees(count({&a, 1}, {&b, 1}, {}, {}), naive, n));
      REQUIRE(agrees(count({&a, 1}, {&c, 1}, {}, {}), naive, n));
      confmat::CountOptions three;
      three.threads = 3;
      REQUIRE(agrees(count({&a, 1}, {&b, 1}, {}, three), naive, n));
    }
  }
}

TEST_CASE("cells of bytes agree with a naive count, and are read to their ends alone") {
  std::mt19937_64 random(44);
  for (std::size_t width = 0; width <= 21; ++width) {
    for (const bool reversed : {false, true}) {
      const Texts texts = random_cells(3000, width / 2, random);
      std::vector<char> memory(texts.size() * width);
      for (std::size_t i = 0; i < texts.size(); ++i) {
        const std::size_t place = reversed ? texts.size() - 1 - i : i;
        std::copy(texts[i]->begin(), texts[i]->end(),
                  memory.begin() + static_cast<std::ptrdiff_t>(place * width));
      }
      Column cells;
      cells.type = DType::kCells;
      cells.utf8 = true;
      cells.length = static_cast<std::int64_t>(texts.size());
      cells.cell = width;
      cells.stride = static_cast<std::int64_t>(width) * (reversed ? -1 : 1);
      cells.data = reinterpret_cast<const std::byte*>(memory.data()) +
                   (reversed ? (texts.size() - 1) * width : 0);
      Memory other;
      const Column b = other.texts(texts);
      REQUIRE(agrees(count({&cells, 1}, {&b, 1}, {}, {}), naive_count(texts, texts), 3000));
    }
  }
}

TEST_CASE("cells that are no Unicode, or too long, are named") {
  Cells cells;
  Texts texts(7000, "ab");
  Column column = cells.column(texts, 2, {});
  for (const std::uint32_t point : {0xD800U, 0x110000U}) {
    std::memcpy(const_cast<std::byte*>(column.data) + 6543 * 8 + 4, &point, 4);
    const std::string words =
        "the text at row 6543 of `y_true` is not Unicode: its character 1 is " +
        std::to_string(point);
    CHECK_THROWS_WITH_AS(count({&column, 1}, {&column, 1}, {}, {}), words.c_str(), InputError);
  }
  const Column tall = cells.column({std::string(65'537, 'x')}, 65'537, {});
  CHECK_THROWS_WITH_AS(count({&tall, 1}, {&tall, 1}, {}, {}),
                       "the label at row 0 of `y_true` has 65537 bytes; the limit is 64 KiB",
                       InputError);
}

TEST_CASE("owners of cells are asked once a cell, of pointers about once each") {
  std::vector<std::uint64_t> values(200'000);
  std::mt19937_64 random(42);
  for (auto& value : values) value = random() % 50;
  Column cells;
  cells.length = static_cast<std::int64_t>(values.size());
  cells.data = reinterpret_cast<const std::byte*>(values.data());
  cells.stride = 8;
  std::vector<std::uint32_t> codes(values.size());
  for (const bool pointers : {false, true}) {
    const auto read = pointers ? &confmat::codes_of_pointers : &confmat::codes_of_cells;
    for (auto& value : values) value = pointers ? (value + 1) << 4U : value;
    Numbers owner;
    REQUIRE(read(cells, owner, codes.data()));
    for (std::size_t i = 0; i < values.size(); ++i) REQUIRE(codes[i] == values[i] + 1);
    CHECK(!owner.inside);
    CHECK(owner.asked >= (pointers ? 150 : 200'000));
    CHECK(owner.asked <= (pointers ? 20'000 : 200'000));
    values.back() = 99;
    CHECK(!read(cells, owner, codes.data()));
    CHECK(!owner.inside);
    values.back() = 1;
  }
}
