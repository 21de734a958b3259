// What a sweep sorts: a key with the class in its lowest bit, and the weight of the row if there is
// one. Sorted by radix over the leading bits, the rest where it matters; numbers by a kernel, where
// the processor has one.
// Cost: about three reads and writes of the entries; stable.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "confmat/base/interrupt.hpp"
#include "confmat/base/radix_sort.hpp"
#include "confmat/kernels/table.hpp"

namespace confmat {

struct Unweighted {};

// Rows as a source gives them: at most kBlock at a time.
template <class Key, class Weight>
struct RowBlock {
  std::size_t n = 0;
  const Key* keys = nullptr;
  const std::uint8_t* positive = nullptr;  // 0 or 1
  const Weight* weights = nullptr;         // absent when unweighted
  Ahead ahead = {};                        // what the rows behind these are read from

  // Asks for the memory of the rows behind, as far from here as row i is. Once every few rows.
  void look_ahead(std::size_t i) const noexcept {
    __builtin_prefetch(ahead.at[0] + i * ahead.width[0]);
    __builtin_prefetch(ahead.at[1] + i * ahead.width[1]);
  }
};

template <class Key, class Weight>
struct WeightedEntry {
  Key bits;
  Weight weight;
};

// (key - a base) * 2 + class
template <class Key, class Weight>
using Entry =
    std::conditional_t<std::is_same_v<Weight, Unweighted>, Key, WeightedEntry<Key, Weight>>;

constexpr std::uint32_t& bits_of(std::uint32_t& entry) noexcept { return entry; }
constexpr std::uint64_t& bits_of(std::uint64_t& entry) noexcept { return entry; }
constexpr std::uint32_t bits_of(const std::uint32_t& entry) noexcept { return entry; }
constexpr std::uint64_t bits_of(const std::uint64_t& entry) noexcept { return entry; }
template <class Key, class Weight>
constexpr Key& bits_of(WeightedEntry<Key, Weight>& entry) noexcept {
  return entry.bits;
}
template <class Key, class Weight>
constexpr Key bits_of(const WeightedEntry<Key, Weight>& entry) noexcept {
  return entry.bits;
}

template <class E>
class EntrySorter {
 public:
  // Sorts by the bits 1 ... high - 1. Needs: higher bits are 0; n < 2^32; `spare` has n entries.
  void sort(E* entries, E* spare, std::size_t n, unsigned high) {
    if (n < 2 || high <= 1) return;
    if (n <= kAtOnce && sort_numbers(entries, spare, n)) return;
    if (n <= kFew) return sort_few(entries, n);
    // So many leading bits that most entries with the same ones have the same key.
    const auto magnitude = static_cast<unsigned>(std::bit_width(n));
    const unsigned sorted = std::min(high - 1, magnitude + 3);
    const unsigned low = high - sorted;
    sort_digits(entries, spare, n, low, sorted, magnitude);
    if (low > 1) sort_runs(entries, spare, n, low);
  }

 private:
  static constexpr std::size_t kFew = 24;
  static constexpr std::size_t kBetweenLooks = std::size_t{1} << 16;
  static constexpr std::size_t kAtOnce = std::size_t{1} << 20;

  // Entries that are numbers, where the processor sorts these fast.
  static bool sort_numbers(E* entries, E* spare, std::size_t n) noexcept {
    if constexpr (std::is_integral_v<E>) {
      Kernels::Sort<E> sort = nullptr;
      if constexpr (std::is_same_v<E, std::uint32_t>) {
        sort = kernels().sort32;
      } else {
        sort = kernels().sort64;
      }
      if (sort != nullptr) sort(entries, spare, n);
      return sort != nullptr;
    }
    return false;
  }

  static auto key(const E& entry) noexcept { return bits_of(entry) >> 1U; }

  static void sort_few(E* entries, std::size_t n) noexcept {
    for (std::size_t i = 1; i < n; ++i) {
      const E entry = entries[i];
      std::size_t at = i;
      for (; at > 0 && key(entries[at - 1]) > key(entry); --at) entries[at] = entries[at - 1];
      entries[at] = entry;
    }
  }

  // By the bits low ... low + sorted - 1.
  void sort_digits(E* entries, E* spare, std::size_t n, unsigned low, unsigned sorted,
                   unsigned magnitude) {
    const unsigned widest = std::clamp(magnitude - 1, 4U, RadixSort::kMostDigitBits);
    const auto bits = [](const E& entry) { return bits_of(entry); };
    if (!radix_.sort(entries, spare, n, low, sorted, widest, bits)) return;
    for (const auto [begin, end] : Strides(n))
      std::copy(spare + begin, spare + end, entries + begin);
  }

  // Sorts what has the same bits from `low` on.
  void sort_runs(E* entries, E* spare, std::size_t n, unsigned low) {
    std::size_t look = kBetweenLooks;
    const StopSign sign;
    for (std::size_t i = 0; i + 1 < n;) {
      if (i >= look) {
        sign.obey();
        look = i + kBetweenLooks;
      }
      const auto lead = bits_of(std::as_const(entries[i]));
      auto differing = lead ^ lead;
      std::size_t end = i + 1;
      for (; end < n; ++end) {
        const auto other = lead ^ bits_of(std::as_const(entries[end]));
        if ((other >> low) != 0) break;
        differing |= other;
      }
      if ((differing >> 1U) != 0) sort_run(entries + i, spare + i, end - i, differing);
      i = end;
    }
  }

  template <class Bits>
  void sort_run(E* entries, E* spare, std::size_t n, Bits differing) {
    if (n <= kFew) return sort_few(entries, n);
    // The bits above are equal and only have to be out of the way.
    const Bits above = bits_of(std::as_const(entries[0])) & ~low_bits(differing);
    for (std::size_t i = 0; i < n; ++i) bits_of(entries[i]) ^= above;
    sort(entries, spare, n, static_cast<unsigned>(std::bit_width(differing)));
    for (std::size_t i = 0; i < n; ++i) bits_of(entries[i]) ^= above;
  }

  template <class Bits>
  static Bits low_bits(Bits differing) noexcept {
    return static_cast<Bits>(~Bits{0}) >> static_cast<unsigned>(std::countl_zero(differing));
  }

  RadixSort radix_;
};

}  // namespace confmat
