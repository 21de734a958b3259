// Tables of two classes side by side have the bits of one after the other, for every name.
#include "confmat/metrics/two_class_tables.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <string>
#include <vector>

#include "support/every_ask.hpp"
#include "support/fake_host.hpp"

namespace confmat::metrics {
namespace {

using host::Random;

// Names whose values of some table are not those that it has alone.
std::string differing(const std::vector<Ask>& asks, const Options& options, Random& random) {
  TwoClassTables tables(asks, options);
  std::vector<std::vector<std::int64_t>> held;
  constexpr std::size_t kStride = 1024;
  while (!tables.is_full()) {
    std::vector<std::int64_t> cells(4);
    const std::size_t most = random.chance(9) ? 4'000'000 : random.chance(2) ? 3 : 1000;
    for (auto& cell : cells) cell = static_cast<std::int64_t>(random.below(most));
    const bool has_both = cells[0] + cells[1] > 0 && cells[2] + cells[3] > 0;
    CHECK(tables.add(cells.data()) == has_both);
    if (has_both) {
      held.push_back(cells);
    } else if (random.chance(2) && !tables.is_full()) {
      tables.skip();
      held.emplace_back();
    }
  }
  REQUIRE(held.size() == kStride);
  std::vector<double> found(asks.size() * kStride), wanted(asks.size());
  tables.take(found.data(), kStride);
  CHECK(!tables.is_full());
  Options alone = options;
  alone.pos = 1;
  std::string out;
  for (std::size_t i = 0; i < held.size(); ++i) {
    if (held[i].empty()) continue;
    values(asks, {.k = 2, .counts = held[i].data()}, alone, wanted.data());
    for (std::size_t m = 0; m < asks.size(); ++m) {
      const auto got = std::bit_cast<std::uint64_t>(found[m * kStride + i]);
      if (got != std::bit_cast<std::uint64_t>(wanted[m])) out += asks[m].name + " ";
    }
  }
  return out;
}

}  // namespace

TEST_CASE("tables of two classes: the bits of each table alone") {
  Random random(9);
  const std::vector<Ask> asks = every_ask();
  CHECK(differing(asks, {}, random).empty());
  Options filled;
  filled.undefined = 0.25;
  CHECK(differing(asks, filled, random).empty());
}

TEST_CASE("tables of two classes: what is not to be had so") {
  const std::vector<Ask> asks = {parse("mcc")};
  CHECK(TwoClassTables::serve(asks, {}));
  Options smoothed;
  smoothed.smoothing = 0.5;
  CHECK(!TwoClassTables::serve(asks, smoothed));
  Options of_one;
  of_one.classes = std::vector<std::int64_t>{0};
  CHECK(!TwoClassTables::serve(asks, of_one));
  TwoClassTables tables(asks, {});
  const std::int64_t large[] = {std::int64_t{1} << 24, 0, 0, 1};
  CHECK(!tables.add(large));
}

}  // namespace confmat::metrics
