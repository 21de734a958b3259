// Bins of errors: the sign, the exponent and the first bits of a double. Each is as wide as its
// errors are large, so that the middle of a bin is off by a share of at most 2^-(bits + 1).
#pragma once

#include <bit>
#include <cstdint>

namespace confmat {

inline constexpr int kUsualErrorBits = 7, kAllErrorBits = 52;
inline constexpr std::uint64_t kSignOfBin = std::uint64_t{1} << 63U;

// Errors nearer to 0 than the first bits of the least double are in the bin of 0.
constexpr std::uint64_t bin_of_error(double error, int bits) noexcept {
  const auto all = std::bit_cast<std::uint64_t>(error);
  const std::uint64_t size = (all & ~kSignOfBin) >> static_cast<unsigned>(52 - bits);
  return size == 0 ? 0 : (all & kSignOfBin) | size;
}

constexpr std::uint64_t size_of_bin(std::uint64_t bin) noexcept { return bin & ~kSignOfBin; }

// The least size in a bin of sizes, and the first one beyond.
constexpr double least_in_bin(std::uint64_t size, int bits) noexcept {
  return std::bit_cast<double>(size << static_cast<unsigned>(52 - bits));
}
constexpr double middle_of_bin(std::uint64_t size, int bits) noexcept {
  const double least = least_in_bin(size, bits);
  if (bits == kAllErrorBits || size == 0) return least;
  return least + (least_in_bin(size + 1, bits) - least) / 2;
}

}  // namespace confmat
