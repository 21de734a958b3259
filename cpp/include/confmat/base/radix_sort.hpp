// Ascending order of 64-bit keys: a plain sort for few, else eleven bits at a time, from the lowest
// up, leaving out those that are the same in all keys. Cost: 2 ns a key and digit.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace confmat {

// `scratch` is kept by the caller, so that many sorts share its memory.
inline void sort_keys(std::vector<std::uint64_t>& keys, std::vector<std::uint64_t>& scratch) {
  constexpr std::size_t kFew = 1024;
  constexpr unsigned kBits = 11;
  constexpr std::uint64_t kMask = (std::uint64_t{1} << kBits) - 1;
  const std::size_t n = keys.size();
  if (n < kFew) return std::sort(keys.begin(), keys.end());
  std::uint64_t differ = 0;
  for (const std::uint64_t key : keys) differ |= key ^ keys[0];
  scratch.resize(n);
  for (unsigned shift = 0; shift < 64; shift += kBits) {
    if (((differ >> shift) & kMask) == 0) continue;
    std::array<std::size_t, kMask + 1> at{};
    for (const std::uint64_t key : keys) ++at[(key >> shift) & kMask];
    std::size_t before = 0;
    for (std::size_t& count : at) before += std::exchange(count, before);
    for (const std::uint64_t key : keys) scratch[at[(key >> shift) & kMask]++] = key;
    keys.swap(scratch);
  }
}

}  // namespace confmat
