// Changed states, closed again.
#pragma once

#include <cstring>

#include "confmat/kernels/table.hpp"
#include "target.hpp"

namespace confmat::fuzz {

// The bytes with the size and the checksum that they would have: what lies behind these is reached.
inline Bytes mended(std::span<const std::uint8_t> bytes) {
  constexpr std::size_t kHead = 40;
  Bytes out(bytes.begin(), bytes.end());
  if (out.size() < kHead + 4) return out;
  std::uint32_t compatible = 0;
  std::uint64_t labels = 0;
  std::memcpy(&compatible, out.data() + 20, sizeof compatible);
  std::memcpy(&labels, out.data() + 32, sizeof labels);
  const std::uint64_t size = out.size();
  if (labels < size && compatible < size) {
    const std::uint64_t at = (kHead + compatible + labels + 7) / 8 * 8;
    if (at + sizeof size <= size) std::memcpy(out.data() + at, &size, sizeof size);
  }
  const std::uint32_t crc =
      kernels().crc32c(0, reinterpret_cast<const std::byte*>(out.data()), out.size() - 4);
  std::memcpy(out.data() + out.size() - 4, &crc, sizeof crc);
  return out;
}

}  // namespace confmat::fuzz
