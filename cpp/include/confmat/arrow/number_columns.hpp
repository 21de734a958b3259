// Columns of numbers of ours as one Arrow struct, for others to read: nothing is copied.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "confmat/arrow/data.hpp"

namespace confmat {

struct NumberColumn {
  const char* format;  // Arrow's of its type: "g", "L"
  const void* values;
  const std::uint8_t* validity = nullptr;  // bits; not looked at if there are no nulls
  std::int64_t nulls = 0;
};

// Fields "0", "1", ... Needs: `owner` keeps the memory of all alive.
std::shared_ptr<const ArrowData> arrow_struct(std::shared_ptr<const void> owner, std::int64_t rows,
                                              std::span<const NumberColumn> columns);

}  // namespace confmat
