// Structs and lists whose children are not what their rows need.
#include "confmat/arrow/nested.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "confmat/base/error.hpp"
#include "confmat/batch/cursor.hpp"

using confmat::ArrowData;
using confmat::InputError;
using confmat::list_items;
using confmat::ListItems;
using confmat::number_fields;
using confmat::total_length;

namespace {

// An array with one child, of numbers of 64 bits; parts of both may be changed before it is taken.
struct Nested {
  explicit Nested(const char* format) {
    type.format = format;
    type.n_children = 1;
    type.children = &child_types;
    type.release = [](ArrowSchema*) {};
    child_type.format = "l";
    child_type.name = "a";
    array.length = 3;
    array.n_children = 1;
    array.children = &children;
    array.buffers = buffers.data();
    array.n_buffers = type.format[1] == 's' || type.format[1] == 'w' ? 1 : 2;
    array.release = [](ArrowArray*) {};
    child.length = static_cast<std::int64_t>(numbers.size());
    child.n_buffers = 2;
    child.buffers = child_buffers.data();
  }
  ArrowData& taken() {
    data.take(type, array, "y_true");
    return data;
  }

  std::array<std::int64_t, 6> numbers{1, 0, 1, 1, 0, 0};
  std::array<std::int32_t, 5> offsets{0, 2, 2, 5, 6};
  std::uint8_t validity = 0b1101;
  std::array<const void*, 2> child_buffers{nullptr, numbers.data()};
  std::array<const void*, 2> buffers{nullptr, offsets.data()};
  ArrowSchema child_type{};
  ArrowSchema* child_types = &child_type;
  ArrowArray child{};
  ArrowArray* children = &child;
  ArrowSchema type{};
  ArrowArray array{};
  ArrowData data;
};

std::vector<std::int64_t> ends_of(const ListItems& items) {
  return {items.ends.span().begin(), items.ends.span().end()};
}

constexpr std::int64_t kFar = std::int64_t{1} << 62;

}  // namespace

TEST_CASE("fields and items are cut to the rows") {
  Nested fields("+s");
  fields.array.offset = 2;
  const auto cut = number_fields(fields.taken(), "y_true");
  REQUIRE(cut.has_value());
  CHECK(cut->names == std::vector<std::string>{"a"});
  CHECK(total_length(cut->columns[0].chunks()) == 3);
  CHECK(cut->columns[0].front().data == reinterpret_cast<const std::byte*>(&fields.numbers[2]));
  Nested pairs("+w:2");
  pairs.array.offset = 1;
  pairs.array.length = 2;
  const auto of_pairs = number_fields(pairs.taken(), "y_true");
  REQUIRE(of_pairs.has_value());
  CHECK(of_pairs->width == 2);
  CHECK(of_pairs->columns[0].front().data == reinterpret_cast<const std::byte*>(&pairs.numbers[2]));
  Nested lists("+l");
  lists.array.offset = 1;
  const ListItems items = list_items(lists.taken(), "y_true");
  CHECK(ends_of(items) == std::vector<std::int64_t>{0, 3, 4});
  CHECK(items.nulls.empty());
  CHECK(items.items.front().data == reinterpret_cast<const std::byte*>(&lists.numbers[2]));
}

TEST_CASE("what null lists hide is no item") {
  Nested lists("+l");
  lists.array.length = 4;
  lists.offsets = {0, 2, 4, 5, 6};
  lists.array.null_count = -1;
  lists.buffers[0] = &lists.validity;
  const ListItems items = list_items(lists.taken(), "y_true");
  CHECK(ends_of(items) == std::vector<std::int64_t>{2, 2, 3, 4});
  CHECK(items.nulls == std::vector<std::uint8_t>{0, 1, 0, 0});
  CHECK(total_length(items.items.chunks()) == 4);
}

TEST_CASE("children that are too short, or none, are refused") {
  for (const char* const format : {"+s", "+w:2", "+l"}) {
    CAPTURE(format);
    const auto refused = [format](const auto& spoil) {
      Nested nested(format);
      nested.array.length = 2;
      spoil(nested);
      const ArrowData& data = nested.taken();
      if (format[1] == 'l') {
        CHECK_THROWS_AS(list_items(data, "y_true"), InputError);
      } else {
        CHECK_THROWS_AS(number_fields(data, "y_true"), InputError);
      }
    };
    refused([](Nested& nested) { nested.children = nullptr; });
    refused([](Nested& nested) { nested.array.children = nullptr; });
    refused([](Nested& nested) { nested.array.n_children = 2; });
    for (const std::int64_t length : {std::int64_t{1}, std::int64_t{-1}, INT64_MIN, kFar}) {
      refused([length](Nested& nested) { nested.child.length = length; });
    }
    for (const std::int64_t offset : {std::int64_t{-1}, INT64_MIN, kFar}) {
      refused([offset](Nested& nested) { nested.child.offset = offset; });
      refused([offset](Nested& nested) { nested.array.offset = offset; });
    }
    for (const std::int64_t length : {std::int64_t{-1}, INT64_MIN, kFar}) {
      refused([length](Nested& nested) { nested.array.length = length; });
    }
    refused([](Nested& nested) { nested.child.null_count = 1; });  // and no validity
    refused([](Nested& nested) { nested.child.null_count = -2; });
    refused([](Nested& nested) { nested.child_buffers[1] = nullptr; });
    refused([](Nested& nested) { nested.child.n_buffers = 1; });
    refused([](Nested& nested) { nested.child.buffers = nullptr; });
  }
}

TEST_CASE("offsets that descend or lead beyond the items are refused") {
  for (const auto offsets : {std::array{0, 2, 1, 5, 6}, std::array{0, 7, 2, 5, 6},
                             std::array{-1, 0, 1, 2, 2}, std::array{0, 2, 2, 7, 7}}) {
    Nested lists("+l");
    lists.array.length = 4;
    lists.offsets = offsets;
    CHECK_THROWS_AS(list_items(lists.taken(), "y_true"), InputError);
  }
}

TEST_CASE("other data is left to others") {
  const auto none = [](const char* format, const auto& change) {
    Nested nested(format);
    change(nested);
    CHECK_FALSE(number_fields(nested.taken(), "y_true").has_value());
  };
  none("+w:0", [](Nested&) {});
  none("+l", [](Nested&) {});
  none("+s", [](Nested& nested) { nested.child_type.format = "u"; });
  none("+s", [](Nested& nested) { nested.child_type.format = nullptr; });
  none("+s", [](Nested& nested) { nested.child_type.dictionary = &nested.child_type; });
  none("+s", [](Nested& nested) { nested.child_types = nullptr; });
  none("+s", [](Nested& nested) { nested.child_type.metadata = "\0\0\0\0"; });
  none("+s", [](Nested& nested) { nested.type.n_children = 0; });
  none("+s", [](Nested& nested) {
    nested.array.null_count = 1;
    nested.buffers[0] = &nested.validity;
  });
  Nested fields("+s");
  CHECK_THROWS_WITH_AS(list_items(fields.taken(), "y_true"),
                       doctest::Contains("has dtype Struct: wanted lists"), InputError);
}

TEST_CASE("a type of more children than its arrays have is refused") {
  Nested fields("+s");
  fields.type.n_children = kFar;
  CHECK_THROWS_AS(number_fields(fields.taken(), "y_true"), InputError);
}
