// Columns lent as Arrow data: what a reader sees, and who keeps them alive.
#include "confmat/arrow/lend.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "confmat/arrow/share.hpp"

using confmat::ArrowData;
using confmat::lent;
using confmat::lent_nullable;
using confmat::lent_struct;
using confmat::LentColumn;
using confmat::share;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

template <class T>
std::shared_ptr<const std::vector<T>> kept(std::vector<T> values) {
  return std::make_shared<const std::vector<T>>(std::move(values));
}

template <class T>
LentColumn column(const char* name, const std::shared_ptr<const std::vector<T>>& values) {
  return lent(name, values, std::span<const T>(*values));
}

}  // namespace

TEST_CASE("a struct has its columns where they lie") {
  const auto whole = kept<std::int64_t>({3, 4});
  const auto narrow = kept<float>({0.5F, 1.5F});
  const auto wide = kept<double>({7, 8});
  const auto data = lent_struct(
      {column("whole", whole), column("narrow", narrow), column("a name that is long", wide)}, 2);
  CHECK(std::string(data->schema().format) == "+s");
  REQUIRE(data->schema().n_children == 3);
  const char* const formats[] = {"l", "f", "g"};
  const char* const names[] = {"whole", "narrow", "a name that is long"};
  const void* const numbers[] = {whole->data(), narrow->data(), wide->data()};
  REQUIRE(data->arrays().size() == 1);
  const ArrowArray& array = data->arrays()[0];
  CHECK(array.length == 2);
  CHECK(array.n_buffers == 1);
  CHECK(array.buffers[0] == nullptr);
  REQUIRE(array.n_children == 3);
  for (int i = 0; i < 3; ++i) {
    CHECK(std::string(data->schema().children[i]->format) == formats[i]);
    CHECK(std::string(data->schema().children[i]->name) == names[i]);
    CHECK(array.children[i]->length == 2);
    CHECK(array.children[i]->null_count == 0);
    CHECK(array.children[i]->buffers[0] == nullptr);
    CHECK(array.children[i]->buffers[1] == numbers[i]);
  }
}

TEST_CASE("nan is null, and no bitmap is made without one") {
  const auto some = kept<double>({kNan, 1, 2, 3, 4, 5, 6, 7, kNan, 9});
  const LentColumn holed = lent_nullable("x", some, *some);
  CHECK(holed.n_nulls == 2);
  CHECK(holed.validity == std::vector<std::uint8_t>{0xFE, 0x02});
  const auto all = kept<double>({0, 1});
  CHECK(lent_nullable("x", all, *all).validity.empty());
  const auto data = lent_struct({holed}, 10);
  CHECK(data->arrays()[0].children[0]->null_count == 2);
  CHECK(static_cast<const std::uint8_t*>(data->arrays()[0].children[0]->buffers[0])[0] == 0xFE);
}

TEST_CASE("a column lives until the last reader has let go") {
  std::weak_ptr<const std::vector<double>> seen;
  ArrowArrayStream stream{};
  {
    const auto values = kept<double>({1, 2});
    seen = values;
    share(lent_struct({column("x", values)}, 2), stream);
  }
  ArrowSchema type{};
  ArrowArray array{}, end{};
  REQUIRE(stream.get_schema(&stream, &type) == 0);
  REQUIRE(stream.get_next(&stream, &array) == 0);
  REQUIRE(stream.get_next(&stream, &end) == 0);
  CHECK((end.release == nullptr));
  stream.release(&stream);
  ArrowArray child = *array.children[0];  // moved out, as readers may
  array.children[0]->release = nullptr;
  array.release(&array);
  REQUIRE(!seen.expired());
  CHECK(static_cast<const double*>(child.buffers[1])[1] == 2);
  child.release(&child);
  CHECK(!seen.expired());
  CHECK(std::string(type.children[0]->name) == "x");
  type.release(&type);
  CHECK(seen.expired());
}

TEST_CASE("there may be no rows and no columns") {
  const auto none = kept<double>({});
  CHECK(lent_struct({lent_nullable("x", none, *none)}, 0)->arrays()[0].length == 0);
  CHECK(lent_struct({}, 3)->arrays()[0].n_children == 0);
}
