// Columns of metrics at thresholds have the bits of one table after the other, for every name.
#include "confmat/metrics/thresholds.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "support/every_ask.hpp"
#include "support/fake_host.hpp"

namespace confmat::metrics {
namespace {

using host::Random;

Table table_of(const std::int64_t* cells) { return {.k = 2, .counts = cells}; }
Table table_of(const double* cells) { return {.k = 2, .weights = cells}; }

// Names whose values at some threshold are not those of its table.
template <class T>
std::string differing(const std::vector<T>& tp, const std::vector<T>& fp, T positives, T negatives,
                      std::optional<double> undefined, int threads) {
  static const std::vector<Ask> asks = every_ask();
  Options options;
  options.undefined = undefined;
  const Thresholds<T> at{tp.size(), tp.data(), fp.data(), positives, negatives};
  std::vector<double> columns(asks.size() * tp.size());
  values_at(asks, at, options, threads, columns.data());
  options.pos = 1;
  std::string out;
  std::vector<double> wanted(asks.size());
  for (std::size_t i = 0; i < tp.size(); ++i) {
    const T cells[] = {negatives - fp[i], fp[i], positives - tp[i], tp[i]};
    values(asks, table_of(cells), options, wanted.data());
    for (std::size_t m = 0; m < asks.size(); ++m) {
      const auto got = std::bit_cast<std::uint64_t>(columns[m * tp.size() + i]);
      if (got != std::bit_cast<std::uint64_t>(wanted[m])) out += asks[m].name + " ";
    }
  }
  return out;
}

std::vector<std::int64_t> ascending(Random& random, std::size_t n, std::int64_t most) {
  std::vector<std::int64_t> out = {0, most};
  while (out.size() < n) {
    out.push_back(
        static_cast<std::int64_t>(random.bits() % (static_cast<std::uint64_t>(most) + 1)));
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

TEST_CASE("thresholds: counts, of every size and of one class") {
  Random random(5);
  const std::int64_t million = 1000000;
  const std::vector<std::pair<std::int64_t, std::int64_t>> totals = {{3, 4},
                                                                     {1, 1},
                                                                     {90, 7},
                                                                     {1 << 23, 1 << 23},
                                                                     {1 << 23, (1 << 23) + 1},
                                                                     {million * million, 5},
                                                                     {0, 12},
                                                                     {9, 0},
                                                                     {0, 0},
                                                                     {std::int64_t{1} << 61, 7}};
  for (const auto& [positives, negatives] : totals) {
    CAPTURE(positives);
    CAPTURE(negatives);
    const auto tp = ascending(random, 12, positives);
    const auto fp = ascending(random, 12, negatives);
    CHECK(differing(tp, fp, positives, negatives, {}, 1) == "");
    CHECK(differing(tp, fp, positives, negatives, 0.25, 1) == "");
  }
}

TEST_CASE("thresholds: weights") {
  Random random(6);
  for (const double scale : {1.0, 1e-70, 1e90}) {
    std::vector<double> tp = {0}, fp = {0};
    for (int i = 0; i < 10; ++i) {
      tp.push_back(tp.back() + scale * (static_cast<double>(random.below(1000)) / 777));
      fp.push_back(fp.back() + scale * (static_cast<double>(random.below(1000)) / 777));
    }
    CHECK(differing(tp, fp, tp.back(), fp.back(), {}, 1) == "");
    CHECK(differing(tp, fp, tp.back(), fp.back(), 0.0, 1) == "");
  }
}

TEST_CASE("thresholds: many blocks, by threads") {
  Random random(7);
  const auto tp = ascending(random, 3000, 5000);
  const auto fp = ascending(random, 3000, 400);
  CHECK(differing(tp, fp, std::int64_t{5000}, std::int64_t{400}, {}, 3) == "");
}

}  // namespace confmat::metrics
