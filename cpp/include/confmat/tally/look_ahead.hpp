// Names the memory that comes next, for the kernels to prefetch while they count.
#pragma once

#include <cstddef>
#include <cstdint>

#include "confmat/batch/column.hpp"
#include "confmat/batch/gather.hpp"
#include "confmat/kernels/table.hpp"

namespace confmat {

// Rows at ... at + n - 1 of the column, if they will be used where they lie.
inline void look_ahead(const Column& column, std::int64_t at, std::size_t n, Ahead& ahead,
                       int stream) noexcept {
  const std::int64_t width = width_of(stored_type(column));
  if (width == 0 || column.stride != width) return;
  if (at + static_cast<std::int64_t>(n) > column.length) return;
  ahead.at[stream] = column.data + at * width;
  ahead.width[stream] = static_cast<std::size_t>(width);
}

// Asks for the memory of some of the rows of the first stream; a few hundred bytes at a time, or
// requests wait for each other.
inline void request(const Ahead& ahead, std::size_t first, std::size_t n) noexcept {
  const std::byte* const at = ahead.at[0] + first * ahead.width[0];
  for (std::size_t byte = 0; byte < n * ahead.width[0]; byte += 64) __builtin_prefetch(at + byte);
}

}  // namespace confmat
