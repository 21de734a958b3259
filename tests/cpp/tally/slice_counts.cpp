// Counts of slices from batches: those of all rows at once, whatever the batches bring.
#include "confmat/tally/slice_counts.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "confmat/base/error.hpp"
#include "confmat/tally/slice_numbers.hpp"
#include "support/columns.hpp"

using namespace test;
using confmat::Chunks;
using confmat::GroupKey;
using confmat::InputError;
using confmat::SliceCounts;
using confmat::SliceNumbers;

namespace {

using Value = std::optional<std::string>;
using Cells = std::map<std::vector<Value>, std::int64_t>;  // keys, truth, prediction

struct Rows {
  Ints day;
  Texts site;
  Ints truth;
  Ints prediction;
};

Value shown(const std::optional<std::int64_t>& value) {
  return value ? Value(std::to_string(*value)) : std::nullopt;
}

Value value_of(const GroupKey& key, std::uint32_t number) {
  if (number == key.null()) return std::nullopt;
  if (!key.set) return std::to_string(key.base + number);
  return key.listed.kind == confmat::Labels::Kind::kText ? key.listed.texts[number]
                                                         : std::to_string(key.listed.ints[number]);
}

Cells cells_of(const SliceCounts& counts) {
  const auto tables = counts.tables();
  const auto side = static_cast<std::size_t>(tables.side);
  Cells out;
  for (std::size_t g = 0; g < static_cast<std::size_t>(tables.groups); ++g) {
    std::vector<Value> keys;
    for (std::size_t i = 0; i < counts.keys().size(); ++i) {
      keys.push_back(value_of(counts.keys()[i], tables.numbers[i][g]));
    }
    for (std::size_t at = 0; at < side * side; ++at) {
      const std::int64_t n = tables.cells[g * side * side + at];
      if (n == 0) continue;
      const auto label = [&](std::size_t c) -> Value {
        if (c + 1 == side) return std::nullopt;
        return c + 2 == side ? Value("other") : std::to_string(counts.labels().ints[c]);
      };
      auto place = keys;
      place.push_back(label(at / side));
      place.push_back(label(at % side));
      out[place] += n;
    }
  }
  return out;
}

Cells naive(const Rows& rows, std::size_t last) {
  Cells out;
  for (std::size_t i = 0; i < last; ++i) {
    ++out[{shown(rows.day[i]), rows.site[i], shown(rows.truth[i]), shown(rows.prediction[i])}];
  }
  return out;
}

// Later rows have other days, sites and labels.
Rows drawn(std::size_t n, std::mt19937_64& random) {
  Rows rows;
  for (std::size_t i = 0; i < n; ++i) {
    const auto most = static_cast<std::int64_t>(2 + 6 * i / n);
    const auto below = [&](std::int64_t end) {
      return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(end));
    };
    const auto maybe = [&](std::int64_t value) {
      return random() % 16 == 0 ? std::nullopt : std::optional(value);
    };
    rows.day.push_back(maybe(1000 - 100 * below(most)));
    rows.site.push_back(
        random() % 16 == 0 ? std::nullopt
                           : Value("site " + std::string(1, static_cast<char>('z' - below(most)))));
    rows.truth.push_back(maybe(below(most) * 3 - 4));
    rows.prediction.push_back(maybe(below(most) * 3 - 4));
  }
  return rows;
}

template <class Of>
std::vector<Of> part(const std::vector<Of>& of, std::size_t first, std::size_t last) {
  return {of.begin() + static_cast<std::ptrdiff_t>(first),
          of.begin() + static_cast<std::ptrdiff_t>(last)};
}

bool add(SliceCounts& counts, const Rows& rows, std::size_t first, std::size_t last) {
  Memory memory;
  const Column day = memory.ints(part(rows.day, first, last), DType::kInt16);
  const Column site = memory.texts(part(rows.site, first, last), {.layout = TextLayout::kView});
  const Column truth = memory.ints(part(rows.truth, first, last), DType::kInt8);
  const Column prediction = memory.ints(part(rows.prediction, first, last), DType::kInt64);
  const Chunks keys[] = {{&day, 1}, {&site, 1}};
  return counts.add(keys, {&truth, 1}, {&prediction, 1});
}

}  // namespace

TEST_CASE("counts of slices are those of all rows, whatever the batches bring") {
  std::mt19937_64 random(61);
  for (const std::size_t n : {std::size_t{40}, std::size_t{3000}, std::size_t{400'000}}) {
    const Rows rows = drawn(n, random);
    for (const int threads : {1, 2}) {
      SliceCounts counts(std::nullopt, {.threads = threads});
      for (std::size_t first = 0; first < n;) {
        const std::size_t last = std::min(n, first + 1 + random() % (n / 3 + 1));
        REQUIRE(add(counts, rows, first, last));
        if (n < 400'000) REQUIRE(cells_of(counts) == naive(rows, last));
        first = last;
      }
      REQUIRE(cells_of(counts) == naive(rows, n));
      CHECK(!counts.refused());
    }
  }
}

TEST_CASE("keys grow from windows to lists and back, and tables move with them") {
  SliceCounts counts(std::nullopt, {.threads = 1});
  Cells wanted;
  const std::int64_t far = std::int64_t{1} << 50;
  std::vector<Ints> batches = {{5, 7, std::nullopt},    {1000, 5}, {5000, 5}, {far, -far, 7},
                               {std::nullopt, far + 1}, {7, 6000}};
  Ints many;  // more than are listed, in a window: with the far ones, too many of any kind
  for (std::int64_t i = 0; i < 20'000; ++i) many.push_back(i);
  for (const Ints& days : batches) {
    Memory memory;
    const Column day = memory.ints(days, DType::kInt64);
    const Column label = memory.ints(Ints(days.size(), 1), DType::kInt8);
    const Chunks keys[] = {{&day, 1}};
    REQUIRE(counts.add(keys, {&label, 1}, {&label, 1}));
    for (const auto& one : days) ++wanted[{shown(one), "1", "1"}];
    REQUIRE(cells_of(counts) == wanted);
  }
  Memory memory;
  const Column day = memory.ints(many, DType::kInt64);
  const Column label = memory.ints(Ints(many.size(), 1), DType::kInt8);
  const Chunks keys[] = {{&day, 1}};
  CHECK(!counts.add(keys, {&label, 1}, {&label, 1}));
  CHECK(cells_of(counts) == wanted);
  SliceCounts wide(std::nullopt, {.threads = 1});
  REQUIRE(wide.add(keys, {&label, 1}, {&label, 1}));
  const Column later = memory.ints({-5, 30'000, 3}, DType::kInt64);
  const Column three = memory.ints(Ints(3, 1), DType::kInt8);
  const Chunks more[] = {{&later, 1}};
  REQUIRE(wide.add(more, {&three, 1}, {&three, 1}));
  CHECK(cells_of(wide).size() == 20'002);
  CHECK(cells_of(wide)[{"3", "1", "1"}] == 2);
}

TEST_CASE("labels outside those given are counted as such, and no batch is read twice for them") {
  std::mt19937_64 random(62);
  const Rows rows = drawn(2000, random);
  Labels given;
  given.ints = {-4, -1, 2};
  SliceCounts counts(given, {.threads = 2});
  REQUIRE(add(counts, rows, 0, 700));
  REQUIRE(add(counts, rows, 700, 2000));
  Cells wanted;
  for (const auto& [place, of] : naive(rows, 2000)) {
    auto known = place;
    for (const std::size_t at : {std::size_t{2}, std::size_t{3}}) {
      const bool is_given =
          !known[at] || *known[at] == "-4" || *known[at] == "-1" || *known[at] == "2";
      if (!is_given) known[at] = "other";
    }
    wanted[known] += of;
  }
  CHECK(cells_of(counts) == wanted);
  given.ints = {2, -4, -1};  // in an order that has a meaning
  SliceCounts unsorted(given, {.threads = 2});
  REQUIRE(add(unsorted, rows, 0, 700));
  REQUIRE(add(unsorted, rows, 700, 2000));
  CHECK(cells_of(unsorted) == wanted);
  SliceCounts strict(given, {.threads = 2, .refuse_other = true});
  CHECK(!add(strict, rows, 0, 2000));
  CHECK(strict.refused());
  CHECK(cells_of(strict).empty());
}

TEST_CASE("a batch that does not fit or is refused leaves nothing behind") {
  std::mt19937_64 random(63);
  const Rows rows = drawn(5000, random);
  SliceCounts counts(std::nullopt, {.threads = 2, .max_bytes = 1 << 24});
  REQUIRE(add(counts, rows, 0, 500));
  const Cells before = cells_of(counts);
  Memory memory;
  const Ints zeros(4, 0);
  const Column few = memory.ints(zeros, DType::kInt8);
  const Column site = memory.texts(Texts(4, "site a"));
  const Column beyond = memory.ints({1, -1, 0, 0}, DType::kUInt64);
  const Column fraction = memory.doubles({0, 1, 0.5, 1});
  const Column words = memory.texts({"a", "b", "a", "b"});
  const Column truths = memory.ints({0, 1, 1, 0}, DType::kBool8);
  const auto call = [&](const Column& day, const Column& name, const Column& t, const Column& p) {
    const Chunks keys[] = {{&day, 1}, {&name, 1}};
    return counts.add(keys, {&t, 1}, {&p, 1});
  };
  CHECK(!call(beyond, site, few, few));  // no place among 64-bit integers
  CHECK(!call(site, site, few, few));    // texts where there were numbers
  CHECK(!call(few, few, few, few));      // and the other way round
  CHECK_THROWS_AS(call(few, site, few, fraction), InputError);
  CHECK_THROWS_AS(call(few, site, words, words), InputError);
  CHECK_THROWS_AS(call(few, site, truths, truths), InputError);
  CHECK(cells_of(counts) == before);
  REQUIRE(add(counts, rows, 500, 5000));
  CHECK(cells_of(counts) == naive(rows, 5000));
}

TEST_CASE("a fraction far behind takes back what was counted before it") {
  std::mt19937_64 random(64);
  const Rows rows = drawn(100, random);
  SliceCounts counts(std::nullopt, {.threads = 2});
  REQUIRE(add(counts, rows, 0, 100));
  const Cells before = cells_of(counts);
  Memory memory;
  const std::size_t n = 500'000;
  std::vector<double> labels(n, 2);
  labels[n - 3] = 0.5;
  const Column t = memory.doubles(labels);
  const Column day = memory.ints(Ints(n, 1000), DType::kInt16);
  const Column site = memory.texts(Texts(n, "site z"));
  const Chunks keys[] = {{&day, 1}, {&site, 1}};
  CHECK_THROWS_AS(counts.add(keys, {&t, 1}, {&t, 1}), InputError);
  CHECK(cells_of(counts) == before);
}

TEST_CASE("numbers of slices stay when later batches bring others") {
  std::mt19937_64 random(65);
  const std::size_t n = 300'000;
  const Rows rows = drawn(n, random);
  SliceNumbers numbers(2);
  std::map<std::vector<Value>, std::uint32_t> known;
  for (std::size_t first = 0; first < n;) {
    const std::size_t last = std::min(n, first + 1 + random() % 90'000);
    Memory memory;
    const Column day = memory.ints(part(rows.day, first, last), DType::kInt32);
    const Column site = memory.texts(part(rows.site, first, last));
    const Chunks keys[] = {{&day, 1}, {&site, 1}};
    std::vector<std::uint32_t> out(last - first);
    REQUIRE(numbers.of_rows(keys, out.data()));
    for (std::size_t i = first; i < last; ++i) {
      const std::uint32_t number = out[i - first];
      const auto [at, is_new] = known.try_emplace({shown(rows.day[i]), rows.site[i]}, number);
      REQUIRE(at->second == number);
    }
    first = last;
  }
  REQUIRE(numbers.size() == std::ssize(known));
  for (const auto& [values, number] : known) {
    for (std::size_t key = 0; key < 2; ++key) {
      REQUIRE(value_of(numbers.keys()[key], numbers.values(key)[number]) == values[key]);
    }
  }
  Memory memory;
  const Column beyond = memory.ints({1, -1}, DType::kUInt64);
  const Column site = memory.texts(Texts(2, "site a"));
  const Chunks keys[] = {{&beyond, 1}, {&site, 1}};
  std::uint32_t out[2];
  CHECK(!numbers.of_rows(keys, out));
  CHECK(numbers.size() == std::ssize(known));
}

TEST_CASE("keys lie in chunks of their own, and any one of them brings new values") {
  SliceNumbers numbers(1);
  Memory memory;
  const Column day = memory.ints(Ints{1, 1, 2, 2}, DType::kInt32);
  const Column sites[] = {memory.texts(Texts{"a", "b"}), memory.texts(Texts{"a", "b"})};
  const Chunks keys[] = {{&day, 1}, {sites, 2}};
  std::uint32_t out[4];
  const auto are = [&](std::uint32_t first) {
    for (std::uint32_t i = 0; i < 4; ++i) CHECK(out[i] == first + i);
  };
  REQUIRE(numbers.of_rows(keys, out));
  are(0);
  const Column later = memory.ints(Ints{8001, 8001, 8002, 8002}, DType::kInt32);
  const Chunks other_days[] = {{&later, 1}, {sites, 2}};
  REQUIRE(numbers.of_rows(other_days, out));
  are(4);
  const Column others = memory.texts(Texts{"c", "d", "c", "d"});
  const Chunks other_sites[] = {{&day, 1}, {&others, 1}};
  REQUIRE(numbers.of_rows(other_sites, out));
  are(8);
}
