// A 128-bit integer: products of two 63-bit counts are exact in it.
// Cost: a conversion that fits 64 bits takes the short way, which is one instruction.
#pragma once

#include <cstdint>

namespace confmat {

__extension__ typedef __int128 Int128;  // NOLINT(modernize-use-using): GCC wants the typedef here
__extension__ typedef unsigned __int128 UInt128;  // NOLINT(modernize-use-using)

constexpr double to_double(Int128 value) {
  const auto low = static_cast<std::int64_t>(value);
  return low == value ? static_cast<double>(low) : static_cast<double>(value);
}

}  // namespace confmat
