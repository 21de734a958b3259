// Columns of 0 and 1, of any type, as Booleans of one byte or one bit: one pass on every core.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "confmat/batch/column.hpp"

namespace confmat {

struct Indicators {
  std::vector<std::uint8_t> missing;  // 1 for a row with a null or a nan; empty: there is none
  struct Place {
    std::int64_t row;
    std::size_t column;
  };
  std::optional<Place> refused;  // the first value that is neither 0 nor 1 nor missing
};

// Writes columns one after the other to `out`, 0 where a value is missing. `width` values of a
// column are one row: 1, or how many columns lie in one, row by row. `threads`: 0 for one per core.
// Needs: columns of one length, a multiple of `width`, and room for all.
// Throws InputError for columns of texts.
Indicators read_indicators(std::span<const Chunks> columns, std::int64_t width, int threads,
                           std::byte* out);
// As read_indicators(), of columns that are one value a row, as bits: those of column j are bit
// j % 8 of the bytes from out + j / 8 * rows on.
Indicators read_packed_indicators(std::span<const Chunks> columns, int threads, std::byte* out);

}  // namespace confmat
