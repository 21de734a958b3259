// Slices of a regression: the same bytes as each slice's rows summed alone, by any threads.
#include "confmat/tally/slice_moments.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <span>
#include <vector>

#include "confmat/base/error.hpp"
#include "support/bytes_in.hpp"
#include "support/numbers.hpp"

using confmat::Chunks;
using confmat::Column;
using confmat::MomentOptions;
using confmat::moments_of;
using confmat::MomentTerm;
using confmat::SliceMoments;
using confmat::host::numbers_of;

namespace {

using Bytes = std::vector<std::uint8_t>;

struct Log {
  std::vector<std::uint32_t> slices;
  std::vector<double> y, p, w;
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
    log.w.push_back(slice % 7);
  }
  return log;
}

struct Batch {
  Column truth, prediction, weight;
  Batch(const Log& log, std::size_t first, std::size_t n)
      : truth(numbers_of(log.y)), prediction(numbers_of(log.p)), weight(numbers_of(log.w)) {
    for (Column* const column : {&truth, &prediction, &weight}) {
      column->data += first * sizeof(double);
      column->length = static_cast<std::int64_t>(n);
    }
  }
};

std::vector<Bytes> alone(const Log& log, std::size_t n_slices, const MomentOptions& options,
                         bool has_weights, const std::vector<bool>& is_null = {}) {
  std::vector<Bytes> out;
  for (std::size_t slice = 0; slice < n_slices; ++slice) {
    Log of;
    std::vector<std::uint8_t> valid;
    for (std::size_t i = 0; i < log.slices.size(); ++i) {
      if (log.slices[i] != slice) continue;
      of.y.push_back(log.y[i]);
      of.p.push_back(log.p[i]);
      of.w.push_back(log.w[i]);
      valid.resize(of.y.size() / 8 + 1);
      const bool has = is_null.empty() || !is_null[i];
      valid[(of.y.size() - 1) / 8] |=
          static_cast<std::uint8_t>(has ? 1U << (of.y.size() - 1) % 8 : 0);
    }
    Batch batch(of, 0, of.y.size());
    if (!is_null.empty()) batch.truth.validity = valid.data();
    out.push_back(encode(moments_of({&batch.truth, 1}, {&batch.prediction, 1},
                                    {&batch.weight, has_weights ? 1U : 0U}, has_weights, options)));
  }
  return out;
}

// In batches, of which the first has none of the last slices.
std::vector<Bytes> in_batches(const Log& log, std::size_t n_slices, const MomentOptions& options,
                              bool has_weights, std::size_t rows) {
  SliceMoments sums(options, has_weights);
  for (std::size_t at = 0; at < log.slices.size(); at += rows) {
    const std::size_t n = std::min(rows, log.slices.size() - at);
    const Batch batch(log, at, n);
    const auto slices = std::span(log.slices).subspan(at, n);
    const std::size_t known = *std::ranges::max_element(slices) + 1U;
    sums.add(slices, at + n < log.slices.size() ? known : n_slices, {&batch.truth, 1},
             {&batch.prediction, 1}, {&batch.weight, has_weights ? 1U : 0U});
  }
  return bytes_in(sums.states());
}

}  // namespace

TEST_CASE("slice moments: those of the rows of each slice") {
  for (const std::size_t rows : {std::size_t{7}, std::size_t{300'000}}) {
    const Log log = drawn(rows, 40);
    for (const int threads : {1, 3}) {
      for (const bool has_weights : {false, true}) {
        MomentOptions options{.threads = threads};
        options.terms = {{MomentTerm::kPercentage},
                         {MomentTerm::kErrors, 7},
                         {MomentTerm::kDensity},
                         {MomentTerm::kTruths, 7}};
        const std::vector<Bytes> wanted = alone(log, 40, options, has_weights);
        CHECK(in_batches(log, 40, options, has_weights, rows) == wanted);
        CHECK(in_batches(log, 40, options, has_weights, 140'000) == wanted);
      }
    }
  }
}

TEST_CASE("slice moments: a slice of more rows than one thread takes at once") {
  const Log log = drawn((std::size_t{1} << 20U) + 300'000, 3);
  for (const double bits : {7.0, 52.0}) {
    const MomentOptions options{.terms = {{MomentTerm::kTruths, bits}}, .threads = 2};
    CHECK(in_batches(log, 3, options, false, log.y.size()) == alone(log, 3, options, false));
  }
}

TEST_CASE("slice moments: rows with a null are dropped from their slice") {
  Log log = drawn(300'000, 20);
  std::vector<bool> is_null(log.y.size());
  std::vector<std::uint8_t> valid(log.y.size() / 8 + 1, 0xFF);
  for (std::size_t i = 0; i < is_null.size(); i += 3) {
    is_null[i] = true;
    valid[i / 8] &= static_cast<std::uint8_t>(~(1U << i % 8));
  }
  for (const bool has_weights : {false, true}) {
    const MomentOptions options{.threads = 2};
    SliceMoments sums(options, has_weights);
    Batch batch(log, 0, log.y.size());
    batch.truth.validity = valid.data();
    sums.add(log.slices, 20, {&batch.truth, 1}, {&batch.prediction, 1},
             {&batch.weight, has_weights ? 1U : 0U});
    CHECK(bytes_in(sums.states()) == alone(log, 20, options, has_weights, is_null));
  }
}

TEST_CASE("slice moments: what is no number is refused") {
  Log log = drawn(5'000, 3);
  log.p[4'321] = std::numeric_limits<double>::quiet_NaN();
  MomentOptions options{.threads = 2};
  CHECK_THROWS_AS(in_batches(log, 3, options, false, 5'000), confmat::InputError);
  options.nan_drop = true;
  CHECK(in_batches(log, 3, options, false, 5'000) == alone(log, 3, options, false));
}
