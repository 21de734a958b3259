// Counts of one byte that became full: what was added, as a list and as a number for each.
#include "tally/full_bytes.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <utility>
#include <vector>

using confmat::FullBytes;

namespace {

std::vector<std::pair<std::uint32_t, std::uint64_t>> told(FullBytes& full, std::uint32_t first,
                                                          std::uint32_t last) {
  std::vector<std::pair<std::uint32_t, std::uint64_t>> out;
  std::vector<FullBytes::Full> held;
  for (const auto& [cell, times] : full.of_bins(first, last, held)) out.emplace_back(cell, times);
  return out;
}

}  // namespace

TEST_CASE("full bytes: each of a range once, however many there are") {
  constexpr std::uint32_t kBins = 1'000;
  FullBytes full(kBins);
  std::map<std::uint32_t, std::uint64_t> wanted;
  std::mt19937 random(3);
  for (int round = 0; round < 4'000; ++round) {
    const auto bin = static_cast<std::uint32_t>(random() % (round < 400 ? 40 : kBins));
    const std::uint64_t times = round % 100 == 0 ? std::uint64_t{1} << 40U : 1;
    full.add(bin, static_cast<std::size_t>(round % 2), times);
    wanted[bin * 2 + static_cast<std::uint32_t>(round % 2)] += times;
    if (round % 50 != 0) continue;
    const auto first = static_cast<std::uint32_t>(random() % kBins);
    const std::uint32_t last = first + 300;  // beyond the last bin, too
    CAPTURE(round);
    CHECK(told(full, first, last) ==
          std::vector<std::pair<std::uint32_t, std::uint64_t>>(wanted.lower_bound(first * 2),
                                                               wanted.upper_bound(last * 2 + 1)));
  }
}

TEST_CASE("full bytes: what they take has an end") {
  CHECK(FullBytes::most_bytes(255, 1'000) == 0);
  CHECK(FullBytes::most_bytes(2'560, 1'000) == 12 * 16);
  CHECK(FullBytes::most_bytes(std::uint64_t{1} << 60U, 1'000) == 16'000);
}
