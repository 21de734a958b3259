// Slices of a regression: the same bytes as each slice's rows summed alone, by any threads.
#include "confmat/tally/slice_moments.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <random>
#include <vector>

#include "confmat/base/error.hpp"
#include "support/bytes_in.hpp"

using confmat::Chunks;
using confmat::Column;
using confmat::MomentOptions;
using confmat::moments_of;
using confmat::MomentTerm;
using confmat::slice_moments;

namespace {

using Bytes = std::vector<std::uint8_t>;

Column column_of(const std::vector<double>& values) {
  Column column;
  column.type = confmat::DType::kFloat64;
  column.length = static_cast<std::int64_t>(values.size());
  column.data = reinterpret_cast<const std::byte*>(values.data());
  column.stride = sizeof(double);
  return column;
}

struct Log {
  std::vector<std::uint32_t> slices;
  std::vector<double> y, p;
};

// Slice 0 has most rows, the last none.
Log drawn(std::size_t rows, std::uint32_t n_slices) {
  std::mt19937_64 random(rows);
  std::normal_distribution<double> number;
  std::uniform_int_distribution<std::uint32_t> any(0, 4 * n_slices);
  Log log;
  for (std::size_t i = 0; i < rows; ++i) {
    const std::uint32_t slice = any(random);
    log.slices.push_back(slice + 1 < n_slices ? slice : 0);
    log.y.push_back(1e6 + number(random));
    log.p.push_back(log.y.back() + 0.1 * number(random));
  }
  return log;
}

std::vector<Bytes> alone(const Log& log, std::size_t n_slices, const MomentOptions& options) {
  std::vector<Bytes> out;
  for (std::size_t slice = 0; slice < n_slices; ++slice) {
    std::vector<double> y, p;
    for (std::size_t i = 0; i < log.slices.size(); ++i) {
      if (log.slices[i] != slice) continue;
      y.push_back(log.y[i]);
      p.push_back(log.p[i]);
    }
    const Column truth = column_of(y), prediction = column_of(p);
    out.push_back(encode(moments_of({&truth, 1}, {&prediction, 1}, {}, false, options)));
  }
  return out;
}

}  // namespace

TEST_CASE("slice moments: those of the rows of each slice") {
  for (const std::size_t rows : {std::size_t{0}, std::size_t{7}, std::size_t{200'000}}) {
    const Log log = drawn(rows, 40);
    const Column truth = column_of(log.y), prediction = column_of(log.p);
    for (const int threads : {1, 3}) {
      MomentOptions options{.threads = threads};
      options.terms = {{MomentTerm::kPercentage}, {MomentTerm::kErrors, 7}};
      const auto found = slice_moments(log.slices, 40, {&truth, 1}, {&prediction, 1}, options);
      REQUIRE(found.has_value());
      CHECK(bytes_in(*found) == alone(log, 40, options));
    }
  }
}

TEST_CASE("slice moments: a slice of more rows than one thread takes at once") {
  const Log log = drawn((std::size_t{1} << 20U) + 300'000, 3);
  const Column truth = column_of(log.y), prediction = column_of(log.p);
  const MomentOptions options{.threads = 2};
  const auto found = slice_moments(log.slices, 3, {&truth, 1}, {&prediction, 1}, options);
  REQUIRE(found.has_value());
  CHECK(bytes_in(*found) == alone(log, 3, options));
}

TEST_CASE("slice moments: what is no number is refused") {
  Log log = drawn(5'000, 3);
  log.p[4'321] = std::numeric_limits<double>::quiet_NaN();
  const Column truth = column_of(log.y), prediction = column_of(log.p);
  const auto sums = [&](const MomentOptions& options) {
    return slice_moments(log.slices, 3, {&truth, 1}, {&prediction, 1}, options);
  };
  CHECK_THROWS_AS(sums({.threads = 2}), confmat::InputError);
  MomentOptions drop{.threads = 2};
  drop.nan_drop = true;
  CHECK(sums(drop).has_value());
}
