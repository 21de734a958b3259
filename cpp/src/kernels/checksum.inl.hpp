// CRC-32C (Castagnoli), reflected: by the processor's own instruction where this set has it, at 8
// bytes a cycle.

#if defined(__SSE4_2__) || defined(__ARM_FEATURE_CRC32)

#if defined(__SSE4_2__)
inline std::uint32_t crc_after(std::uint32_t crc, std::uint64_t word) noexcept {
  return static_cast<std::uint32_t>(_mm_crc32_u64(crc, word));
}
inline std::uint32_t crc_after(std::uint32_t crc, std::uint8_t byte) noexcept {
  return _mm_crc32_u8(crc, byte);
}
#else
inline std::uint32_t crc_after(std::uint32_t crc, std::uint64_t word) noexcept {
  return __builtin_arm_crc32cd(crc, word);
}
inline std::uint32_t crc_after(std::uint32_t crc, std::uint8_t byte) noexcept {
  return __builtin_arm_crc32cb(crc, byte);
}
#endif

// The instruction takes three cycles and may begin in each: three lanes side by side, so short that
// memory is still read as one stream.
inline constexpr std::size_t kLane = 256;  // bytes
// [i][b]: what byte i of a checksum becomes after a lane of zeros.
struct LaneOfZeros {
  std::uint32_t after[4][256];

  constexpr LaneOfZeros() : after{} {
    constexpr std::uint32_t kReflected = 0x82F63B78U;
    for (unsigned bit = 0; bit < 32; ++bit) {
      std::uint32_t crc = 1U << bit;
      for (std::size_t zero = 0; zero < 8 * kLane; ++zero) {
        crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? kReflected : 0U);
      }
      for (unsigned byte = 0; byte < 256; ++byte) {
        if ((byte >> (bit % 8) & 1U) != 0) after[bit / 8][byte] ^= crc;
      }
    }
  }
  [[nodiscard]] std::uint32_t of(std::uint32_t crc) const noexcept {
    return after[0][crc & 255U] ^ after[1][crc >> 8U & 255U] ^ after[2][crc >> 16U & 255U] ^
           after[3][crc >> 24U];
  }
};
constexpr LaneOfZeros kLaneOfZeros;

std::uint32_t crc32c(std::uint32_t crc, const std::byte* data, std::size_t n) noexcept {
  const auto word = [](const std::byte* at) {
    std::uint64_t out;
    __builtin_memcpy(&out, at, sizeof out);
    return out;
  };
  crc = ~crc;
  for (; n >= 3 * kLane; n -= 3 * kLane, data += 3 * kLane) {
    std::uint32_t second = 0, third = 0;
    for (std::size_t i = 0; i < kLane; i += 8) {
      crc = crc_after(crc, word(data + i));
      second = crc_after(second, word(data + kLane + i));
      third = crc_after(third, word(data + 2 * kLane + i));
    }
    crc = kLaneOfZeros.of(kLaneOfZeros.of(crc) ^ second) ^ third;
  }
  for (; n >= 8; n -= 8, data += 8) crc = crc_after(crc, word(data));
  for (; n > 0; --n, ++data) crc = crc_after(crc, static_cast<std::uint8_t>(*data));
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
