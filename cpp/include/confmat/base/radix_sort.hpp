// Ascending order of records by their keys: some bits at a time, from the lowest up, leaving out
// those that are the same in all keys. Stable. Cost: 2 ns a key and digit.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "confmat/base/interrupt.hpp"

namespace confmat {

// Many sorts share the memory of one object.
class RadixSort {
 public:
  static constexpr unsigned kMostDigitBits = 11;

  // Sorts by the bits low ... low + bits - 1 of key_of(record), a number without a sign, in digits
  // of at most `widest` bits. Says whether the result lies in `scratch`, not in `records`. Needs: 0
  // < n < 2^32; `scratch` has n records; widest <= kMostDigitBits.
  template <class Record, class Key>
  bool sort(Record* records, Record* scratch, std::size_t n, unsigned low, unsigned bits,
            unsigned widest, const Key& key_of) {
    const unsigned passes = (bits + widest - 1) / widest;
    const unsigned width = (bits + passes - 1) / passes;
    const std::size_t digits = std::size_t{1} << width;
    const std::size_t mask = digits - 1;
    counts_.assign(passes * digits, 0);
    for (const auto [first, last] : Strides(n)) {
      for (std::size_t i = first; i < last; ++i) {
        auto rest = key_of(std::as_const(records[i])) >> low;
        for (unsigned pass = 0; pass < passes; ++pass) {
          ++counts_[pass * digits + (static_cast<std::size_t>(rest) & mask)];
          rest >>= width;
        }
      }
    }
    Record* from = records;
    Record* to = scratch;
    for (unsigned pass = 0; pass < passes; ++pass) {
      std::uint32_t* const place = counts_.data() + pass * digits;
      const unsigned shift = low + pass * width;
      const auto digit_of = [&key_of, shift, mask](const Record& record) {
        return static_cast<std::size_t>(key_of(record) >> shift) & mask;
      };
      if (place[digit_of(from[0])] == n) continue;  // all have the same digit
      std::uint32_t before = 0;
      for (std::size_t digit = 0; digit < digits; ++digit) {
        before += std::exchange(place[digit], before);
      }
      for (const auto [first, last] : Strides(n)) {
        for (std::size_t i = first; i < last; ++i) {
          const Record record = from[i];
          to[place[digit_of(record)]++] = record;
        }
      }
      std::swap(from, to);
    }
    return from == scratch;
  }

 private:
  std::vector<std::uint32_t> counts_;
};

// `key_of(record)` is its key of 64 bits; equal keys of few records come in any order. `scratch` is
// kept by the caller, so that many sorts share its memory. Digits of eleven bits suit keys of many;
// of 16 bits, two digits of eight.
template <unsigned kBits = RadixSort::kMostDigitBits, class Record, class Key>
void sort_records(std::vector<Record>& records, std::vector<Record>& scratch, const Key& key_of) {
  constexpr std::size_t kFew = std::size_t{1} << (kBits == 8 ? 6U : 10U);
  const std::size_t n = records.size();
  if (n < kFew || n > UINT32_MAX) {
    return std::sort(records.begin(), records.end(), [&](const Record& one, const Record& two) {
      return key_of(one) < key_of(two);
    });
  }
  std::uint64_t differ = 0;
  const std::uint64_t any = key_of(records[0]);
  for (const Record& record : records) differ |= key_of(record) ^ any;
  if (differ == 0) return;
  scratch.resize(n);
  const auto low = static_cast<unsigned>(std::countr_zero(differ));
  const unsigned bits = static_cast<unsigned>(std::bit_width(differ)) - low;
  if (RadixSort().sort(records.data(), scratch.data(), n, low, bits, kBits, key_of)) {
    records.swap(scratch);
  }
}

}  // namespace confmat
