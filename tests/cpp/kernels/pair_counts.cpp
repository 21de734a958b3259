// Pairs of counts that are not both 0, as every instruction set lists them.
#include <doctest/doctest.h>

#include <random>
#include <vector>

#include "confmat/kernels/table.hpp"

using namespace confmat;

TEST_CASE("pairs of counts: those that are not 0, in order, and zeros are left") {
  std::mt19937_64 random(21);
  for (const Kernels* const loops : runnable_kernels()) {
    for (const std::size_t n : {0UL, 1UL, 15UL, 16UL, 17UL, 100UL, 1023UL, 4096UL}) {
      for (const unsigned every : {1U, 2U, 9U, 100U}) {
        constexpr std::uint64_t kBeyond = 0xCDCDCDCDCDCDCDCD;
        std::vector<std::uint64_t> cells(n + 1, kBeyond);
        const std::uint32_t first = 100'000;
        std::vector<std::uint32_t> wanted[3];
        for (std::size_t i = 0; i < n; ++i) {
          cells[i] = 0;
          if (random() % every != 0) continue;
          const std::uint64_t halves[] = {0xFFFFFFFFU, 0xFFFFFFFF00000000U, ~std::uint64_t{0}};
          cells[i] = random() & halves[random() % 3];
          if (cells[i] == 0) continue;
          wanted[0].push_back(first - static_cast<std::uint32_t>(i));
          wanted[1].push_back(static_cast<std::uint32_t>(cells[i]));
          wanted[2].push_back(static_cast<std::uint32_t>(cells[i] >> 32U));
        }
        std::vector<std::uint32_t> found[3];
        for (auto& list : found) list.assign(n + kPairsBeyond, 0);
        const std::size_t taken = loops->take_pairs(cells.data(), n, first, found[0].data(),
                                                    found[1].data(), found[2].data());
        for (auto& list : found) list.resize(taken);
        for (int i = 0; i < 3; ++i) CHECK((found[i] == wanted[i]));
        std::vector<std::uint64_t> left(n + 1, 0);
        left[n] = kBeyond;
        CHECK((cells == left));
      }
    }
  }
}
