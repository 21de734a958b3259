// CRC-32C (Castagnoli), reflected: by the processor's own instruction where this set has it.

#if defined(__SSE4_2__)

std::uint32_t crc32c(std::uint32_t crc, const std::byte* data, std::size_t n) noexcept {
  std::uint64_t rest = ~crc;
  for (; n >= 8; n -= 8, data += 8) {
    std::uint64_t word;
    __builtin_memcpy(&word, data, sizeof word);
    rest = _mm_crc32_u64(rest, word);
  }
  for (; n > 0; --n, ++data) {
    rest = _mm_crc32_u8(static_cast<std::uint32_t>(rest), static_cast<std::uint8_t>(*data));
  }
  return ~static_cast<std::uint32_t>(rest);
}

#elif defined(__ARM_FEATURE_CRC32)

std::uint32_t crc32c(std::uint32_t crc, const std::byte* data, std::size_t n) noexcept {
  crc = ~crc;
  for (; n >= 8; n -= 8, data += 8) {
    std::uint64_t word;
    __builtin_memcpy(&word, data, sizeof word);
    crc = __builtin_arm_crc32cd(crc, word);
  }
  for (; n > 0; --n, ++data) crc = __builtin_arm_crc32cb(crc, static_cast<std::uint8_t>(*data));
  return ~crc;
}

#else

struct Crc32cTables {
  std::uint32_t after[8][256];  // [i][b]: of byte b and i bytes of zeros behind it

  constexpr Crc32cTables() : after{} {
    constexpr std::uint32_t kReflected = 0x82F63B78U;
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
      std::uint32_t crc = byte;
      for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? kReflected : 0U);
      after[0][byte] = crc;
    }
    for (int i = 1; i < 8; ++i) {
      for (int byte = 0; byte < 256; ++byte) {
        const std::uint32_t before = after[i - 1][byte];
        after[i][byte] = (before >> 8U) ^ after[0][before & 255U];
      }
    }
  }
};
constexpr Crc32cTables kCrc32c;

std::uint32_t crc32c(std::uint32_t crc, const std::byte* data, std::size_t n) noexcept {
  crc = ~crc;
  for (; n >= 8; n -= 8, data += 8) {
    std::uint64_t word;
    __builtin_memcpy(&word, data, sizeof word);
    word ^= crc;
    crc = 0;
    for (unsigned i = 0; i < 8; ++i) crc ^= kCrc32c.after[7 - i][(word >> (8 * i)) & 255U];
  }
  for (; n > 0; --n, ++data) {
    crc = (crc >> 8U) ^ kCrc32c.after[0][(crc ^ static_cast<std::uint32_t>(*data)) & 255U];
  }
  return ~crc;
}

#endif
