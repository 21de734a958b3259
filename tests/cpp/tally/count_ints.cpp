// Counts of integers of any width, stride and order of bytes.
#include <doctest/doctest.h>

#include "support/columns.hpp"

using namespace test;

namespace {

const DType kInts[] = {DType::kInt8,  DType::kInt16,  DType::kInt32,  DType::kInt64,
                       DType::kUInt8, DType::kUInt16, DType::kUInt32, DType::kUInt64};

std::int64_t low_of(DType type) {
  switch (type) {
    case DType::kInt8:
      return INT8_MIN;
    case DType::kInt16:
      return INT16_MIN;
    case DType::kInt32:
      return INT32_MIN;
    case DType::kInt64:
      return INT64_MIN;
    default:
      return 0;
  }
}
std::int64_t high_of(DType type) {
  switch (type) {
    case DType::kInt8:
      return INT8_MAX;
    case DType::kInt16:
      return INT16_MAX;
    case DType::kInt32:
      return INT32_MAX;
    case DType::kUInt8:
      return UINT8_MAX;
    case DType::kUInt16:
      return UINT16_MAX;
    case DType::kUInt32:
      return UINT32_MAX;
    default:
      return INT64_MAX;
  }
}

Counted count_one(const Column& y_true, const Column& y_pred, const CountOptions& options = {}) {
  return count({&y_true, 1}, {&y_pred, 1}, {}, options);
}

bool same(const Counted& a, const Counted& b) {
  return a.labels == b.labels && a.cells == b.cells && a.weights == b.weights &&
         a.weights_sq == b.weights_sq && a.n_rows == b.n_rows && a.n_dropped == b.n_dropped &&
         a.n_other == b.n_other && a.outsider.row == b.outsider.row &&
         a.outsider.label == b.outsider.label && a.outsider.in_truth == b.outsider.in_truth;
}

}  // namespace

TEST_CASE("count agrees with a naive count for every type, label range and anchor") {
  std::mt19937_64 random(1);
  for (const DType type : kInts) {
    for (const std::int64_t k : {1, 2, 3, 4, 5, 14, 15, 16, 17, 253, 254, 255, 256, 257, 700}) {
      if (k - 1 > high_of(type)) continue;
      const std::int64_t lowest = low_of(type);
      const std::int64_t highest = high_of(type);
      for (const std::int64_t low : {std::int64_t{0}, lowest, highest - (k - 1), lowest / 2}) {
        if (static_cast<std::uint64_t>(highest) - static_cast<std::uint64_t>(low) <
            static_cast<std::uint64_t>(k - 1)) {
          continue;
        }
        const std::size_t n = 1 + random() % 9000;
        const Ints t = random_ints(n, low, low + (k - 1), k % 2 == 0 ? 3 : 0, random);
        const Ints p = random_ints(n, low, low + (k - 1), 0, random);
        Memory memory;
        const Counted counted = count_one(memory.ints(t, type), memory.ints(p, type));
        CAPTURE(name_of(type));
        CAPTURE(k);
        CAPTURE(low);
        REQUIRE(agrees(counted, naive_count(t, p), n));
      }
    }
  }
}

TEST_CASE("labels scattered over the whole type, and columns of two types") {
  std::mt19937_64 random(2);
  for (const DType first : kInts) {
    for (const DType second : kInts) {
      const auto some = [&](DType type) {
        const Ints pool = random_ints(12, low_of(type), high_of(type), 0, random);
        Ints values(6000);
        for (auto& value : values) {
          value = pool[random() % pool.size()];
          if (random() % 50 == 0) value.reset();
        }
        return values;
      };
      const Ints t = some(first);
      const Ints p = some(second);
      Memory memory;
      const Counted counted = count_one(memory.ints(t, first), memory.ints(p, second));
      REQUIRE(agrees(counted, naive_count(t, p), t.size()));
    }
  }
}

TEST_CASE("labels that appear late, so that the classes have to widen again and again") {
  std::mt19937_64 random(3);
  for (const std::int64_t factor : {1, 3, 1000, 1 << 20}) {
    Ints t(60000);
    Ints p(60000);
    for (std::size_t i = 0; i < t.size(); ++i) {
      const std::int64_t reach = 1 + static_cast<std::int64_t>(i / 40);
      t[i] = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(reach)) * factor;
      p[i] = -static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(reach / 50 + 1));
    }
    Memory memory;
    const Counted counted = count_one(memory.ints(t, DType::kInt64), memory.ints(p, DType::kInt32));
    REQUIRE(agrees(counted, naive_count(t, p), t.size()));
  }
}

TEST_CASE("labels whose table just fits the limit of memory, and one more") {
  Memory memory;
  CountOptions options;
  options.max_bytes = 8 * 300 * 300;
  Ints few(70000);
  for (std::size_t i = 0; i < few.size(); ++i) few[i] = static_cast<std::int64_t>(i % 300) * 1009;
  const Column most = memory.ints(few, DType::kInt64);
  CHECK(agrees(count_one(most, most, options), naive_count(few, few), few.size()));
  options.max_bytes -= 1;
  for (const int threads : {0, 2}) {
    options.threads = threads;
    const Counted sparse = count_one(most, most, options);
    CHECK(sparse.is_sparse);
    CHECK(sparse.labels.size() == 300);
    CHECK(sparse.places.size() == 300);
  }
}

TEST_CASE("every memory layout gives the same counts") {
  std::mt19937_64 random(4);
  for (const DType type : kInts) {
    const Ints t = random_ints(9001, 0, 11, 10, random);
    const Ints p = random_ints(9001, 0, 11, 0, random);
    const auto naive = naive_count(t, p);
    for (const int stride : {1, 2, 5}) {
      for (const bool reversed : {false, true}) {
        for (const bool swapped : {false, true}) {
          for (const int misaligned : {0, 1, 3, 7}) {
            Memory memory;
            Shape shape{.stride = stride, .reversed = reversed, .swapped = swapped};
            shape.misaligned = misaligned;
            shape.null_offset = misaligned * 3;
            const Counted counted =
                count_one(memory.ints(t, type, shape), memory.ints(p, type, shape));
            REQUIRE(agrees(counted, naive, t.size()));
          }
        }
      }
    }
  }
}

TEST_CASE("all 64 bit offsets of booleans and of validity bitmaps") {
  std::mt19937_64 random(5);
  const Ints t = random_ints(5003, 0, 1, 20, random);
  const Ints p = random_ints(5003, 0, 1, 20, random);
  const auto naive = naive_count(t, p);
  for (int offset = 0; offset < 64; ++offset) {
    Memory memory;
    const Column a =
        memory.ints(t, DType::kBoolBits, {.bit_offset = offset, .null_offset = offset});
    const Column b = memory.ints(p, DType::kBool8, {.null_offset = 63 - offset});
    const Counted counted = count_one(a, b);
    CHECK(counted.labels.kind == Labels::Kind::kBool);
    REQUIRE(agrees(counted, naive, t.size()));
  }
}

TEST_CASE("both booleans are kept, and booleans meet integers as 0 and 1") {
  Memory memory;
  const Column truth = memory.ints({1, 1, 1}, DType::kBool8);
  const Counted both = count_one(truth, truth);
  CHECK(both.labels.ints == std::vector<std::int64_t>{0, 1});
  CHECK(both.cells == std::vector<std::int64_t>{0, 0, 0, 3});
  const Counted mixed = count_one(truth, memory.ints({1, 5, 1}, DType::kInt64));
  CHECK(mixed.labels.kind == Labels::Kind::kInt);
  CHECK(mixed.labels.ints == std::vector<std::int64_t>{1, 5});
  CHECK(count_one({}, {}).labels.ints.empty());
  const Column nulls = memory.ints({{}, {}, {}}, DType::kNull);
  CHECK(count_one(truth, nulls).n_dropped == 3);
  CHECK(count_one(nulls, nulls).labels.size() == 0);
}

TEST_CASE("threads and cuts into chunks change nothing") {
  std::mt19937_64 random(6);
  const std::size_t n = 1'100'003;
  for (const std::int64_t k : {2, 9, 40, 300}) {
    const Ints t = random_ints(n, 0, k - 1, 2, random);
    const Ints p = random_ints(n, 0, k, 1, random);
    Memory memory;
    const Column a = memory.ints(t, DType::kInt32);
    const Column b = memory.ints(p, DType::kInt64);
    CountOptions options;
    options.threads = 1;
    const Counted wanted = count_one(a, b, options);
    CHECK(agrees(wanted, naive_count(t, p), n));
    for (const int threads : {1, 2, 3, 7}) {
      options.threads = threads;
      for (const int cuts : {0, 1, 7, 500}) {
        const auto first = chunks(a, cuts, random);
        const auto second = chunks(b, cuts, random);
        REQUIRE(same(count(first, second, {}, options), wanted));
      }
    }
  }
}

#if !defined(__SANITIZE_ADDRESS__)  // minutes with sanitizers
TEST_CASE("more than 2^32 rows, by repeating one chunk") {
  Memory memory;
  std::mt19937_64 random(8);
  const std::size_t n = std::size_t{1} << 20U;
  const Ints t = random_ints(n, 0, 4, 0, random);
  const Column a = memory.ints(t, DType::kUInt8);
  const std::vector<Column> many(4100, a);
  const Counted one = count_one(a, a);
  const Counted all = count(many, many, {}, {});
  CHECK(all.n_rows == 4100 * static_cast<std::int64_t>(n));
  for (std::size_t i = 0; i < one.cells.size(); ++i) CHECK(all.cells[i] == one.cells[i] * 4100);
}
#endif
