// Bitmaps of Arrow: which values are there.
#pragma once

#include <cstdint>
#include <span>

namespace confmat {

// A bit for each value, 0 where it is nan, and zeros up to the next byte.
void valid_bits(std::span<const double> values, std::uint8_t* bits) noexcept;
std::int64_t count_bits(std::span<const std::uint8_t> bits) noexcept;

}  // namespace confmat
