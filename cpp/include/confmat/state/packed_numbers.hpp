// Unsigned integers side by side in saved bytes, each as narrow as the largest of them allows.
#pragma once

#include <cstddef>
#include <cstdint>

#include "confmat/base/bytes.hpp"

namespace confmat {

// Calls visit with a number of the unsigned type of so many bytes: 1, 2, 4 or 8.
template <class Visit>
decltype(auto) with_unsigned(unsigned bytes, const Visit& visit) {
  switch (bytes) {
    case 1:
      return visit(std::uint8_t{});
    case 2:
      return visit(std::uint16_t{});
    case 4:
      return visit(std::uint32_t{});
    default:
      return visit(std::uint64_t{});
  }
}

constexpr bool is_width(unsigned bytes) noexcept {
  return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
}

// Bytes of the narrowest unsigned integers that hold it: 1, 2, 4 or 8. Bits may be those of several
// numbers at once.
constexpr unsigned narrowest(std::uint64_t bits) noexcept {
  if (bits <= UINT8_MAX) return 1;
  if (bits <= UINT16_MAX) return 2;
  return bits <= UINT32_MAX ? 4 : 8;
}

template <class T>
class PackedNumbers {
 public:
  explicit PackedNumbers(const std::uint8_t* from) noexcept : from_(from) {}
  T operator[](std::size_t i) const noexcept {
    return load<T>(from_, static_cast<std::int64_t>(i));
  }

 private:
  const std::uint8_t* from_;
};

// None is written: all are 0.
struct PackedZeros {
  std::uint8_t operator[](std::size_t /*i*/) const noexcept { return 0; }
};

}  // namespace confmat
