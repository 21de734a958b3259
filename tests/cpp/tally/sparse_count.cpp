// Counts whose table of all pairs of classes does not fit: the same as those of a table.
#include <doctest/doctest.h>

#include <atomic>
#include <limits>

#include "confmat/base/interrupt.hpp"
#include "support/columns.hpp"

using namespace test;

namespace {

using Columns = std::vector<Column>;

void check_same(const Columns& t, const Columns& p, const Columns& w, const Labels* labels) {
  CountOptions options;
  options.labels = labels;
  const Counted wanted = count(t, p, w, options);
  for (const int threads : {1, 3}) {
    options.max_bytes = 0;
    options.threads = threads;
    const Counted sparse = count(t, p, w, options);
    CHECK(sparse.is_sparse == (sparse.labels.size() > 0));
    CHECK(std::ranges::is_sorted(sparse.places));
    CHECK(std::ranges::adjacent_find(sparse.places) == sparse.places.end());
    const Counted found = as_table(sparse, !w.empty());
    CHECK(found.labels == wanted.labels);
    CHECK(found.cells == wanted.cells);
    CHECK(found.weights == wanted.weights);
    CHECK(found.weights_sq == wanted.weights_sq);
    CHECK(found.n_rows == wanted.n_rows);
    CHECK(found.n_dropped == wanted.n_dropped);
    CHECK(found.n_other == wanted.n_other);
    CHECK(found.outsider.row == wanted.outsider.row);
    CHECK(found.outsider.in_truth == wanted.outsider.in_truth);
    CHECK(found.outsider.label == wanted.outsider.label);
  }
}

Texts texts_of(const Ints& values) {
  Texts texts;
  for (const auto& value : values) {
    if (!value) {
      texts.emplace_back(std::nullopt);
    } else {
      texts.emplace_back((*value % 3 == 0 ? "a longer name of class " : "c") +
                         std::to_string(*value));
    }
  }
  return texts;
}

}  // namespace

TEST_CASE("sparse counts of integers in every layout are those of a table") {
  std::mt19937_64 random(71);
  Labels few{Labels::Kind::kInt, {5, 3, 0, 17, 2}, {}};
  for (const std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{700'000}}) {
    const std::int64_t high = n > 1000 ? 120 : 20;
    const Ints t = random_ints(n, 0, high, 2, random);
    const Ints p = random_ints(n, 0, high, 1, random);
    for (const DType type : {DType::kInt8, DType::kUInt16, DType::kInt64, DType::kUInt64,
                             DType::kFloat32, DType::kFloat64}) {
      Memory memory;
      const Column a = memory.ints(t, type, {.stride = 3, .reversed = true, .null_offset = 5});
      const Column b = memory.ints(p, DType::kInt64, {.swapped = true, .misaligned = 1});
      check_same(chunks(a, 3, random), chunks(b, 2, random), {}, nullptr);
      check_same(chunks(a, 2, random), chunks(b, 3, random), {}, &few);
    }
    Memory memory;
    const Column nothing = memory.ints(Ints(n), DType::kNull);
    check_same({nothing}, {memory.ints(p, DType::kInt64)}, {}, nullptr);
    const Ints bits = random_ints(n, 0, 1, 2, random);
    check_same({memory.ints(bits, DType::kBoolBits, {.bit_offset = 3})},
               {memory.ints(bits, DType::kBool8)}, {}, nullptr);
  }
}

TEST_CASE("sparse counts of texts and of keys are those of a table") {
  std::mt19937_64 random(72);
  const std::size_t n = 300'000;
  const Ints t = random_ints(n, 0, 90, 2, random);
  const Ints p = random_ints(n, 0, 90, 2, random);
  const Labels given{Labels::Kind::kText, {}, {"c1", "c2", "a longer name of class 3", "none"}};
  Memory memory;
  std::vector<Column> forms;
  for (const TextLayout layout :
       {TextLayout::kOffsets32, TextLayout::kOffsets64, TextLayout::kView}) {
    forms.push_back(memory.texts(texts_of(t), {.null_offset = 3, .layout = layout}));
  }
  Ints names(91);
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = static_cast<std::int64_t>(i);
  forms.push_back(memory.keys(t, DType::kUInt32, memory.texts(texts_of(names))));
  const Column b = memory.texts(texts_of(p));
  for (const Column& a : forms) {
    check_same(chunks(a, 3, random), chunks(b, 2, random), {}, nullptr);
    check_same({a}, {b}, {}, &given);
  }
}

TEST_CASE("sparse sums of weights are those of a table, bit for bit") {
  std::mt19937_64 random(73);
  const std::size_t n = 400'000;
  Memory memory;
  const Column t = memory.ints(random_ints(n, -4, 40, 2, random), DType::kInt32);
  const Column p = memory.ints(random_ints(n, -4, 40, 2, random), DType::kInt64);
  const Column whole = memory.ints(random_ints(n, 0, 5, 2, random), DType::kInt64);
  std::vector<double> weights(n);
  for (double& weight : weights) {
    weight = random() % 4 == 0 ? 0.0 : static_cast<double>(random() % 1000) * 0x1p-11;
    if (random() % 9 == 0) weight *= 1e-30;
    if (random() % 9 == 0) weight *= 1e25;
  }
  const Labels given{Labels::Kind::kInt, {7, 8, 9, 1'000'000}, {}};
  for (const Labels* labels : {static_cast<const Labels*>(nullptr), &given}) {
    check_same({t}, {p}, {whole}, labels);
    check_same(chunks(t, 3, random), {p}, chunks(memory.doubles(weights), 4, random), labels);
    check_same({t}, {p}, {memory.doubles(std::vector<double>(n))}, labels);
  }
}

TEST_CASE("more classes than 16 bits number, found and given") {
  const std::int64_t k = 80'000;
  Ints t, p;
  for (std::int64_t i = 0; i < 3 * k; ++i) {
    t.emplace_back((i % k) * 1'000'003 - 5'000);
    p.emplace_back(((i * 7) % k) * 1'000'003 - 5'000);
  }
  Memory memory;
  const Columns a{memory.ints(t, DType::kInt64)};
  const Columns b{memory.ints(p, DType::kInt64)};
  const Counted found = count(a, b, {}, {});
  REQUIRE(found.is_sparse);
  CHECK(found.labels.size() == k);
  CHECK(std::ranges::is_sorted(found.labels.ints));
  std::map<std::int64_t, std::int64_t> cells;
  for (std::int64_t i = 0; i < 3 * k; ++i) ++cells[(i % k) * k + (i * 7) % k];
  REQUIRE(found.places.size() == cells.size());
  std::size_t at = 0;
  for (const auto& [place, rows] : cells) {
    CHECK(found.places[at] == place);
    CHECK(found.cells[at++] == rows);
  }
  Labels given = found.labels;
  std::ranges::reverse(given.ints);
  const Counted reversed = count(a, b, {}, {.labels = &given});
  CHECK(reversed.labels == given);
  CHECK(reversed.places.front() == k * k - 1 - found.places.back());
  given.ints[5] = given.ints[7];
  CHECK_THROWS_WITH_AS(count(a, b, {}, {.labels = &given}),
                       doctest::Contains("occurs twice in `labels`"), InputError);
}

TEST_CASE("a table is kept where it is small or a good part of it is filled, whatever the order") {
  std::mt19937_64 random(75);
  Memory memory;
  const auto counted = [&](std::int64_t k, std::size_t n, bool weighted) {
    Ints t = random_ints(n, 0, k - 1, 0, random);
    for (std::int64_t i = 0; i < k; ++i) t[static_cast<std::size_t>(i)] = i;  // all of them
    const Ints p = random_ints(n, 0, k - 1, 0, random);
    const Column a = memory.ints(t, DType::kInt64);
    const Column b = memory.ints(p, DType::kInt64);
    std::vector<Column> w;
    if (weighted) w.push_back(memory.doubles(std::vector<double>(n, 0.5)));
    const Counted found = count({&a, 1}, {&b, 1}, w, {});
    CHECK(found.labels.size() == k);
    const Counted table = as_table(found, weighted);
    std::vector<double> wanted(static_cast<std::size_t>(k * k));
    for (std::size_t i = 0; i < n; ++i) {
      wanted[static_cast<std::size_t>(*t[i] * k + *p[i])] += weighted ? 0.5 : 1.0;
    }
    CHECK((weighted ? table.weights == wanted
                    : std::ranges::equal(table.cells, wanted, [](std::int64_t x, double y) {
                        return static_cast<double>(x) == y;
                      })));
    return found.is_sparse;
  };
  for (const bool weighted : {false, true}) {
    CHECK(!counted(1024, 3'000, weighted));
    CHECK(counted(1025, 3'000, weighted));
    CHECK(counted(1100, 150'000, weighted));   // cells: 1,210,000
    CHECK(!counted(1100, 180'000, weighted));  // more than 151,250 of them
  }
}

TEST_CASE("what tables refuse, sparse counts refuse in the same words") {
  Memory memory;
  const Columns y{memory.ints({0, 1, 1, 0}, DType::kInt64)};
  CountOptions options;
  options.max_bytes = 0;
  const auto both = [&](const Columns& t, const Columns& w, const char* words) {
    CHECK_THROWS_WITH_AS(count(t, y, w, {}), doctest::Contains(words), InputError);
    CHECK_THROWS_WITH_AS(count(t, y, w, options), doctest::Contains(words), InputError);
  };
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  both({memory.ints({0, 1, -1, 0}, DType::kUInt64)}, {}, "at row 2 of `y_true` is beyond 2^63");
  both(y, {memory.ints({1, most, 1, 0}, DType::kInt64)},
       "with true label 1 and predicted label 1 sum to more than 2^63 - 1");
  both(y, {memory.ints({most, 1, 0, 0}, DType::kInt64)}, "sum to more than 2^63 - 1");
  both(y, {memory.doubles({1e308, 1e308, 0, 0})}, "more than the largest float64");
  both(y, {memory.doubles({1, 2, -3, 0})}, "weight -3 at row 2 of `sample_weight` is negative");
  const Column texts = memory.texts({"a", "b"});
  const Columns keys{memory.keys({0, 1, 2, 0}, DType::kInt8, texts)};
  CHECK_THROWS_WITH_AS(count(keys, keys, {}, options),
                       doctest::Contains("key 2 at row 2 of `y_true` is not in its dictionary"),
                       InputError);
  const Columns bad{memory.texts({"a", "\xff", "b", "c"})};
  CHECK_THROWS_WITH_AS(count(bad, bad, {}, options),
                       doctest::Contains("the text at row 1 of `y_true` is not UTF-8"), InputError);
}

TEST_CASE("a sparse count that is not wanted any more ends") {
  std::mt19937_64 random(74);
  Memory memory;
  const Columns y{memory.ints(random_ints(400'000, 0, 1'000'000, 0, random), DType::kInt32)};
  const std::atomic<bool> stop{true};
  const confmat::StopScope scope(&stop);
  CountOptions options;
  options.max_bytes = 0;
  CHECK_THROWS_AS(count(y, y, {}, options), confmat::Interrupted);
}
