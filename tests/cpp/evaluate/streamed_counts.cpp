// Counts that travel as bytes: parts add up to the whole, and foreign bytes are refused.
#include "confmat/evaluate/streamed_counts.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "confmat/base/error.hpp"
#include "confmat/evaluate/spec.hpp"
#include "confmat/state/counts.hpp"
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
  const std::vector<std::span<const std::uint8_t>> views(parts.begin(), parts.end());
  return merge_partials(views);
}

// The bytes of these labels, rows left out (dropped, other) and cells.
Bytes hand_made(const Labels& labels, const std::vector<std::int64_t>& rest) {
  confmat::Counts counts;
  counts.labels = std::make_shared<const confmat::LabelSet>(
      confmat::LabelSet{labels, confmat::Origin::kFound, 0});
  std::vector<std::int64_t> cells(rest.begin() + 2, rest.end());
  counts.rows = {.counted = 0, .dropped = rest[0], .other = rest[1]};
  for (const auto cell : cells) counts.rows.counted += cell;
  counts.cells = std::move(cells);
  return confmat::encode(counts);
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

TEST_CASE("partial: labels outside are refused unless asked for") {
  Spec spec;
  spec.labels = int_labels({0, 1});
  CHECK_THROWS_WITH_AS(static_cast<void>(part_of({0, 1, 9}, {0, 1, 1}, spec)),
                       doctest::Contains("`y_true`"), InputError);
  CHECK_THROWS_WITH_AS(static_cast<void>(part_of({0, 1, 1}, {0, 1, 9}, spec)),
                       doctest::Contains("label 9 at row 2 of `y_pred`"), InputError);
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
}

TEST_CASE("merge: counts beyond 2^62 are refused") {
  const auto one = [](std::int64_t dropped, std::int64_t other, std::int64_t cell) {
    return hand_made(int_labels({4}), {dropped, other, cell});
  };
  constexpr std::int64_t kMost = std::int64_t{1} << 62;
  CHECK(merged({one(0, 0, kMost)}).counts[0] == kMost);
  CHECK_THROWS_AS(merged({one(0, 0, kMost), one(0, 0, 1)}), StateError);
  CHECK_THROWS_AS(merged({one(kMost, 0, 0), one(kMost, 0, 0)}), InputError);
  // No double is 2^53 + 1.
  const std::int64_t large = std::int64_t{1} << 53;
  CHECK(merged({one(0, 0, large), one(0, 0, 1)}).totals.n == large + 1);
}

TEST_CASE("merge: a union too large for a table is refused before it is made") {
  std::vector<Bytes> parts;
  for (std::int64_t label = 0; label < 12'000; ++label) {
    parts.push_back(hand_made(int_labels({label}), {0, 0, 1}));
  }
  CHECK_THROWS_AS(merged(parts), InputError);
}
