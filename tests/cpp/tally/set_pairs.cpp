// Pairs of sets of labels: against a naive count.
#include "confmat/tally/set_pairs.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <map>
#include <random>
#include <vector>

using confmat::BoolTable;
using confmat::count_set_pairs;
using confmat::SetPairs;

namespace {

constexpr std::size_t kLengths[] = {0, 1, 2, 9, 500, 4095, 4096, 4097, 9000, 300'000};

// Rows of a table, exactly as long as they need to be.
struct Table {
  Table(std::size_t rows, std::size_t labels, std::size_t gap, bool reversed,
        std::mt19937_64& random)
      : stride(static_cast<std::int64_t>(labels + gap)),
        bytes(rows == 0 ? 0 : (rows - 1) * (labels + gap) + labels) {
    for (auto& byte : bytes) {
      const auto any = static_cast<std::byte>(random());
      byte = random() % 3 == 0 ? any : std::byte{0};  // any but 0 is true
    }
    first = bytes.data();
    if (reversed && rows > 0) {
      first += stride * static_cast<std::int64_t>(rows - 1);
      stride = -stride;
    }
  }
  // The same, a column after the other.
  void lay_columns_apart(std::size_t rows, std::size_t labels) {
    std::vector<std::byte> apart(rows * labels);
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t label = 0; label < labels; ++label) {
        apart[label * rows + row] =
            first[static_cast<std::int64_t>(row) * stride + static_cast<std::int64_t>(label)];
      }
    }
    bytes = apart;
    first = bytes.data();
    stride = 1;
    step = static_cast<std::int64_t>(rows);
  }
  [[nodiscard]] unsigned set(std::int64_t row, unsigned labels) const {
    unsigned found = 0;
    for (unsigned label = 0; label < labels; ++label) {
      if (first[row * stride + label * step] != std::byte{0}) found |= 1U << label;
    }
    return found;
  }
  [[nodiscard]] BoolTable rows() const { return {first, stride, step}; }

  std::int64_t stride;
  std::int64_t step = 1;
  std::vector<std::byte> bytes;
  const std::byte* first = nullptr;
};

}  // namespace

TEST_CASE("pairs of label sets: any width, length, stride and thread count") {
  std::mt19937_64 random(71);
  for (unsigned labels = 1; labels <= confmat::kMostSetLabels; ++labels) {
    for (const std::size_t n : kLengths) {
      if (n == 300'000 && labels % 3 != 2) continue;
      const Table truth(n, labels, random() % 4, false, random);
      Table prediction(n, labels, random() % 12, random() % 2 == 0, random);
      const bool by_columns = random() % 2 == 0;
      if (by_columns) prediction.lay_columns_apart(n, labels);
      const auto rows = static_cast<std::int64_t>(n);
      std::map<unsigned, std::int64_t> expected;
      std::vector<std::int64_t> cells(4 * labels);
      for (std::int64_t row = 0; row < rows; ++row) {
        const unsigned t = truth.set(row, labels);
        const unsigned p = prediction.set(row, labels);
        ++expected[t << labels | p];
        for (unsigned label = 0; label < labels; ++label) {
          ++cells[4 * label + 2 * ((t >> label) & 1U) + ((p >> label) & 1U)];
        }
      }
      for (const int threads : {1, 2}) {
        const SetPairs found =
            count_set_pairs(truth.rows(), prediction.rows(), rows, labels, threads);
        CHECK(found.cells == cells);
        REQUIRE(found.codes.size() == expected.size());
        std::size_t i = 0;
        for (const auto& [code, count] : expected) {
          REQUIRE(found.codes[i] == code);
          REQUIRE(found.rows[i] == count);
          ++i;
        }
      }
    }
  }
}
