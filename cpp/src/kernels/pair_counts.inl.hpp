// Pairs of counts that lie at their places become lists of those that are not both 0. Included by
// each instruction-set file inside its own unnamed namespace.

std::size_t take_pairs(std::uint64_t* cells, std::size_t n, std::uint32_t first,
                       std::uint32_t* places, std::uint32_t* low, std::uint32_t* high) noexcept {
  std::size_t found = 0, i = 0;
#if defined(__AVX512F__)
  constexpr std::size_t kLanes = 16;
  constexpr __mmask16 kEvery = 0xFFFF;  // see SortLanes
  const __m512i lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
  const __m512i odd = _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
  for (; i + kLanes <= n; i += kLanes) {
    const __m512i left = _mm512_loadu_si512(cells + i);
    const __m512i right = _mm512_loadu_si512(cells + i + kLanes / 2);
    const __m512i lows = _mm512_permutex2var_epi32(left, even, right);
    const __m512i highs = _mm512_permutex2var_epi32(left, odd, right);
    const __mmask16 used = _mm512_test_epi32_mask(lows | highs, lows | highs);
    _mm512_storeu_si512(cells + i, _mm512_setzero_si512());
    _mm512_storeu_si512(cells + i + kLanes / 2, _mm512_setzero_si512());
    const __m512i at = _mm512_set1_epi32(static_cast<int>(first - static_cast<std::uint32_t>(i)));
    _mm512_storeu_si512(places + found, _mm512_maskz_compress_epi32(
                                            used, _mm512_maskz_sub_epi32(kEvery, at, lanes)));
    _mm512_storeu_si512(low + found, _mm512_maskz_compress_epi32(used, lows));
    _mm512_storeu_si512(high + found, _mm512_maskz_compress_epi32(used, highs));
    found += static_cast<std::size_t>(__builtin_popcount(used));
  }
#endif
  for (; i < n; ++i) {
    const std::uint64_t cell = cells[i];
    cells[i] = 0;
    places[found] = first - static_cast<std::uint32_t>(i);
    low[found] = static_cast<std::uint32_t>(cell);
    high[found] = static_cast<std::uint32_t>(cell >> 32U);
    found += cell != 0 ? 1U : 0U;
  }
  return found;
}
