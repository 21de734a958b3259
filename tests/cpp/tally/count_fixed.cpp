// Counts with labels that are given, and labels outside them.
#include <doctest/doctest.h>

#include <cmath>

#include "support/columns.hpp"

using namespace test;

namespace {

Counted count_one(const Column& y_true, const Column& y_pred, const CountOptions& options = {}) {
  return count({&y_true, 1}, {&y_pred, 1}, {}, options);
}

}  // namespace

TEST_CASE("fixed labels: order kept, others counted, the first outsider named") {
  std::mt19937_64 random(7);
  const std::size_t n = 600'000;
  for (const auto& ints : std::vector<std::vector<std::int64_t>>{
           {0, 1, 2}, {7, 3, 5}, {-4, 200, 9}, {INT64_MIN, 1, INT64_MAX}, {}}) {
    Labels labels;
    labels.ints = ints;
    Ints t(n);
    Ints p(n);
    const auto pick = [&]() -> std::optional<std::int64_t> {
      const auto at = random() % 200;
      if (at == 0) return std::nullopt;
      if (at == 1 || ints.empty()) return 77;
      return ints[at % ints.size()];
    };
    for (std::size_t i = 0; i < n; ++i) {
      t[i] = pick();
      p[i] = pick();
    }
    std::vector<std::int64_t> cells(ints.size() * ints.size());
    std::int64_t other = 0;
    std::int64_t dropped = 0;
    std::int64_t first = -1;
    for (std::size_t i = 0; i < n; ++i) {
      if (!t[i] || !p[i]) {
        ++dropped;
        continue;
      }
      const auto row = std::find(ints.begin(), ints.end(), *t[i]);
      const auto column = std::find(ints.begin(), ints.end(), *p[i]);
      if (row == ints.end() || column == ints.end()) {
        ++other;
        if (first < 0) first = static_cast<std::int64_t>(i);
        continue;
      }
      ++cells[static_cast<std::size_t>(row - ints.begin()) * ints.size() +
              static_cast<std::size_t>(column - ints.begin())];
    }
    Memory memory;
    const Column a = memory.ints(t, DType::kInt64);
    const Column b = memory.ints(p, DType::kInt64);
    for (const int threads : {1, 2, 3}) {
      CountOptions options;
      options.labels = &labels;
      options.threads = threads;
      const auto cut = chunks(b, 20, random);
      const Counted counted = count({&a, 1}, cut, {}, options);
      CHECK(counted.labels == labels);
      CHECK(counted.cells == cells);
      CHECK(counted.n_dropped == dropped);
      CHECK(counted.n_other == other);
      CHECK(counted.outsider.row == first);
      CHECK(counted.outsider.label == "77");
      CHECK(counted.outsider.in_truth == (*t[static_cast<std::size_t>(first)] == 77));
    }
  }
}

TEST_CASE("what cannot be counted is refused by name") {
  Memory memory;
  const Column ints = memory.ints({1, 2, 3}, DType::kInt64);
  const Column texts = memory.texts({"a", "b", "c"});
  const Column two = memory.ints({1, 2}, DType::kInt64);
  const Column floats = memory.doubles({1, 2, 2.5});
  const Column whole = memory.doubles({1, -0.0, 3});
  const Column nan = memory.doubles({1, 2, std::nan("")});
  CHECK_THROWS_WITH_AS(count_one(texts, ints),
                       "`y_true` is String, `y_pred` is Int64: labels of one kind are needed",
                       InputError);
  CHECK_THROWS_WITH_AS(count_one(ints, two), "`y_true` has 3 rows, `y_pred` has 2", InputError);
  CountOptions options;
  CHECK(count_one(ints, whole, options).labels.ints == std::vector<std::int64_t>{0, 1, 2, 3});
  CHECK_THROWS_WITH_AS(count_one(ints, floats, options),
                       "label 2.5 at row 2 of `y_pred` is not a whole number; these look like "
                       "scores: give them to cm.sweep, or compare them with a threshold",
                       InputError);
  CHECK_THROWS_WITH_AS(count_one(floats, ints, options),
                       "label 2.5 at row 2 of `y_true` is not a whole number; these look like "
                       "scores, and true labels come before them",
                       InputError);
  CHECK(count_one(nan, ints, options).n_dropped == 1);
  for (const double far : {HUGE_VAL, -0x1.0000000000001p53}) {
    CHECK_THROWS_WITH_AS(count_one(memory.doubles({1, far, 0}), ints, options),
                         doctest::Contains("row 1 of `y_true` is not a whole number from -2^53"),
                         InputError);
  }
  CHECK(count_one(memory.doubles({0x1p53, -0x1p53, 0}), ints, options).labels.size() == 6);
  const Column huge = memory.ints({1, -1, 3}, DType::kUInt64);
  CHECK_THROWS_WITH_AS(count_one(ints, huge),
                       "label 18446744073709551615 at row 1 of `y_pred` is beyond 2^63 - 1",
                       InputError);
  const Column edge = memory.ints({INT64_MAX, INT64_MAX, INT64_MIN}, DType::kUInt64);
  CHECK_THROWS_WITH_AS(count_one(edge, edge),
                       "label 9223372036854775808 at row 2 of `y_true` is beyond 2^63 - 1",
                       InputError);
  Labels repeated;
  repeated.ints = {4, 5, 4};
  options.labels = &repeated;
  CHECK_THROWS_WITH_AS(count_one(ints, ints, options), "label 4 occurs twice in `labels`",
                       InputError);
  Labels negative;
  negative.ints = {-1, 1, 3};
  options.labels = &negative;
  const Counted counted = count_one(huge, ints, options);  // -1 is not 2^64 - 1
  CHECK(counted.n_other == 1);
  CHECK(counted.outsider.label == "18446744073709551615");
}
