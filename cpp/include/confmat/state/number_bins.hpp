// Bins of numbers: the sign, the exponent and the first bits of a double. Each is as wide as its
// numbers are large, so that the middle of a bin is off by a share of at most 2^-(bits + 1).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace confmat {

inline constexpr int kUsualBits = 7, kAllBits = 52;
inline constexpr std::uint64_t kSignOfBin = std::uint64_t{1} << 63U;

// Numbers nearer to 0 than the first bits of the least double are in the bin of 0.
constexpr std::uint64_t bin_of_number(double number, int bits) noexcept {
  const auto all = std::bit_cast<std::uint64_t>(number);
  const std::uint64_t size = (all & ~kSignOfBin) >> static_cast<unsigned>(52 - bits);
  return size == 0 ? 0 : (all & kSignOfBin) | size;
}

constexpr std::uint64_t size_of_bin(std::uint64_t bin) noexcept { return bin & ~kSignOfBin; }

// The bin of fewer bits that the numbers of a bin are in.
constexpr std::uint64_t coarser_bin(std::uint64_t bin, int bits, int fewer) noexcept {
  const std::uint64_t size = size_of_bin(bin) >> static_cast<unsigned>(bits - fewer);
  return size == 0 ? 0 : (bin & kSignOfBin) | size;
}

// Few bins are as fine as they can be: the most bits up to the given ones that leave at most
// kFewBins, and kUsualBits where none do. Each bin is made of those of more bits, so that the bits
// follow from the numbers alone, in whatever order and parts they came.
inline constexpr std::size_t kFewBins = 256;
int fitting_bits(std::vector<std::uint64_t> bins, int bits);

// Whether a bin of this size holds one number alone.
constexpr bool is_one_number(std::uint64_t size, int bits) noexcept {
  return bits == kAllBits || size == 0;
}

// The least size in a bin of sizes, and the first one beyond.
constexpr double least_in_bin(std::uint64_t size, int bits) noexcept {
  return std::bit_cast<double>(size << static_cast<unsigned>(52 - bits));
}
constexpr double end_of_bin(std::uint64_t size, int bits) noexcept {
  return least_in_bin(is_one_number(size, bits) ? size : size + 1, bits);
}
constexpr double middle_of_bin(std::uint64_t size, int bits) noexcept {
  const double least = least_in_bin(size, bits);
  return least + (end_of_bin(size, bits) - least) / 2;
}

}  // namespace confmat
