// CRC32C, on which the bytes of all states end.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "confmat/kernels/table.hpp"
#include "support/fake_host.hpp"

using confmat::host::Random;

TEST_CASE("crc32c: every instruction set, every length and cut, gives the known checksums") {
  const char* const text = "123456789";
  for (const confmat::Kernels* const kernels : confmat::runnable_kernels()) {
    CHECK(kernels->crc32c(0, reinterpret_cast<const std::byte*>(text), 9) == 0xE3069283U);
    const std::vector<std::byte> zeros(32);  // RFC 3720, B.4
    CHECK(kernels->crc32c(0, zeros.data(), 32) == 0x8A9136AAU);
    for (std::size_t cut = 0; cut <= 9; ++cut) {
      const auto* const data = reinterpret_cast<const std::byte*>(text);
      CHECK(kernels->crc32c(kernels->crc32c(0, data, cut), data + cut, 9 - cut) == 0xE3069283U);
    }
    Random random(40);
    std::vector<std::byte> many(10'000);  // several rounds of lanes that are read side by side
    for (std::byte& byte : many) byte = static_cast<std::byte>(random.bits());
    for (std::size_t n = 0; n <= many.size(); n += n < 1600 ? 1 : 97) {
      const std::byte* const data = many.data() + n % 8;
      const std::size_t size = std::min(n, many.size() - n % 8);
      std::uint32_t byte_by_byte = 0;
      for (std::size_t i = 0; i < size; ++i) {
        byte_by_byte = kernels->crc32c(byte_by_byte, data + i, 1);
      }
      CHECK(kernels->crc32c(0, data, size) == byte_by_byte);
    }
  }
}
