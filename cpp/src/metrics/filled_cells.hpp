// The cells of a table that hold something, where most of many hold nothing: sums of weights skip
// the others, which would not change them, and do not wait for each of these in turn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace confmat::metrics {

// Calls visit(i) for every cell of `cells` that is not 0, ascending, and may for few that are.
template <class T, class Visit>
void for_each_filled(const T* cells, std::size_t n, const Visit& visit) {
  static_assert(sizeof(T) == sizeof(std::uint64_t));
  constexpr std::size_t kTogether = 8;
  std::size_t i = 0;
  for (; i + kTogether <= n; i += kTogether) {
    std::uint64_t bits[kTogether];
    std::memcpy(bits, cells + i, sizeof bits);
    std::uint64_t any = 0;
    for (const std::uint64_t of_one : bits) any |= of_one;
    if (any == 0) continue;
    for (std::size_t at = i; at < i + kTogether; ++at) visit(at);
  }
  for (; i < n; ++i) visit(i);
}

}  // namespace confmat::metrics
