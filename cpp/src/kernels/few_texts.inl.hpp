// Short texts of few kinds as their numbers. Included by each instruction-set file inside its own
// unnamed namespace.

#if defined(__AVX512F__) && defined(__AVX512DQ__)

// Masks of all lanes: GCC 12 takes what the plain forms leave undefined for an error (bug 105593).
constexpr __mmask8 kAllWords = 0xFF;

inline __m512i words_at(const void* at) noexcept { return _mm512_maskz_loadu_epi64(kAllWords, at); }

class FewLanes {
 public:
  explicit FewLanes(const FewTexts& texts) noexcept
      : first_{words_at(texts.first), words_at(texts.first + 8)},
        second_{words_at(texts.second), words_at(texts.second + 8)},
        number_{words_at(texts.number), words_at(texts.number + 8)},
        factor_{_mm512_set1_epi64(static_cast<long long>(texts.factors[0])),
                _mm512_set1_epi64(static_cast<long long>(texts.factors[1]))} {}

  // The numbers of eight keys, of which some are known to be none.
  void find(__mmask8 keys, __m512i first, __m512i second, std::uint32_t* found) const noexcept {
    const __m512i mixed = _mm512_add_epi64(_mm512_mullo_epi64(first, factor_[0]),
                                           _mm512_mullo_epi64(second, factor_[1]));
    const __m512i place = _mm512_maskz_srli_epi64(kAllWords, mixed, 64 - kFewTextBits);
    const auto there = [&](const __m512i(&table)[2]) {
      return _mm512_permutex2var_epi64(table[0], place, table[1]);
    };
    const auto known = static_cast<__mmask8>(keys & _mm512_cmpeq_epi64_mask(there(first_), first) &
                                             _mm512_cmpeq_epi64_mask(there(second_), second));
    const __m512i number = _mm512_mask_blend_epi64(known, _mm512_set1_epi64(-1), there(number_));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(found),
                        _mm512_maskz_cvtepi64_epi32(kAllWords, number));
  }

 private:
  __m512i first_[2], second_[2], number_[2], factor_[2];
};

inline void find_views(const std::byte* views, const TextBytes& /*bytes*/, std::size_t n,
                       const FewTexts& texts, std::uint32_t* found) noexcept {
  const FewLanes lanes(texts);
  const __m512i even = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14);
  const __m512i odd = _mm512_setr_epi64(1, 3, 5, 7, 9, 11, 13, 15);
  for (std::size_t i = 0; i < n; i += kFewTextRows) {
    const __m512i low = words_at(views + i * 16), high = words_at(views + i * 16 + 64);
    lanes.find(kAllWords, _mm512_permutex2var_epi64(low, even, high),
               _mm512_permutex2var_epi64(low, odd, high), found + i);
  }
}

inline __m512i offsets_at(const std::int64_t* at) noexcept { return words_at(at); }
inline __m512i offsets_at(const std::int32_t* at) noexcept {
  return _mm512_maskz_cvtepi32_epi64(kAllWords,
                                     _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at)));
}

// The words that begin there, of eight rows: loads, as many processors gather slower than that.
inline __m512i words_from(const char* bytes, __m512i begins) noexcept {
  alignas(64) std::int64_t begin[8];
  _mm512_store_si512(begin, begins);
  const auto two = [&](std::size_t i) {
    const __m128i low = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(bytes + begin[i]));
    return _mm_castpd_si128(
        _mm_loadh_pd(_mm_castsi128_pd(low), reinterpret_cast<const double*>(bytes + begin[i + 1])));
  };
  const auto four = [&](std::size_t i) { return _mm256_set_m128i(two(i + 2), two(i)); };
  return _mm512_maskz_inserti64x4(kAllWords, _mm512_castsi256_si512(four(0)), four(4), 1);
}

template <class Offset>
void find_slices(const std::byte* offsets, const TextBytes& bytes, std::size_t n,
                 const FewTexts& texts, std::uint32_t* found) noexcept {
  const FewLanes lanes(texts);
  const __m512i zero = _mm512_setzero_si512(), ones = _mm512_set1_epi64(-1);
  const __m512i last = _mm512_set1_epi64(bytes.size - 16);
  for (std::size_t i = 0; i < n; i += kFewTextRows) {
    const Offset* at = reinterpret_cast<const Offset*>(offsets) + i;
    const __m512i begin = offsets_at(at);
    const __m512i length = _mm512_sub_epi64(offsets_at(at + 1), begin);
    // What is negative is huge.
    const auto within =
        static_cast<__mmask8>(_mm512_cmplt_epu64_mask(length, _mm512_set1_epi64(16)) &
                              _mm512_cmple_epu64_mask(begin, last));
    // Words of the texts, of which the bytes beyond so many bits are not text.
    const auto words = [&](__mmask8 rows, std::size_t from, __m512i bits) {
      const __m512i all = rows == kAllWords
                              ? words_from(bytes.at + from, begin)
                              : _mm512_mask_i64gather_epi64(zero, rows, begin, bytes.at + from, 1);
      return _mm512_maskz_andnot_epi64(kAllWords, _mm512_maskz_sllv_epi64(kAllWords, ones, bits),
                                       all);
    };
    const __m512i bits = _mm512_maskz_slli_epi64(kAllWords, length, 3);
    const __m512i first = words(within, 0, bits);
    __m512i second = _mm512_maskz_slli_epi64(kAllWords, length, 56);
    const auto longer =
        static_cast<__mmask8>(within & _mm512_cmpgt_epi64_mask(length, _mm512_set1_epi64(8)));
    if (longer != 0) {
      const __m512i rest = _mm512_maskz_sub_epi64(longer, bits, _mm512_set1_epi64(64));
      second = _mm512_or_epi64(second, words(longer, 8, rest));
    }
    lanes.find(within, first, second, found + i);
  }
}

constexpr Kernels::FindTexts kFindSlices32 = find_slices<std::int32_t>;
constexpr Kernels::FindTexts kFindSlices64 = find_slices<std::int64_t>;
constexpr Kernels::FindTexts kFindViews = find_views;

#else

constexpr Kernels::FindTexts kFindSlices32 = nullptr;
constexpr Kernels::FindTexts kFindSlices64 = nullptr;
constexpr Kernels::FindTexts kFindViews = nullptr;

#endif
