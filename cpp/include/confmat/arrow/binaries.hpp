// Byte strings of ours as Arrow data, for others to read.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "confmat/arrow/data.hpp"

namespace confmat {

// A column of large binaries without nulls; the bytes are copied.
std::shared_ptr<const ArrowData> arrow_binaries(std::span<const std::vector<std::uint8_t>> values);

}  // namespace confmat
