// What sort.inl.hpp and runs.inl.hpp ask of vectors of numbers. Included by each instruction-set
// file inside its own unnamed namespace.

#if defined(__AVX2__)

// For every mask of eight lanes its places and then the others, a byte each.
struct PartedPlaces {
  std::uint64_t of[256];

  constexpr PartedPlaces() noexcept : of() {
    for (unsigned mask = 0; mask < 256; ++mask) {
      unsigned at = 0;
      for (const unsigned wanted : {1U, 0U}) {
        for (unsigned lane = 0; lane < 8; ++lane) {
          if ((mask >> lane & 1U) != wanted) continue;
          of[mask] |= std::uint64_t{lane} << (8 * at);
          ++at;
        }
      }
    }
  }
};
constexpr PartedPlaces kPartedPlaces;

#endif

#if defined(__AVX512F__)

// Masks of all lanes: GCC 12 takes what the plain forms leave undefined for an error (bug 105593).
struct SortLanes32 {
  using Number = std::uint32_t;
  using Vector = __m512i;
  using Mask = __mmask16;
  static constexpr unsigned kCount = 16;
  static constexpr Mask kEvery = 0xFFFF;
  static Vector all(std::uint32_t x) noexcept { return _mm512_set1_epi32(static_cast<int>(x)); }
  static Vector load(const std::uint32_t* at) noexcept { return _mm512_loadu_si512(at); }
  static void store(std::uint32_t* at, Vector x) noexcept { _mm512_storeu_si512(at, x); }
  // The first n lanes.
  static Vector load_some(const std::uint32_t* at, std::size_t n, Vector rest) noexcept {
    return _mm512_mask_loadu_epi32(rest, first(n), at);
  }
  static void store_some(std::uint32_t* at, std::size_t n, Vector x) noexcept {
    _mm512_mask_storeu_epi32(at, first(n), x);
  }
  static Vector lesser(Vector x, Vector y) noexcept { return _mm512_maskz_min_epu32(kEvery, x, y); }
  static Vector greater(Vector x, Vector y) noexcept {
    return _mm512_maskz_max_epu32(kEvery, x, y);
  }
  template <unsigned kSecond>
  static Vector choose(Vector x, Vector y) noexcept {
    return _mm512_mask_blend_epi32(static_cast<Mask>(kSecond), x, y);
  }
  // Lane i of the result is lane i ^ kOther.
  template <unsigned kOther>
  static Vector swapped(Vector x) noexcept {
    const Vector places = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    return _mm512_maskz_permutexvar_epi32(kEvery, _mm512_xor_si512(places, all(kOther)), x);
  }
  static Mask below(Vector x, Vector y) noexcept { return _mm512_cmplt_epu32_mask(x, y); }
  static Mask up_to(Vector x, Vector y) noexcept { return _mm512_cmple_epu32_mask(x, y); }
  // Those of the mask in the first lanes, the others in the last.
  static Vector parted(Mask lanes, Vector x) noexcept {
    const auto others = static_cast<Mask>(~lanes);
    const auto last = static_cast<Mask>(kEvery << ones(lanes));
    return _mm512_mask_expand_epi32(_mm512_maskz_compress_epi32(lanes, x), last,
                                    _mm512_maskz_compress_epi32(others, x));
  }
  static unsigned ones(Mask lanes) noexcept {
    return static_cast<unsigned>(__builtin_popcount(lanes));
  }

 private:
  static Mask first(std::size_t n) noexcept {
    return n >= kCount ? kEvery : static_cast<Mask>((1U << n) - 1);
  }
};

struct SortLanes64 {
  using Number = std::uint64_t;
  using Vector = __m512i;
  using Mask = __mmask8;
  static constexpr unsigned kCount = 8;
  static constexpr Mask kEvery = 0xFF;
  static Vector all(std::uint64_t x) noexcept {
    return _mm512_set1_epi64(static_cast<long long>(x));
  }
  static Vector load(const std::uint64_t* at) noexcept { return _mm512_loadu_si512(at); }
  static void store(std::uint64_t* at, Vector x) noexcept { _mm512_storeu_si512(at, x); }
  static Vector load_some(const std::uint64_t* at, std::size_t n, Vector rest) noexcept {
    return _mm512_mask_loadu_epi64(rest, first(n), at);
  }
  static void store_some(std::uint64_t* at, std::size_t n, Vector x) noexcept {
    _mm512_mask_storeu_epi64(at, first(n), x);
  }
  static Vector lesser(Vector x, Vector y) noexcept { return _mm512_maskz_min_epu64(kEvery, x, y); }
  static Vector greater(Vector x, Vector y) noexcept {
    return _mm512_maskz_max_epu64(kEvery, x, y);
  }
  template <unsigned kSecond>
  static Vector choose(Vector x, Vector y) noexcept {
    return _mm512_mask_blend_epi64(static_cast<Mask>(kSecond), x, y);
  }
  template <unsigned kOther>
  static Vector swapped(Vector x) noexcept {
    const Vector places = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
    return _mm512_maskz_permutexvar_epi64(kEvery, _mm512_xor_si512(places, all(kOther)), x);
  }
  static Mask below(Vector x, Vector y) noexcept { return _mm512_cmplt_epu64_mask(x, y); }
  static Mask up_to(Vector x, Vector y) noexcept { return _mm512_cmple_epu64_mask(x, y); }
  static Vector parted(Mask lanes, Vector x) noexcept {
    const __m128i places =
        _mm_loadl_epi64(reinterpret_cast<const __m128i*>(&kPartedPlaces.of[lanes]));
    return _mm512_maskz_permutexvar_epi64(kEvery, _mm512_maskz_cvtepu8_epi64(kEvery, places), x);
  }
  static unsigned ones(Mask lanes) noexcept {
    return static_cast<unsigned>(__builtin_popcount(lanes));
  }

 private:
  static Mask first(std::size_t n) noexcept {
    return n >= kCount ? kEvery : static_cast<Mask>((1U << n) - 1);
  }
};

#elif defined(__AVX2__)

struct SortLanes32 {
  using Number = std::uint32_t;
  using Vector = __m256i;
  using Mask = unsigned;
  static constexpr unsigned kCount = 8;
  static Vector all(std::uint32_t x) noexcept { return _mm256_set1_epi32(static_cast<int>(x)); }
  static Vector load(const std::uint32_t* at) noexcept {
    return _mm256_loadu_si256(reinterpret_cast<const Vector*>(at));
  }
  static void store(std::uint32_t* at, Vector x) noexcept {
    _mm256_storeu_si256(reinterpret_cast<Vector*>(at), x);
  }
  static Vector load_some(const std::uint32_t* at, std::size_t n, Vector rest) noexcept {
    const Vector lanes = first(n);
    return _mm256_blendv_epi8(rest, _mm256_maskload_epi32(reinterpret_cast<const int*>(at), lanes),
                              lanes);
  }
  static void store_some(std::uint32_t* at, std::size_t n, Vector x) noexcept {
    _mm256_maskstore_epi32(reinterpret_cast<int*>(at), first(n), x);
  }
  static Vector lesser(Vector x, Vector y) noexcept { return _mm256_min_epu32(x, y); }
  static Vector greater(Vector x, Vector y) noexcept { return _mm256_max_epu32(x, y); }
  template <unsigned kSecond>
  static Vector choose(Vector x, Vector y) noexcept {
    return _mm256_blend_epi32(x, y, kSecond);
  }
  template <unsigned kOther>
  static Vector swapped(Vector x) noexcept {
    constexpr unsigned kNear = kOther & 3U;
    if constexpr (kNear != 0) {
      x = _mm256_shuffle_epi32(
          x, kNear ^ (1U ^ kNear) << 2U ^ (2U ^ kNear) << 4U ^ (3U ^ kNear) << 6U);
    }
    if constexpr ((kOther & 4U) != 0) x = _mm256_permute2x128_si256(x, x, 1);
    return x;
  }
  static Mask below(Vector x, Vector y) noexcept {
    return lanes_of(_mm256_cmpeq_epi32(greater(x, y), x)) ^ 0xFFU;
  }
  static Mask up_to(Vector x, Vector y) noexcept {
    return lanes_of(_mm256_cmpeq_epi32(lesser(x, y), x));
  }
  static Vector parted(Mask lanes, Vector x) noexcept {
    const __m128i places =
        _mm_loadl_epi64(reinterpret_cast<const __m128i*>(&kPartedPlaces.of[lanes]));
    return _mm256_permutevar8x32_epi32(x, _mm256_cvtepu8_epi32(places));
  }
  static unsigned ones(Mask lanes) noexcept {
    return static_cast<unsigned>(__builtin_popcount(lanes));
  }

 private:
  static Vector first(std::size_t n) noexcept {
    const int most = n >= kCount ? static_cast<int>(kCount) : static_cast<int>(n);
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(most), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
  }
  static Mask lanes_of(Vector same) noexcept {
    return static_cast<Mask>(_mm256_movemask_ps(_mm256_castsi256_ps(same)));
  }
};

#endif
