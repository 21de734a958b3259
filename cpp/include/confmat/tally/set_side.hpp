// Sets of labels of rows as they lie in memory: tables of Booleans, or lists of labels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>

namespace confmat {

// Label j of row i is the byte at data + i * stride + j * step, where any but 0 is true; packed, it
// is bit j % 8 of the byte at data + i * stride + j / 8 * step. The bytes may change during the
// call.
struct BoolTable {
  const std::byte* data = nullptr;
  std::int64_t stride = 0;
  std::int64_t step = 1;
  bool packed = false;
};

// The labels of the rows, one row after the other, and how many there are up to the end of each.
// Those of a row stand in any order, and may be there twice.
struct SetLists {
  std::span<const std::uint32_t> labels;
  std::span<const std::int64_t> ends;

  [[nodiscard]] std::span<const std::uint32_t> of(std::int64_t row) const noexcept {
    const auto at = static_cast<std::size_t>(row);
    const std::int64_t first = at == 0 ? 0 : ends[at - 1];
    return labels.subspan(static_cast<std::size_t>(first),
                          static_cast<std::size_t>(ends[at] - first));
  }
};

using SetSide = std::variant<BoolTable, SetLists>;

}  // namespace confmat
