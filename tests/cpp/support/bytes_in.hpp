// The byte strings of a column, to be compared.
#pragma once

#include <cstdint>
#include <vector>

#include "confmat/arrow/binary_views.hpp"

inline std::vector<std::vector<std::uint8_t>> bytes_in(const confmat::BinaryViews& column) {
  std::vector<std::vector<std::uint8_t>> out;
  for (std::size_t row = 0; row < column.size(); ++row) {
    const auto bytes = column[row];
    out.emplace_back(bytes.begin(), bytes.end());
  }
  return out;
}
