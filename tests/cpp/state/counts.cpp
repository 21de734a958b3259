// The state of a confusion matrix: bytes that depend on the rows alone, merges, hostile bytes.
#include "confmat/state/counts.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "confmat/base/error.hpp"
#include "confmat/state/state_difference.hpp"
#include "confmat/tally/count.hpp"
#include "support/cells.hpp"
#include "support/damaged_bytes.hpp"
#include "support/fake_host.hpp"

using confmat::added;
using confmat::are_same;
using confmat::Column;
using confmat::Counts;
using confmat::CountsSum;
using confmat::decode_counts;
using confmat::DType;
using confmat::encode;
using confmat::InputError;
using confmat::Labels;
using confmat::Origin;
using confmat::StateDifference;
using confmat::StateError;
using confmat::taken_away;
using confmat::host::Bytes;
using confmat::host::cells_of;
using confmat::host::check_changed_ones;
using confmat::host::check_refused_when_damaged;
using confmat::host::counts_of;
using confmat::host::int_labels;
using confmat::host::Random;
using confmat::host::text_labels;

namespace {

template <class T>
Column column_of(const std::vector<T>& values, DType type) {
  Column out;
  out.type = type;
  out.length = static_cast<std::int64_t>(values.size());
  out.data = reinterpret_cast<const std::byte*>(values.data());
  out.stride = sizeof(T);
  return out;
}

struct Rows {
  std::vector<std::int64_t> y_true, y_pred;
  std::vector<double> weights;            // empty: none
  std::vector<std::int64_t> int_weights;  // empty: none

  [[nodiscard]] Rows cut(std::size_t first, std::size_t last) const {
    const auto part = [&](const auto& of) {
      using Vector = std::decay_t<decltype(of)>;
      if (of.empty()) return Vector{};
      return Vector(of.begin() + static_cast<std::ptrdiff_t>(first),
                    of.begin() + static_cast<std::ptrdiff_t>(last));
    };
    return {part(y_true), part(y_pred), part(weights), part(int_weights)};
  }
  [[nodiscard]] Counts state(const Labels* labels = nullptr) const {
    const Column truth = column_of(y_true, DType::kInt64);
    const Column prediction = column_of(y_pred, DType::kInt64);
    const bool weighted = !weights.empty() || !int_weights.empty();
    const Column weight = weights.empty() ? column_of(int_weights, DType::kInt64)
                                          : column_of(weights, DType::kFloat64);
    return state_of(count({&truth, 1}, {&prediction, 1},
                          weighted ? confmat::Chunks{&weight, 1} : confmat::Chunks{},
                          {.labels = labels, .threads = 1}),
                    labels != nullptr, weighted);
  }
};

enum class Weights : std::uint8_t { kNone, kInt, kFloat };

Rows random_rows(Random& random, std::size_t n, std::size_t k, Weights weights) {
  Rows rows;
  for (std::size_t i = 0; i < n; ++i) {
    rows.y_true.push_back(static_cast<std::int64_t>(random.below(k)) - 2);
    rows.y_pred.push_back(static_cast<std::int64_t>(random.below(k)) - 2);
    if (weights == Weights::kInt) {
      rows.int_weights.push_back(
          static_cast<std::int64_t>(random.bits() >> random.below(60) >> 14));
    }
    if (weights == Weights::kFloat) {
      const double part = static_cast<double>(random.bits() >> 11) * 0x1p-53;
      rows.weights.push_back(std::ldexp(part, static_cast<int>(random.below(80)) - 40));
    }
  }
  return rows;
}

std::vector<Bytes> golden() {
  Random random(5);
  std::vector<Bytes> out = {
      encode(counts_of({}, {})),
      encode(counts_of(int_labels({1, 2}), {5, 1, 2, 9})),
      encode(counts_of(int_labels({9, 2, 5}), {0, 1, 0, 70'000, 0, 0, 0, 0, 0}, Origin::kGiven, 2)),
      encode(counts_of(text_labels({"", "b", "a longer label"}), {1, 2, 3, 4, 5, 6, 7, 8, 300},
                       Origin::kGiven)),
      encode(random_rows(random, 60, 3, Weights::kFloat).state()),
      encode(random_rows(random, 60, 9, Weights::kFloat).state()),
      encode(random_rows(random, 20, 4, Weights::kInt).state())};
  return out;
}

}  // namespace

TEST_CASE("counts: any cut of the rows, merged in any order, has the bytes of all rows") {
  Random random(41);
  for (int trial = 0; trial < 240; ++trial) {
    const std::size_t n = 1 + random.below(200);
    const std::size_t k = 1 + random.below(trial % 4 == 0 ? 60 : 6);
    const auto weights = static_cast<Weights>(trial % 3);
    const Rows rows = random_rows(random, n, k, weights);
    const Labels given = int_labels({3, -2, -1, 0, 1, 2});
    const Labels* const labels = trial % 2 == 0 && k <= 6 ? &given : nullptr;
    const Bytes whole = encode(rows.state(labels));
    std::vector<Counts> parts;
    for (std::size_t at = 0; at < n;) {
      const std::size_t end = std::min(n, at + 1 + random.below(60));
      parts.push_back(rows.cut(at, end).state(labels));
      at = end;
    }
    for (int order = 0; order < 3; ++order) {
      for (std::size_t i = parts.size(); i > 1; --i) {
        std::swap(parts[i - 1], parts[random.below(i)]);
      }
      CountsSum of_states;
      CountsSum of_bytes;
      for (const Counts& part : parts) {
        of_states.add(part);
        of_bytes.add(encode(part));
      }
      CHECK((encode(of_states.take()) == whole));
      CHECK((encode(of_bytes.take()) == whole));
    }
    CHECK((encode(decode_counts(whole)) == whole));
    CHECK(are_same(decode_counts(whole), rows.state(labels)));
    // What was added is taken away again without a trace.
    const Counts twice = added(rows.state(labels), rows.state(labels));
    CHECK((encode(taken_away(twice, rows.state(labels))) == whole));
  }
}

TEST_CASE("counts: tables and cells of many classes are those of all rows, added or taken away") {
  Random random(43);
  const std::size_t n = 420'000, k = 1'300;
  const Rows rows = random_rows(random, n, k, Weights::kNone);
  const Counts all = rows.state();
  const Bytes whole = encode(all);
  // Labels of few rows are some of them.
  std::vector<std::size_t> ends = {0, 1'300, 300'000, 301'300, 303'000, n};
  std::vector<Counts> parts;
  for (std::size_t i = 1; i < ends.size(); ++i) {
    parts.push_back(rows.cut(ends[i - 1], ends[i]).state());
  }
  CHECK(parts[0].is_sparse);
  CHECK_FALSE(parts[1].is_sparse);
  for (int order = 0; order < 4; ++order) {
    CountsSum sum;
    for (const Counts& part : parts) sum.add(part);
    const Counts total = sum.take();
    CHECK_FALSE(total.is_sparse);
    CHECK((encode(total) == whole));
    std::ranges::rotate(parts, parts.begin() + 2);
  }
  for (const Counts& part : parts) {
    const Counts rest = taken_away(all, part);
    CHECK((encode(added(part, rest)) == whole));
    CHECK((encode(added(rest, part)) == whole));
  }
  const Counts few = rows.cut(0, ends[1]).state();
  CHECK((encode(taken_away(added(few, few), few)) == encode(few)));
  CHECK_THROWS_WITH_AS(static_cast<void>(taken_away(few, all)),
                       doctest::Contains("cannot subtract"), InputError);
  Counts large = rows.cut(ends[1], ends[2]).state();
  std::vector<std::int64_t> cells = cells_of(large);
  cells[77] = INT64_MAX - 300'000;
  large.cells = std::move(cells);
  CHECK_THROWS_WITH_AS(static_cast<void>(added(large, all)),
                       doctest::Contains("beyond 64-bit integers"), InputError);
}

TEST_CASE("counts: many alike, and among them others, are the sum of all") {
  CountsSum sum;
  const Labels labels = text_labels({"a", "b"});
  std::vector<std::int64_t> wanted(9);
  for (std::int64_t i = 0; i < 300; ++i) {
    sum.add(encode(counts_of(labels, {i, 1, i % 3, 70'000 * (i % 2)})));
    wanted[0] += i;
    wanted[1] += 1;
    wanted[3] += i % 3;
    wanted[4] += 70'000 * (i % 2);
    if (i % 100 == 50) {
      sum.add(encode(counts_of(text_labels({"b", "c"}), {1, 2, 3, 4})));
      wanted[4] += 1;
      wanted[5] += 2;
      wanted[7] += 3;
      wanted[8] += 4;
    }
  }
  Counts nothing = counts_of({}, {});
  nothing.rows.dropped = 5;  // rows of no class are not lost
  for (int i = 0; i < 3; ++i) sum.add(encode(nothing));
  const Counts all = sum.take();
  CHECK(all.rows.dropped == 15);
  CHECK((all.labels->labels == text_labels({"a", "b", "c"})));
  CHECK((cells_of(all) == wanted));
  CHECK_THROWS_AS(static_cast<void>(sum.take()), InputError);
}

TEST_CASE("counts: a sum of states with labels of their own starts anew after each") {
  Random random(11);
  CountsSum sum;
  for (int round = 0; round < 20; ++round) {
    const bool is_text = round % 3 == 2;
    const std::uint64_t most = round % 5 == 4 ? 2'000 : 30;  // labels: more than a table has
    Counts wanted = counts_of({}, {});
    for (int part = 0; part < 60; ++part) {
      std::vector<std::int64_t> labels;
      std::vector<std::string> texts;
      while (labels.size() < random.below(40)) {
        labels.push_back(static_cast<std::int64_t>(random.below(most)));
      }
      std::ranges::sort(labels);
      labels.erase(std::ranges::unique(labels).begin(), labels.end());
      for (const std::int64_t label : labels) texts.push_back(std::to_string(label));
      std::ranges::sort(texts);
      std::vector<std::int64_t> cells(labels.size() * labels.size());
      for (std::size_t i = 0; i < cells.size(); ++i) {
        cells[i] = random.below(3) == 0 ? static_cast<std::int64_t>(random.below(300)) : 0;
      }
      Counts one = counts_of(is_text ? text_labels(texts) : int_labels(labels), cells);
      one.rows.dropped = part;
      wanted = added(wanted, one);
      sum.add(encode(one));
    }
    CHECK((encode(sum.take()) == encode(wanted)));
  }
}

TEST_CASE("counts: a difference of saved states, the whole read once or again") {
  const Bytes whole = encode(counts_of(int_labels({1, 2}), {5, 1, 2, 9}));
  const Bytes other = encode(counts_of(int_labels({1, 2}), {7, 7, 7, 7}));
  const Bytes part = encode(counts_of(int_labels({2}), {4}));
  const Bytes rest = encode(counts_of(int_labels({1, 2}), {5, 1, 2, 5}));
  StateDifference difference;
  CHECK((difference.of(whole, part) == rest));
  CHECK((difference.of(whole, part) == rest));
  CHECK((decode_counts(difference.of(other, part)).rows.counted == 24));
  CHECK((difference.of(whole, part) == rest));
  CHECK_THROWS_AS(static_cast<void>(difference.of(part, whole)), InputError);
  CHECK_THROWS_AS(static_cast<void>(difference.of(whole, Bytes(200))), StateError);
}

TEST_CASE("counts: totals beyond 64 bits are refused, alike or not") {
  const Labels labels = int_labels({4});
  for (const std::int64_t cell : {std::int64_t{UINT32_MAX}, INT64_MAX}) {
    const Bytes bytes = encode(counts_of(labels, {cell}));
    CountsSum sum;
    sum.add(bytes);
    sum.add(encode(counts_of(labels, {INT64_MAX - cell})));
    sum.add(encode(counts_of(labels, {0})));
    CHECK_THROWS_AS(
        {
          sum.add(encode(counts_of(labels, {1})));
          static_cast<void>(sum.take());
        },
        InputError);
  }
  Counts one = counts_of(labels, {0});
  one.rows.dropped = INT64_MAX;
  CHECK_THROWS_AS(static_cast<void>(added(one, one)), InputError);
}

TEST_CASE("bytes: the smaller form, all cells where both are alike") {
  // Of 25 cells of one byte: 12 with their places take 24 bytes, 13 take 26.
  for (const std::int64_t filled : {12, 13}) {
    std::vector<std::int64_t> cells(25);
    for (std::int64_t i = 0; i < filled; ++i) cells[static_cast<std::size_t>(i)] = 1;
    const Bytes bytes = encode(counts_of(int_labels({1, 2, 3, 4, 5}), cells));
    const Bytes none =
        encode(counts_of(int_labels({1, 2, 3, 4, 5}), std::vector<std::int64_t>(25)));
    CHECK(bytes.size() == none.size() + (filled == 12 ? 24U : 25U));
  }
  std::vector<std::int64_t> many(2000);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<std::int64_t>(i);
  const Rows rows{many, many, {}, {}};
  const Counts state = rows.state();
  CHECK(state.is_sparse);
  CHECK(encode(state).size() < 2000 * (8 + 5) + 200);
  CHECK(decode_counts(encode(state)).is_sparse);
}

TEST_CASE("bytes: every prefix, every bit and bytes behind the last are refused") {
  check_refused_when_damaged(golden(),
                             [](const Bytes& of) { static_cast<void>(decode_counts(of)); });
  for (const Bytes& whole : golden()) {
    for (std::size_t n = 0; n < whole.size(); ++n) {
      const Bytes prefix(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(n));
      CountsSum sum;
      sum.add(whole);
      CHECK_THROWS_AS(sum.add(prefix), StateError);
    }
  }
}

TEST_CASE(
    "bytes: changed ones with a right checksum are refused, or are read as they are written") {
  const std::vector<Bytes> valid = golden();
  check_changed_ones(valid, 60'000, 42, [&](const Bytes& bytes) {
    CountsSum sum;
    try {
      const Counts counts = decode_counts(bytes);
      CHECK((encode(counts) == bytes));
      sum.add(bytes);
      sum.add(bytes);
      const Counts both = sum.take();
      CHECK((encode(both) == encode(added(counts, counts))));
    } catch (const StateError&) {
      CHECK_THROWS_AS(sum.add(bytes), StateError);
      sum.add(valid[1]);
      CHECK_THROWS_AS(sum.add(bytes), StateError);
      throw;
    }
  });
}
