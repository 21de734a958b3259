// Bitmaps of columns with nan, of whole words and of the rest.
#include "confmat/kernels/validity.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <random>
#include <vector>

using namespace confmat;

TEST_CASE("bitmaps tell where there is nan") {
  std::mt19937_64 random(5);
  for (const std::size_t n : {0U, 1U, 7U, 63U, 64U, 65U, 200U, 1000U}) {
    for (const unsigned one_in : {0U, 2U, 90U}) {  // 0: no nan
      std::vector<double> values(n, std::numeric_limits<double>::infinity());
      std::int64_t there = 0;
      for (double& value : values) {
        const bool lacks = one_in != 0 && random() % one_in == 0;
        if (lacks) value = std::numeric_limits<double>::quiet_NaN();
        there += lacks ? 0 : 1;
      }
      std::vector<std::uint8_t> bits((n + 7) / 8, 0xFF);  // exactly as long as needed
      valid_bits(values, bits.data());
      CHECK(count_bits(bits) == there);
      for (std::size_t i = 0; i < n; ++i) {
        CHECK((bits[i / 8] >> (i % 8) & 1) == (values[i] == values[i] ? 1 : 0));
      }
    }
  }
}
