// Sixty-four values become one word.
#include "confmat/kernels/validity.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "confmat/kernels/wide_loop.hpp"

namespace confmat {
namespace {

constexpr std::size_t kAtOnce = 64;

// Of so many values at most. Eight flags of a byte each become eight bits by one product, whose
// other terms lie outside the highest byte.
inline std::uint64_t bits_of(const double* values, std::size_t n) noexcept {
  constexpr std::uint64_t kGather = 0x0102040810204080;
  std::array<std::uint8_t, kAtOnce> flags{};
  for (std::size_t i = 0; i < n; ++i) flags[i] = static_cast<std::uint8_t>(values[i] == values[i]);
  std::uint64_t out = 0;
  for (std::size_t byte = 0; byte < 8; ++byte) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, flags.data() + 8 * byte, sizeof eight);
    out |= (eight * kGather >> 56U) << (8 * byte);
  }
  return out;
}

inline bool are_all_there(const double* values) noexcept {
  std::uint64_t lacking = 0;
  for (std::size_t i = 0; i < kAtOnce; ++i) {
    lacking |= values[i] == values[i] ? 0 : ~std::uint64_t{0};
  }
  return lacking == 0;
}

}  // namespace

void valid_bits(std::span<const double> values, std::uint8_t* bits) noexcept {
  const std::size_t at = values.size() / kAtOnce * kAtOnce;
  wide_loop([=] {
    for (std::size_t i = 0; i < at; i += kAtOnce) {
      const double* const from = values.data() + i;
      const std::uint64_t of = are_all_there(from) ? ~std::uint64_t{0} : bits_of(from, kAtOnce);
      std::memcpy(bits + i / 8, &of, sizeof of);
    }
  });
  if (at == values.size()) return;
  const std::uint64_t of = bits_of(values.data() + at, values.size() - at);
  std::memcpy(bits + at / 8, &of, (values.size() - at + 7) / 8);
}

std::int64_t count_bits(std::span<const std::uint8_t> bits) noexcept {
  std::int64_t n = 0;
  wide_loop([&] {
    for (std::size_t at = 0; at < bits.size(); at += sizeof(std::uint64_t)) {
      std::uint64_t word = 0;
      std::memcpy(&word, bits.data() + at, std::min(sizeof word, bits.size() - at));
      n += std::popcount(word);
    }
  });
  return n;
}

}  // namespace confmat
