// Kernels of weights: exact, for every size of weights.
#include <doctest/doctest.h>

#include <bit>
#include <random>
#include <vector>

#include "confmat/base/exact_sum.hpp"
#include "confmat/kernels/table.hpp"

using namespace confmat;

TEST_CASE("sums of weights: every instruction set, those outside the window are left out") {
  std::mt19937_64 random(17);
  const WeightWindow window{.weights = 1000, .squares = 990};
  for (const Kernels* loops : runnable_kernels()) {
    for (const std::size_t n : {0U, 1U, 3U, 4U, 5U, 8U, 63U, 4096U}) {
      std::vector<std::uint32_t> codes(n);
      std::vector<double> weights(n);
      std::vector<WeightSums> sums(7);
      std::vector<std::uint32_t> rows(7);
      std::vector<ExactSum> exact(14);
      std::vector<std::uint32_t> rows_wanted(7);
      std::size_t left_out = 0;
      for (std::size_t i = 0; i < n; ++i) {
        codes[i] = static_cast<std::uint32_t>(random() % 7);
        const auto exponent = 990 + random() % 60;
        weights[i] = std::bit_cast<double>((exponent << 52U) | (random() >> 12U));
        if (random() % 9 == 0) weights[i] = random() % 2 == 0 ? 0.0 : -0.0;
        ++rows_wanted[codes[i]];
        const double square = weights[i] * weights[i];
        const auto place = (std::bit_cast<std::uint64_t>(weights[i]) >> 52U) - window.weights;
        const auto of_square = (std::bit_cast<std::uint64_t>(square) >> 52U) - window.squares;
        if (place < kWeightPlaces && of_square < kWeightPlaces) {
          exact[codes[i]].add(weights[i]);
          exact[7 + codes[i]].add(square);
        } else if (weights[i] != 0) {
          ++left_out;
        }
      }
      CHECK(loops->add_weights(codes.data(), weights.data(), n, window, sums.data(), rows.data()) ==
            left_out);
      CHECK(rows == rows_wanted);
      for (std::size_t code = 0; code < 7; ++code) {
        const auto& words = sums[code].words;
        ExactSum weight;
        weight.add((UInt128{words[1]} << kWeightBits) + words[0], window.weights - 1);
        ExactSum square;
        square.add((UInt128{words[3]} << kWeightBits) + words[2], window.squares - 1);
        REQUIRE(weight.value() == exact[code].value());
        REQUIRE(square.value() == exact[7 + code].value());
      }
    }
  }
}
