// Ranges of few rows, for calls whose threads share the cores with those that read a log: one that
// waits for a core leaves its ranges to the others.
#pragma once

#include <algorithm>
#include <cstdint>

#include "confmat/base/threads.hpp"

namespace confmat {

inline constexpr std::int64_t kShortRange = std::int64_t{1} << 16;

inline int short_ranges(std::int64_t rows) noexcept {
  return static_cast<int>((rows + kShortRange - 1) / kShortRange);
}

// work(part, first, last) for each of short_ranges(rows). Errors as from for_each_part().
template <class Work>
void over_short_ranges(int threads, std::int64_t rows, const Work& work) {
  for_each_part(short_ranges(rows), threads, [&](int part) {
    const std::int64_t first = part * kShortRange;
    work(part, first, std::min(rows, first + kShortRange));
  });
}

}  // namespace confmat
