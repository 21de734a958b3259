// Classes to codes, codes to counts. Included by each instruction-set file inside its own unnamed
// namespace.

template <class Class, class Code>
void combine(const void* rows, const void* columns, std::size_t n, std::uint32_t side,
             void* out) noexcept {
  const Class* row = static_cast<const Class*>(rows);
  const Class* column = static_cast<const Class*>(columns);
  Code* codes = static_cast<Code*>(out);
  const Class most = static_cast<Class>(side - 1);
  const Code width = static_cast<Code>(side);
  // The clamp keeps codes below side * side whatever the class buffers hold.
  for (std::size_t i = 0; i < n; ++i) {
    const Class a = row[i] < most ? row[i] : most;
    const Class b = column[i] < most ? column[i] : most;
    codes[i] = static_cast<Code>(static_cast<Code>(static_cast<Code>(a) * width) + b);
  }
}

#if defined(__AVX512BW__)
inline constexpr std::size_t kVector = 64;
#elif defined(__AVX2__)
inline constexpr std::size_t kVector = 32;
#else
inline constexpr std::size_t kVector = 16;
#endif
typedef std::uint8_t ByteVector __attribute__((vector_size(kVector)));

// Asks for the memory of row i of what is read next. One request every few rows costs next to
// nothing; many at once would wait for each other.
inline void prefetch(const Ahead& ahead, std::size_t i) noexcept {
  __builtin_prefetch(ahead.at[0] + i * ahead.width[0]);
  __builtin_prefetch(ahead.at[1] + i * ahead.width[1]);
}

// After how many codes the wider column begins another line: more requests would be for the same.
inline std::size_t codes_a_line(const Ahead& ahead) noexcept {
  const std::size_t width = ahead.width[0] > ahead.width[1] ? ahead.width[0] : ahead.width[1];
  return width <= 1 ? 64 : width <= 2 ? 32 : width <= 4 ? 16 : width <= 8 ? 8 : 4;
}

template <std::size_t kLive>
std::size_t tally_few(const std::uint8_t* codes, std::size_t n, const Ahead& ahead,
                      const std::uint8_t* live, std::uint32_t* counts) noexcept {
  std::size_t found = 0;
  std::size_t i = 0;
  while (i + kVector <= n) {
    // A byte lane grows by at most one a step, so 255 steps cannot overflow it.
    const std::size_t steps = (n - i) / kVector < 255 ? (n - i) / kVector : 255;
    ByteVector lanes[kLive] = {};
    for (std::size_t step = 0; step < steps; ++step, i += kVector) {
      for (std::size_t row = i; row < i + kVector; row += 8) prefetch(ahead, row);
      ByteVector block;
      __builtin_memcpy(&block, codes + i, kVector);
#pragma GCC unroll 16
      for (std::size_t k = 0; k < kLive; ++k) {
        lanes[k] -= reinterpret_cast<ByteVector>(block == live[k]);
      }
    }
    for (std::size_t k = 0; k < kLive; ++k) {
      std::uint32_t sum = 0;
      for (std::size_t lane = 0; lane < kVector; ++lane) sum += lanes[k][lane];
      counts[k] += sum;
      found += sum;
    }
  }
  for (; i < n; ++i) {
    for (std::size_t k = 0; k < kLive; ++k) {
      if (codes[i] != live[k]) continue;
      ++counts[k];
      ++found;
      break;
    }
  }
  return found;
}

// Past the caches: memory that is not read again soon need not be fetched to be written.
void stream_out(const std::byte* from, std::size_t n, std::byte* to) noexcept {
#if defined(__AVX512BW__)
  for (std::size_t i = 0; i < n; i += 64) {
    _mm512_stream_si512(reinterpret_cast<__m512i*>(to + i), _mm512_loadu_si512(from + i));
  }
#elif defined(__SSE2__)
  for (std::size_t i = 0; i < n; i += 16) {
    const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i));
    _mm_stream_si128(reinterpret_cast<__m128i*>(to + i), block);
  }
#else
  __builtin_memcpy(to, from, n);
#endif
}

void stream_end() noexcept {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

// Several tables, so that equal neighbours do not wait for one another.
void tally8(const std::uint8_t* codes, std::size_t n, const Ahead& ahead,
            std::uint32_t* tables) noexcept {
  const std::size_t line = codes_a_line(ahead);
  std::size_t i = 0;
  while (i + 8 <= n) {
    prefetch(ahead, i);
    const std::size_t end = i + line <= n ? i + line : n / 8 * 8;
    for (; i < end; i += 8) {
      std::uint64_t eight;
      __builtin_memcpy(&eight, codes + i, 8);
#pragma GCC unroll 8
      for (unsigned k = 0; k < 8; ++k) ++tables[k * 256U + ((eight >> (8U * k)) & 255U)];
    }
  }
  for (; i < n; ++i) ++tables[codes[i]];
}

void tally16(const std::uint16_t* codes, std::size_t n, const Ahead& ahead, std::uint32_t* tables,
             std::size_t size, int lanes) noexcept {
  std::uint32_t* second = lanes > 1 ? tables + size : tables;
  std::uint32_t* third = lanes > 2 ? tables + 2 * size : tables;
  std::uint32_t* fourth = lanes > 2 ? tables + 3 * size : second;
  const std::size_t line = codes_a_line(ahead);
  std::size_t i = 0;
  while (i + 4 <= n) {
    prefetch(ahead, i);
    const std::size_t end = i + line <= n ? i + line : n / 4 * 4;
    for (; i < end; i += 4) {
      std::uint64_t four;  // pairs of 8 bits lie at odd addresses, too
      __builtin_memcpy(&four, codes + i, 8);
      ++tables[four & 0xFFFFU];
      ++second[(four >> 16U) & 0xFFFFU];
      ++third[(four >> 32U) & 0xFFFFU];
      ++fourth[four >> 48U];
    }
  }
  for (; i < n; ++i) {
    std::uint16_t code;
    __builtin_memcpy(&code, codes + i, 2);
    ++tables[code];
  }
}

bool tally32(const std::uint32_t* codes, std::size_t n, std::int64_t* cells,
             std::size_t size) noexcept {
  // The table may be far larger than the caches: its memory is asked for well before it is needed.
  constexpr std::size_t kEarly = 24;
  bool inside = true;
  for (std::size_t i = 0; i < n; ++i) {
    if (i + kEarly < n && codes[i + kEarly] < size)
      __builtin_prefetch(cells + codes[i + kEarly], 1);
    const std::uint32_t code = codes[i];
    if (code < size) {
      ++cells[code];
    } else {
      inside = false;
    }
  }
  return inside;
}
