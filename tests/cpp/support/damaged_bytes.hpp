// Saved states that were cut, changed or made longer: what every reader of bytes must refuse.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "confmat/base/error.hpp"
#include "confmat/kernels/table.hpp"
#include "support/fake_host.hpp"

namespace confmat::host {

// With a checksum that is right.
inline Bytes sealed(Bytes bytes) {
  const std::size_t end = bytes.size() - 4;
  const auto crc =
      confmat::kernels().crc32c(0, reinterpret_cast<const std::byte*>(bytes.data()), end);
  std::memcpy(bytes.data() + end, &crc, 4);
  return bytes;
}

// Every prefix, every changed bit, and bytes behind the last, with a right checksum or without.
template <class Read>
void check_refused_when_damaged(const std::vector<Bytes>& valid, const Read& read) {
  for (const Bytes& whole : valid) {
    CHECK_NOTHROW(read(whole));
    for (std::size_t n = 0; n < whole.size(); ++n) {
      const Bytes prefix(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(n));
      CHECK_THROWS_AS(read(prefix), StateError);
    }
    for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
      Bytes flipped = whole;
      flipped[bit / 8] = static_cast<std::uint8_t>(flipped[bit / 8] ^ (1U << bit % 8));
      CHECK_THROWS_AS(read(flipped), StateError);
    }
    Bytes longer = whole;
    longer.resize(whole.size() + 8);
    CHECK_THROWS_AS(read(longer), StateError);
    CHECK_THROWS_AS(read(sealed(longer)), StateError);
  }
}

// Changed bytes with a right checksum: `check(bytes)` reads them and looks at what it got. Some,
// and not all, must be a StateError; an InputError may tell of totals out of range.
template <class Check>
void check_changed_ones(const std::vector<Bytes>& valid, int trials, std::uint64_t seed,
                        const Check& check) {
  Random random(seed);
  int refused = 0;
  for (int i = 0; i < trials; ++i) {
    Bytes bytes = valid[random.below(valid.size())];
    for (std::size_t n = 1 + random.below(3); n > 0; --n) {
      auto& byte = bytes[8 + random.below(bytes.size() - 8)];
      byte = static_cast<std::uint8_t>(random.chance(2) ? random.bits()
                                                        : byte ^ (1U << random.below(8)));
    }
    bytes = sealed(std::move(bytes));
    try {
      check(bytes);
    } catch (const StateError&) {
      ++refused;
    } catch (const InputError&) {  // NOLINT(bugprone-empty-catch)
    }
  }
  CHECK(refused > trials / 4);
  CHECK(refused < trials);
}

}  // namespace confmat::host
