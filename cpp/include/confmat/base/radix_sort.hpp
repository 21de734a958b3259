// Ascending order of records by 64-bit keys: a plain sort for few, else some bits at a time, from
// the lowest up, leaving out those that are the same in all keys. Cost: 2 ns a key and digit.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "confmat/base/interrupt.hpp"

namespace confmat {

// `key_of(record)` is its key. `scratch` is kept by the caller, so that many sorts share its
// memory. Digits of eleven bits suit keys of many; of 16 bits, two digits of eight.
template <unsigned kBits = 11, class Record, class Key>
void sort_records(std::vector<Record>& records, std::vector<Record>& scratch, const Key& key_of) {
  constexpr std::size_t kFew = std::size_t{1} << (kBits == 8 ? 6U : 10U);
  constexpr std::uint64_t kMask = (std::uint64_t{1} << kBits) - 1;
  const std::size_t n = records.size();
  if (n < kFew) {
    return std::sort(records.begin(), records.end(), [&](const Record& one, const Record& two) {
      return key_of(one) < key_of(two);
    });
  }
  std::uint64_t differ = 0;
  const std::uint64_t any = key_of(records[0]);
  for (const Record& record : records) differ |= key_of(record) ^ any;
  scratch.resize(n);
  for (unsigned shift = 0; shift < 64; shift += kBits) {
    if (((differ >> shift) & kMask) == 0) continue;
    std::array<std::size_t, kMask + 1> at{};
    const Record* const from = records.data();
    for (const auto [first, last] : Strides(n)) {
      for (std::size_t i = first; i < last; ++i) ++at[(key_of(from[i]) >> shift) & kMask];
    }
    std::size_t before = 0;
    for (std::size_t& count : at) before += std::exchange(count, before);
    Record* const to = scratch.data();
    for (const auto [first, last] : Strides(n)) {
      for (std::size_t i = first; i < last; ++i) {
        to[at[(key_of(from[i]) >> shift) & kMask]++] = from[i];
      }
    }
    records.swap(scratch);
  }
}

}  // namespace confmat
