// Counts that travel as bytes: parts add up to the whole, and foreign bytes are refused.
#include "confmat/evaluate/partial.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "confmat/base/error.hpp"
#include "confmat/evaluate/spec.hpp"
#include "support/fake_host.hpp"

using confmat::Column;
using confmat::DType;
using confmat::GroupTable;
using confmat::InputError;
using confmat::Labels;
using confmat::merge_partials;
using confmat::partial_counts;
using confmat::Spec;
using confmat::StateError;
using confmat::host::Bytes;
using confmat::host::int_labels;
using confmat::host::Random;
using confmat::host::text_labels;

namespace {

Column column_of(const std::vector<std::int64_t>& values) {
  Column out;
  out.type = DType::kInt64;
  out.length = static_cast<std::int64_t>(values.size());
  out.data = reinterpret_cast<const std::byte*>(values.data());
  out.stride = 8;
  return out;
}

Bytes part_of(const std::vector<std::int64_t>& y_true, const std::vector<std::int64_t>& y_pred,
              const Spec& spec = {}) {
  const Column truth = column_of(y_true);
  const Column prediction = column_of(y_pred);
  return partial_counts({&truth, 1}, {&prediction, 1}, spec, 1);
}

GroupTable merged(const std::vector<Bytes>& parts) {
  std::vector<std::vector<char>> exact;
  std::vector<std::string_view> views;
  for (const auto& part : parts) exact.emplace_back(part.begin(), part.end());
  for (const auto& part : exact) views.emplace_back(part.data(), part.size());
  return merge_partials(views);
}

// kind, number of labels, labels, dropped, other, form, cells.
Bytes hand_made(const Labels& labels, const std::vector<std::int64_t>& rest) {
  Bytes out;
  const auto put = [&out](const auto& value) {
    const auto* from = reinterpret_cast<const std::uint8_t*>(&value);
    out.insert(out.end(), from, from + sizeof(value));
  };
  put(static_cast<std::uint8_t>(labels.kind));
  put(static_cast<std::uint32_t>(labels.size()));
  for (const auto label : labels.ints) put(label);
  for (const auto& label : labels.texts) {
    put(static_cast<std::uint32_t>(label.size()));
    out.insert(out.end(), label.begin(), label.end());
  }
  for (std::size_t i = 0; i < rest.size(); ++i) {
    if (i == 2) put(std::uint8_t{0});
    put(rest[i]);
  }
  if (rest.size() == 2) put(std::uint8_t{0});
  return out;
}

// The same with the cells that are not 0: their indexes and counts.
Bytes sparse(const Labels& labels,
             const std::vector<std::pair<std::uint32_t, std::int64_t>>& cells) {
  Bytes out = hand_made(labels, {0, 0});
  out.back() = 1;
  const auto put = [&out](const auto& value) {
    const auto* from = reinterpret_cast<const std::uint8_t*>(&value);
    out.insert(out.end(), from, from + sizeof(value));
  };
  put(static_cast<std::uint32_t>(cells.size()));
  for (const auto& [index, count] : cells) {
    put(index);
    put(count);
  }
  return out;
}

void check_same(const GroupTable& a, const GroupTable& b) {
  CHECK((a.labels == b.labels));
  CHECK((a.counts == b.counts));
  CHECK(a.totals.n == b.totals.n);
  CHECK(a.totals.n_dropped == b.totals.n_dropped);
  CHECK(a.totals.n_other == b.totals.n_other);
}

}  // namespace

TEST_CASE("partial: the parts of any cut, in any order, give the whole") {
  Random random(31);
  for (int trial = 0; trial < 150; ++trial) {
    const std::size_t n = random.below(300);
    const std::size_t k = 1 + random.below(trial % 3 == 0 ? 80 : 6);
    std::vector<std::int64_t> y[2];
    for (auto& side : y) {
      for (std::size_t i = 0; i < n; ++i) {
        side.push_back(static_cast<std::int64_t>(random.below(k)) - 3);
      }
    }
    Spec spec;
    if (trial % 2 == 0) {
      spec.labels = int_labels({2, -1, 0, -3, 1, -2});  // an order of the caller's own
      spec.bucket_other = true;
    }
    const GroupTable whole = merged({part_of(y[0], y[1], spec)});
    CHECK(whole.totals.n + whole.totals.n_other == static_cast<std::int64_t>(n));
    std::vector<Bytes> parts;
    for (std::size_t at = 0; at < n;) {
      const std::size_t end = std::min(n, at + random.below(90));
      const auto cut = [&](const auto& side) {
        return std::vector<std::int64_t>(side.begin() + static_cast<std::ptrdiff_t>(at),
                                         side.begin() + static_cast<std::ptrdiff_t>(end));
      };
      parts.push_back(part_of(cut(y[0]), cut(y[1]), spec));
      at = end;
    }
    if (n == 0) continue;
    check_same(merged(parts), whole);
    for (int order = 0; order < 3; ++order) {
      for (std::size_t i = parts.size(); i > 1; --i) {
        std::swap(parts[i - 1], parts[random.below(i)]);
      }
      check_same(merged(parts), whole);
    }
  }
}

TEST_CASE("partial: the bytes are the counts and nothing else") {
  const Bytes part = part_of({5, 5, 7}, {5, 7, 7});
  CHECK((part == hand_made(int_labels({5, 7}), {0, 0, 1, 1, 0, 1})));
  CHECK((part_of({}, {}) == hand_made({}, {0, 0})));
  // Many labels and few rows: only the cells that are not 0.
  const Bytes few = part_of({1, 2, 3, 3}, {1, 2, 2, 2});
  CHECK((few == sparse(int_labels({1, 2, 3}), {{0, 1}, {4, 1}, {7, 2}})));
  check_same(merged({few}),
             merged({hand_made(int_labels({1, 2, 3}), {0, 0, 1, 0, 0, 0, 1, 0, 0, 2, 0})}));
  std::vector<std::int64_t> labels(2000);
  for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = static_cast<std::int64_t>(i);
  const Bytes many = part_of(labels, labels);
  CHECK(many.size() < 2000 * (8 + 12) + 100);
  CHECK(merged({many, many}).totals.n == 4000);
}

TEST_CASE("merge: cells that do not belong to the table are refused") {
  const Labels two = int_labels({4, 5});
  CHECK(merged({sparse(two, {{0, 1}, {3, 2}})}).totals.n == 3);
  CHECK_THROWS_AS(merged({sparse(two, {{4, 1}})}), StateError);
  CHECK_THROWS_AS(merged({sparse(two, {{0xFFFFFFFFU, 1}})}), StateError);
  CHECK_THROWS_AS(merged({sparse(two, {{1, 1}, {1, 1}})}), StateError);
  CHECK_THROWS_AS(merged({sparse(two, {{2, 1}, {1, 1}})}), StateError);
  CHECK_THROWS_AS(merged({sparse(two, {{0, -1}})}), StateError);
  CHECK_THROWS_AS(merged({sparse({}, {{0, 1}})}), StateError);
  for (unsigned form = 2; form < 256; ++form) {
    Bytes other = hand_made(two, {0, 0, 1, 2, 3, 4});
    other[5 + 16 + 16] = static_cast<std::uint8_t>(form);
    CHECK_THROWS_AS(merged({other}), StateError);
  }
}

TEST_CASE("merge: labels in an order of the caller's own stay in it while all parts agree") {
  const Labels own = int_labels({9, 2, 5});
  const Bytes part = sparse(own, {{1, 3}});
  CHECK((merged({part, part}).labels == own));
  CHECK(merged({part, part}).counts[1] == 6);
  const GroupTable mixed = merged({part, sparse(int_labels({2, 7}), {{0, 1}}), part});
  CHECK((mixed.labels == int_labels({2, 5, 7, 9})));
  CHECK(mixed.counts[3 * 4 + 0] == 6);
  CHECK(mixed.counts[0] == 1);
}

TEST_CASE("partial: labels outside are refused unless asked for") {
  Spec spec;
  spec.labels = int_labels({0, 1});
  CHECK_THROWS_WITH_AS(static_cast<void>(part_of({0, 1, 9}, {0, 1, 1}, spec)),
                       doctest::Contains("`y_true`"), InputError);
  CHECK_THROWS_WITH_AS(static_cast<void>(part_of({0, 1, 1}, {0, 1, 9}, spec)),
                       doctest::Contains("label 9 of `y_pred`"), InputError);
  spec.bucket_other = true;
  CHECK(merged({part_of({0, 1, 9}, {9, 1, 1}, spec)}).totals.n_other == 2);
}

TEST_CASE("merge: the union of labels") {
  CHECK(merged({}).labels.size() == 0);
  const Bytes a = hand_made(text_labels({"a", "c"}), {1, 2, 10, 20, 30, 40});
  const Bytes b = hand_made(text_labels({"b", "c"}), {4, 8, 1, 2, 3, 4});
  const Bytes nothing = hand_made({}, {16, 0});
  const GroupTable wanted{.labels = text_labels({"a", "b", "c"}),
                          .counts = {10, 0, 20, 0, 1, 2, 30, 3, 44},
                          .weights = {},
                          .totals = {.n = 110, .n_dropped = 21, .n_other = 10}};
  check_same(merged({a, b, nothing}), wanted);
  check_same(merged({nothing, b, a}), wanted);
  Labels bools = int_labels({0, 1});
  bools.kind = Labels::Kind::kBool;
  const Bytes c = hand_made(bools, {0, 0, 1, 2, 3, 4});
  const Bytes d = hand_made(int_labels({1, 2}), {0, 0, 1, 2, 3, 4});
  check_same(merged({c, d}), merged({d, c}));
  CHECK_THROWS_AS(merged({a, c}), StateError);
  CHECK_THROWS_AS(merged({c, a}), StateError);
}

TEST_CASE("merge: prefixes, trailing bytes and lies are refused") {
  const std::vector<Bytes> valid = {
      hand_made(int_labels({1, 2, 3}), {1, 2, 1, 2, 3, 4, 5, 6, 7, 8, 9}),
      hand_made(text_labels({"", "b", "a longer label"}), {0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9}),
      hand_made({}, {0, 0}), sparse(int_labels({4, 5}), {{0, 1}, {3, 2}})};
  for (const auto& whole : valid) {
    CHECK_NOTHROW(merged({whole}));
    for (std::size_t n = 0; n < whole.size(); ++n) {
      CAPTURE(n);
      const Bytes prefix(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(n));
      CHECK_THROWS_AS(merged({prefix}), StateError);
      CHECK_THROWS_AS(merged({whole, prefix}), StateError);
    }
    Bytes longer = whole;
    longer.push_back(0);
    CHECK_THROWS_AS(merged({longer}), StateError);
    longer.resize(whole.size() + 8);
    CHECK_THROWS_AS(merged({longer}), StateError);
    for (unsigned kind = 3; kind < 256; ++kind) {
      Bytes other = whole;
      other[0] = static_cast<std::uint8_t>(kind);
      CHECK_THROWS_AS(merged({other}), StateError);
    }
    for (const std::uint32_t claim : {0x00FFFFFFU, 0x20000000U, 0x80000000U, 0xFFFFFFFFU}) {
      Bytes other = whole;
      std::memcpy(other.data() + 1, &claim, sizeof(claim));
      CHECK_THROWS_AS(merged({other}), StateError);
    }
  }
}

TEST_CASE("merge: counts that are negative or beyond 2^62 are refused") {
  const auto one = [](std::int64_t dropped, std::int64_t other, std::int64_t cell) {
    return hand_made(int_labels({4}), {dropped, other, cell});
  };
  constexpr std::int64_t kMost = std::int64_t{1} << 62;
  const std::vector<std::int64_t> bad = {-1, INT64_MIN, kMost + 1, INT64_MAX};
  for (const auto count : bad) {
    CHECK_THROWS_AS(merged({one(count, 0, 0)}), StateError);
    CHECK_THROWS_AS(merged({one(0, count, 0)}), StateError);
    CHECK_THROWS_AS(merged({one(0, 0, count)}), StateError);
  }
  CHECK(merged({one(0, 0, kMost)}).counts[0] == kMost);
  CHECK_THROWS_AS(merged({one(0, 0, kMost), one(0, 0, 1)}), StateError);
  CHECK_THROWS_AS(merged({one(kMost, 0, 0), one(kMost, 0, 0)}), StateError);
  // No double is 2^53 + 1.
  const std::int64_t large = std::int64_t{1} << 53;
  CHECK(merged({one(0, 0, large), one(0, 0, 1)}).totals.n == large + 1);
}

TEST_CASE("merge: changed bytes never do harm") {
  Random random(32);
  const std::vector<Bytes> valid = {
      hand_made(int_labels({1, 2, 3}), {1, 2, 1, 2, 3, 4, 5, 6, 7, 8, 9}),
      hand_made(text_labels({"", "b", "a longer label"}), {0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9}),
      sparse(int_labels({1, 2, 3}), {{0, 1}, {4, 5}, {8, 9}})};
  int refused = 0;
  for (int i = 0; i < 40'000; ++i) {
    std::vector<Bytes> parts = {valid[random.below(3)], valid[random.below(3)]};
    for (std::size_t n = 1 + random.below(4); n > 0; --n) {
      auto& part = parts[random.below(2)];
      auto& byte = part[random.below(part.size())];
      byte = static_cast<std::uint8_t>(random.chance(2) ? random.bits()
                                                        : byte ^ (1U << random.below(8)));
    }
    try {
      const GroupTable table = merged(parts);
      const auto k = static_cast<std::size_t>(table.labels.size());
      CHECK(table.counts.size() == k * k);
    } catch (const StateError&) {
      ++refused;
    }
  }
  CHECK(refused > 4000);
  CHECK(refused < 40'000);
}

TEST_CASE("merge: a union too large for a table is refused before it is made") {
  std::vector<Bytes> parts;
  for (std::int64_t label = 0; label < 12'000; ++label) {
    parts.push_back(hand_made(int_labels({label}), {0, 0, 1}));
  }
  CHECK_THROWS_AS(merged(parts), InputError);
}
