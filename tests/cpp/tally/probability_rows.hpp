// Tables of probabilities for tests, laid out by rows or by columns, with a naive view of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include "confmat/tally/probabilities.hpp"

namespace test {

enum class Layout : std::uint8_t { kRows, kColumns, kSwapped, kReversed };

// n x K probabilities in whole eighths, so that sums are exact and ties are many; the class of each
// row, with some of none; weights in quarters.
struct ProbabilityRows {
  ProbabilityRows(std::size_t n_rows, std::size_t n_columns, std::uint64_t seed,
                  confmat::DType type = confmat::DType::kFloat64, Layout layout = Layout::kRows)
      : n(n_rows), k(n_columns) {
    std::mt19937_64 random(seed);
    std::vector<double> mass(k);
    for (std::size_t row = 0; row < n; ++row) {
      mass.assign(k, 0.0);
      for (int part = 0; part < 8; ++part) mass[random() % k] += 0.125;
      p.insert(p.end(), mass.begin(), mass.end());
      // One of nine rows has a null label, which is k + 1.
      classes.push_back(static_cast<std::uint16_t>(random() % 9 == 0 ? k + 1 : random() % k));
      weights.push_back(static_cast<double>(random() % 5) / 4);
    }
    lay_out(type, layout);
  }

  [[nodiscard]] double at(std::size_t row, std::size_t column) const { return p[row * k + column]; }
  [[nodiscard]] bool used(std::size_t row) const { return classes[row] < k; }
  [[nodiscard]] double weight(std::size_t row, bool weighted) const {
    return weighted ? weights[row] : 1.0;
  }
  [[nodiscard]] confmat::ProbabilityTable table(bool weighted) const {
    confmat::ProbabilityTable out;
    out.columns = columns;
    out.classes = classes;
    if (weighted) out.weights = weights;
    return out;
  }

  // Writes p into memory of exactly the size that is needed.
  void lay_out(confmat::DType type, Layout layout) {
    const std::size_t width = type == confmat::DType::kFloat64 ? 8 : 4;
    bytes.assign(n * k * width, 0);
    const bool by_row = layout == Layout::kRows || layout == Layout::kReversed;
    columns.clear();
    for (std::size_t j = 0; j < k; ++j) {
      const std::size_t column = layout == Layout::kReversed ? k - 1 - j : j;
      const std::size_t first = by_row ? column * width : column * n * width;
      const std::size_t stride = by_row ? k * width : width;
      for (std::size_t row = 0; row < n; ++row) {
        std::uint8_t raw[8];
        const double wide = at(row, j);
        const auto narrow = static_cast<float>(wide);
        if (width == 8) {
          std::memcpy(raw, &wide, width);
        } else {
          std::memcpy(raw, &narrow, width);
        }
        if (layout == Layout::kSwapped) std::reverse(raw, raw + width);
        std::memcpy(bytes.data() + first + row * stride, raw, width);
      }
      confmat::Column made;
      made.type = type;
      made.length = static_cast<std::int64_t>(n);
      made.data = reinterpret_cast<const std::byte*>(bytes.data() + first);
      made.stride = static_cast<std::int64_t>(stride);
      made.swapped = layout == Layout::kSwapped;
      columns.push_back(made);
    }
  }

  std::size_t n;
  std::size_t k;
  std::vector<double> p;
  std::vector<std::uint16_t> classes;
  std::vector<double> weights;
  std::vector<std::uint8_t> bytes;
  std::vector<confmat::Column> columns;
};

}  // namespace test
