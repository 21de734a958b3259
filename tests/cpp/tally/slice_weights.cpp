// Weights of slices from batches: the sums are those that a count of the rows of each slice has.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <vector>

#include "confmat/state/counts.hpp"
#include "confmat/tally/slice_counts.hpp"
#include "support/columns.hpp"

using namespace test;
using confmat::Chunks;
using confmat::Counts;
using confmat::Origin;
using confmat::SliceCounts;

namespace {

using Key = std::optional<std::int64_t>;
using States = std::map<Key, std::vector<std::uint8_t>>;

struct Rows {
  Ints key;
  Ints truth;
  Ints prediction;
  Ints weight;  // of 2^-20 where weights are doubles, and of sizes far apart where they are wild
};

enum class Weights : std::uint8_t { kIntegers, kDoubles, kWild };

Rows drawn(std::size_t n, std::mt19937_64& random) {
  Rows rows;
  for (std::size_t i = 0; i < n; ++i) {
    const auto most = static_cast<std::int64_t>(2 + 5 * i / n);
    const auto maybe = [&](std::int64_t value) {
      return random() % 32 == 0 ? std::nullopt : std::optional(value);
    };
    const auto below = [&](std::int64_t end) {
      return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(end));
    };
    rows.key.push_back(maybe(100 - 7 * below(most)));
    rows.truth.push_back(maybe(below(most) * 3 - 4));
    rows.prediction.push_back(maybe(below(most) * 3 - 4));
    rows.weight.push_back(maybe(random() % 8 == 0 ? 0 : below(1 << 20)));
  }
  return rows;
}

template <class Of>
std::vector<Of> part(const std::vector<Of>& of, std::size_t first, std::size_t last) {
  return {of.begin() + static_cast<std::ptrdiff_t>(first),
          of.begin() + static_cast<std::ptrdiff_t>(last)};
}

Column weights_of(Memory& memory, const Ints& weights, Weights kind) {
  if (kind == Weights::kIntegers) return memory.ints(weights, DType::kInt32);
  std::vector<double> values;
  for (const auto& weight : weights) {
    const auto whole = static_cast<double>(weight.value_or(0));
    const int size =
        kind == Weights::kWild ? static_cast<int>(weight.value_or(0) % 1800) - 1000 : -20;
    values.push_back(std::ldexp(whole, size));
  }
  Column column = memory.doubles(values);
  const Column nulls = memory.ints(weights, DType::kInt64);
  column.validity = nulls.validity;
  column.validity_offset = nulls.validity_offset;
  return column;
}

bool add(SliceCounts& counts, const Rows& rows, std::size_t first, std::size_t last, Weights kind) {
  Memory memory;
  const Column key = memory.ints(part(rows.key, first, last), DType::kInt16);
  const Column truth = memory.ints(part(rows.truth, first, last), DType::kInt8);
  const Column prediction = memory.ints(part(rows.prediction, first, last), DType::kInt64);
  const Column weight = weights_of(memory, part(rows.weight, first, last), kind);
  const Chunks keys[] = {{&key, 1}};
  return counts.add(keys, {&truth, 1}, {&prediction, 1}, {&weight, 1});
}

// Of each slice, counted by itself.
States naive(const Rows& rows, std::size_t n, const Labels* labels, Weights kind) {
  std::map<Key, Rows> slices;
  for (std::size_t i = 0; i < n; ++i) {
    Rows& slice = slices[rows.key[i]];
    slice.truth.push_back(rows.truth[i]);
    slice.prediction.push_back(rows.prediction[i]);
    slice.weight.push_back(rows.weight[i]);
  }
  States out;
  for (const auto& [key, slice] : slices) {
    Memory memory;
    const Column truth = memory.ints(slice.truth, DType::kInt64);
    const Column prediction = memory.ints(slice.prediction, DType::kInt64);
    const Column weight = weights_of(memory, slice.weight, kind);
    Counted counted = count({&truth, 1}, {&prediction, 1}, {&weight, 1}, {.labels = labels});
    out[key] = encode(state_of(std::move(counted), labels != nullptr, true));
  }
  return out;
}

States states_of(SliceCounts& counts, Origin origin) {
  const auto slices = counts.weighted(origin);
  const confmat::GroupKey& key = counts.keys()[0];
  States out;
  for (std::size_t i = 0; i < slices.states.size(); ++i) {
    const std::uint32_t number = slices.numbers[0][i];
    out[number == key.null() ? Key() : Key(key.base + number)] = encode(slices.states[i]);
  }
  return out;
}

}  // namespace

TEST_CASE("weights of slices are those of their rows, whatever the batches bring") {
  std::mt19937_64 random(66);
  Labels given;
  given.ints = {2, -4, -1};
  for (const Weights kind : {Weights::kIntegers, Weights::kDoubles, Weights::kWild}) {
    for (const std::size_t n : {std::size_t{40}, std::size_t{3000}, std::size_t{300'000}}) {
      const Rows rows = drawn(n, random);
      for (const int threads : {1, 2}) {
        for (const bool fixed : {false, true}) {
          SliceCounts counts(fixed ? std::optional(given) : std::nullopt, {.threads = threads});
          std::size_t last = 0;
          for (std::size_t first = 0; first < n; first = last) {
            last = std::min(n, first + 1 + random() % (n / 3 + 1));
            REQUIRE(add(counts, rows, first, last, kind));
          }
          REQUIRE(states_of(counts, fixed ? Origin::kGiven : Origin::kFound) ==
                  naive(rows, n, fixed ? &given : nullptr, kind));
        }
      }
    }
  }
}

TEST_CASE("a cell of a slice gets more weights than its fixed-point number holds") {
  std::mt19937_64 random(67);
  const std::size_t n = 500'000;
  Rows rows;
  rows.key.assign(n, 3);
  rows.truth.assign(n, 1);
  rows.prediction.assign(n, 1);
  for (std::size_t i = 0; i < n; ++i) {
    rows.weight.push_back(static_cast<std::int64_t>(i < 10 ? 1 : random() % (1 << 20)));
  }
  SliceCounts counts(std::nullopt, {.threads = 1});
  for (std::size_t first = 0; first < n; first += 100'000) {
    REQUIRE(add(counts, rows, first, first + 100'000, Weights::kDoubles));
  }
  CHECK(states_of(counts, Origin::kFound) == naive(rows, n, nullptr, Weights::kDoubles));
}

TEST_CASE("a batch with a weight that is none, or of another kind, leaves nothing behind") {
  std::mt19937_64 random(68);
  const Rows rows = drawn(2000, random);
  SliceCounts counts(std::nullopt, {.threads = 2});
  REQUIRE(add(counts, rows, 0, 500, Weights::kDoubles));
  const States before = states_of(counts, Origin::kFound);
  Memory memory;
  const std::size_t n = 400'000;
  std::vector<double> bad(n, 1.0);
  bad[n - 2] = -1.0;
  const Column key = memory.ints(Ints(n, 100), DType::kInt16);
  const Column label = memory.ints(Ints(n, -4), DType::kInt8);
  const Column weight = memory.doubles(bad);
  const Column whole = memory.ints(Ints(n, 1), DType::kInt8);
  const Chunks keys[] = {{&key, 1}};
  CHECK_THROWS_WITH_AS(counts.add(keys, {&label, 1}, {&label, 1}, {&weight, 1}),
                       "weight -1 at row 399998 of `sample_weight` is negative", InputError);
  CHECK(!counts.add(keys, {&label, 1}, {&label, 1}, {&whole, 1}));
  CHECK(!counts.add(keys, {&label, 1}, {&label, 1}));
  CHECK(states_of(counts, Origin::kFound) == before);
  REQUIRE(add(counts, rows, 500, 2000, Weights::kDoubles));
  CHECK(states_of(counts, Origin::kFound) == naive(rows, 2000, nullptr, Weights::kDoubles));
}
