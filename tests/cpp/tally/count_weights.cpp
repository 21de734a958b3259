// Counts with weights: exact sums, and weights that are refused.
#include <doctest/doctest.h>

#include <cfloat>
#include <cmath>
#include <limits>

#include "confmat/base/exact_sum.hpp"
#include "support/columns.hpp"

using namespace test;

namespace {

Counted count_one(const Column& t, const Column& p, const Column& w,
                  const CountOptions& options = {}) {
  return count({&t, 1}, {&p, 1}, {&w, 1}, options);
}

}  // namespace

TEST_CASE("integer weights are summed exactly, with labels found or given") {
  std::mt19937_64 random(31);
  for (const DType type : {DType::kInt8, DType::kUInt16, DType::kInt32, DType::kUInt64}) {
    const std::size_t n = 30'000;
    const Ints t = random_ints(n, -2, 7, 3, random);
    const Ints p = random_ints(n, -2, 7, 3, random);
    const Ints w =
        random_ints(n, 0, type == DType::kUInt64 ? (std::int64_t{1} << 45) : 100, 3, random);
    std::vector<std::int64_t> cells(100);
    std::vector<long double> squares(100);
    std::int64_t dropped = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (!t[i] || !p[i] || !w[i]) {
        ++dropped;
        continue;
      }
      const auto cell = static_cast<std::size_t>((*t[i] + 2) * 10 + *p[i] + 2);
      cells[cell] += *w[i];
      squares[cell] += static_cast<long double>(*w[i]) * static_cast<long double>(*w[i]);
    }
    Memory memory;
    const Column a = memory.ints(t, DType::kInt16);
    const Column b = memory.ints(p, DType::kInt64);
    const Column c = memory.ints(w, type, {.stride = 2, .reversed = true, .null_offset = 3});
    Labels labels;
    for (int i = -2; i < 8; ++i) labels.ints.push_back(i);
    for (const bool fixed : {false, true}) {
      CountOptions options;
      if (fixed) options.labels = &labels;
      const Counted counted =
          count(chunks(a, 3, random), chunks(b, 4, random), chunks(c, 5, random), options);
      CHECK(counted.labels == labels);
      REQUIRE(counted.cells == cells);
      CHECK(counted.n_dropped == dropped);
      CHECK(counted.weights.empty());
      for (std::size_t i = 0; i < 100; ++i) {
        REQUIRE(counted.weights_sq[i] ==
                doctest::Approx(static_cast<double>(squares[i])).epsilon(1e-15));
      }
    }
  }
}

TEST_CASE("sums of integer weights up to 2^63 - 1, and not one more") {
  Memory memory;
  const Column y = memory.ints({0, 0, 0}, DType::kInt8);
  const Counted most = count_one(y, y, memory.ints({INT64_MAX - 5, 5, 0}, DType::kInt64));
  CHECK(most.cells == std::vector<std::int64_t>{INT64_MAX});
  CHECK(most.weights_sq.front() == doctest::Approx(0x1p126));
  CHECK_THROWS_WITH_AS(count_one(y, y, memory.ints({INT64_MAX - 5, 5, 1}, DType::kInt64)),
                       doctest::Contains("sum to more than 2^63 - 1"), InputError);
  CHECK_THROWS_AS(count_one(y, y, memory.ints({INT64_MAX, INT64_MAX, INT64_MAX}, DType::kInt64)),
                  InputError);
  CHECK_THROWS_WITH_AS(count_one(y, y, memory.ints({1, -2, 1}, DType::kInt16)),
                       "weight -2 at row 1 of `sample_weight` is negative", InputError);
  CHECK_THROWS_WITH_AS(count_one(y, y, memory.ints({1, -1, 1}, DType::kUInt64)),
                       doctest::Contains("weight 18446744073709551615 at row 1"), InputError);
}

TEST_CASE("float weights: correctly rounded, the same bits for every order, cut and thread count") {
  std::mt19937_64 random(32);
  const std::size_t n = 400'000;
  Ints t = random_ints(n, 0, 3, 1, random);
  Ints p = random_ints(n, 0, 3, 0, random);
  std::vector<double> w(n);
  for (double& weight : w) {
    weight =
        std::ldexp(static_cast<double>(random() >> 11), static_cast<int>(random() % 200) - 150);
  }
  std::vector<confmat::ExactSum> sums(16);
  std::vector<confmat::ExactSum> squares(16);
  for (std::size_t i = 0; i < n; ++i) {
    if (!t[i]) continue;
    const auto cell = static_cast<std::size_t>(*t[i] * 4 + *p[i]);
    sums[cell].add(w[i]);
    squares[cell].add(w[i] * w[i]);
  }
  Memory memory;
  for (int round = 0; round < 2; ++round) {
    const Column a = memory.ints(t, DType::kInt8);
    const Column b = memory.ints(p, DType::kInt8);
    const Column c = memory.doubles(w);
    for (const int threads : {1, 2, 3}) {
      CountOptions options;
      options.threads = threads;
      const Counted counted =
          count(chunks(a, 7, random), chunks(b, 3, random), chunks(c, 9, random), options);
      CHECK(counted.cells.empty());
      for (std::size_t i = 0; i < 16; ++i) {
        REQUIRE(counted.weights[i] == sums[i].value());
        REQUIRE(counted.weights_sq[i] == squares[i].value());
      }
    }
    std::reverse(t.begin(), t.end());
    std::reverse(p.begin(), p.end());
    std::reverse(w.begin(), w.end());
  }
}

TEST_CASE("float weights of about one size, and others among them") {
  std::mt19937_64 random(34);
  const std::size_t n = 600'000;  // more than fixed-point sums hold between two roundings
  const Ints t = random_ints(n, 0, 4, 1, random);
  const Ints p = random_ints(n, 0, 4, 0, random);
  std::vector<double> w(n);
  for (std::size_t i = 0; i < n; ++i) {
    // Sizes change along the rows, and all kinds of weights lie among them.
    w[i] = std::ldexp(1 + static_cast<double>(random() >> 12) * 0x1p-52, i < n / 2 ? 0 : 90);
    const std::uint64_t kind = random() % 2000;
    if (kind == 0) w[i] = DBL_TRUE_MIN * 3;
    if (kind == 1) w[i] = 1e-200;
    if (kind == 2) w[i] = 1e120;
    if (kind < 500 && kind > 400) w[i] = kind % 2 == 0 ? 0.0 : -0.0;
    if (kind == 3) w[i] = 0x1.fffffffffffffp-17;
  }
  std::vector<confmat::ExactSum> sums(16);
  std::vector<confmat::ExactSum> squares(16);
  std::int64_t dropped = 0;
  std::int64_t other = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (!t[i]) {
      ++dropped;
    } else if (*t[i] == 4 || *p[i] == 4) {
      ++other;
    } else {
      sums[static_cast<std::size_t>(*t[i] * 4 + *p[i])].add(w[i]);
      squares[static_cast<std::size_t>(*t[i] * 4 + *p[i])].add(w[i] * w[i]);
    }
  }
  Memory memory;
  const Column a = memory.ints(t, DType::kInt8);
  const Column b = memory.ints(p, DType::kInt64);
  const Column c = memory.doubles(w);
  Labels labels;
  labels.ints = {0, 1, 2, 3};
  for (const int threads : {1, 2}) {
    const Counted counted = count_one(a, b, c, {.labels = &labels, .threads = threads});
    CHECK(counted.n_dropped == dropped);
    CHECK(counted.n_other == other);
    for (std::size_t i = 0; i < 16; ++i) {
      REQUIRE(counted.weights[i] == sums[i].value());
      REQUIRE(counted.weights_sq[i] == squares[i].value());
    }
  }
}

TEST_CASE("a cell gets more float weights than its fixed-point sum holds") {
  std::mt19937_64 random(35);
  const std::size_t n = 600'000;
  std::vector<double> w(n);
  confmat::ExactSum sum;
  confmat::ExactSum squares;
  for (double& weight : w) {
    // The first one places the window; the others lie high up in it.
    weight = &weight == w.data() ? 1.0 : 16 + std::ldexp(static_cast<double>(random() >> 12U), -48);
    sum.add(weight);
    squares.add(weight * weight);
  }
  Memory memory;
  const std::int8_t zero = 0;
  Column y;
  y.type = DType::kInt8;
  y.length = static_cast<std::int64_t>(n);
  y.data = reinterpret_cast<const std::byte*>(&zero);
  const Counted counted = count_one(y, y, memory.doubles(w), {.threads = 1});
  CHECK(counted.weights == std::vector<double>{sum.value()});
  CHECK(counted.weights_sq == std::vector<double>{squares.value()});
}

TEST_CASE("float32 weights do not stall at 2^24") {
  const std::size_t n = 20'000'000;
  Memory memory;
  const float one = 1.0F;
  Column weight;
  weight.type = DType::kFloat32;
  weight.length = static_cast<std::int64_t>(n);
  weight.data = reinterpret_cast<const std::byte*>(&one);  // stride 0: one value for all rows
  const std::int8_t zero = 0;
  Column y;
  y.type = DType::kInt8;
  y.length = weight.length;
  y.data = reinterpret_cast<const std::byte*>(&zero);
  CHECK(count_one(y, y, weight).weights == std::vector<double>{20e6});
}

TEST_CASE("weights that are no weights are named") {
  Memory memory;
  const Column y = memory.ints({0, 1, 0}, DType::kInt8);
  const double inf = std::numeric_limits<double>::infinity();
  CHECK_THROWS_WITH_AS(count_one(y, y, memory.doubles({1, std::nan(""), -1})),
                       "weight nan at row 1 of `sample_weight` is not finite", InputError);
  CHECK_THROWS_WITH_AS(count_one(y, y, memory.doubles({1, 1, inf})),
                       "weight inf at row 2 of `sample_weight` is not finite", InputError);
  CHECK_THROWS_WITH_AS(count_one(y, y, memory.doubles({-0.5, 1, inf})),
                       "weight -0.5 at row 0 of `sample_weight` is negative", InputError);
  CHECK_THROWS_WITH_AS(count_one(y, y, memory.doubles({1, 1})),
                       "`y_true` has 3 rows, `sample_weight` has 2", InputError);
  CHECK_THROWS_WITH_AS(count_one(y, y, memory.texts({"1", "1", "1"})),
                       "`sample_weight` has dtype String: wanted numbers", InputError);
  CHECK_THROWS_AS(count_one(y, y, memory.doubles({DBL_MAX, 0, DBL_MAX})), InputError);
  const Counted huge = count_one(y, y, memory.doubles({1e200, -0.0, 0}));
  CHECK(huge.labels.ints == std::vector<std::int64_t>{0, 1});  // rows of weight 0 are rows
  CHECK(std::isinf(huge.weights_sq.front()));
}

TEST_CASE("the sums of float weights respect the limit, for any number of threads") {
  std::mt19937_64 random(33);
  const std::size_t n = 300'000;
  Memory memory;
  const Column y = memory.ints(random_ints(n, 0, 99, 0, random), DType::kInt32);
  const Column p = memory.ints(random_ints(n, 0, 99, 0, random), DType::kInt32);
  const Column w = memory.doubles(std::vector<double>(n, 0.25));
  CountOptions options;
  for (const int threads : {1, 2}) {
    options.threads = threads;
    options.max_bytes = 9'000'000;                       // 10 000 cells take about 12 MB
    const Counted sorted = count_one(y, p, w, options);  // row after row instead
    options.max_bytes = 13'000'000;
    const Counted table = count_one(y, p, w, options);
    CHECK(table.weights.size() == 10'000);
    CHECK(sorted.weights == table.weights);
    CHECK(sorted.weights_sq == table.weights_sq);
  }
}
