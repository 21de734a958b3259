// Numbers of 32 bits in ascending order, where vectors can be compressed: quicksort whose parts are
// written to other memory, down to a few vectors that a network sorts. (Of 64 bits that is no
// faster than by radix.) Included by each instruction-set file inside its own unnamed namespace.

#if defined(__AVX512F__)

// Masks of all lanes: GCC 12 takes what the plain forms leave undefined for an error (bug 105593).
struct SortLanes {
  static constexpr unsigned kCount = 16;
  typedef __mmask16 Mask;
  static constexpr Mask kEvery = 0xFFFF;
  static __m512i all(std::uint32_t x) noexcept { return _mm512_set1_epi32(static_cast<int>(x)); }
  static __m512i places() noexcept {
    return _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  }
  static __m512i load(const std::uint32_t* at, Mask lanes, __m512i rest) noexcept {
    return _mm512_mask_loadu_epi32(rest, lanes, at);
  }
  static void store(std::uint32_t* at, Mask lanes, __m512i x) noexcept {
    _mm512_mask_storeu_epi32(at, lanes, x);
  }
  static __m512i lesser(__m512i x, __m512i y) noexcept {
    return _mm512_maskz_min_epu32(kEvery, x, y);
  }
  static __m512i greater(__m512i x, __m512i y) noexcept {
    return _mm512_maskz_max_epu32(kEvery, x, y);
  }
  static __m512i choose(Mask second, __m512i x, __m512i y) noexcept {
    return _mm512_mask_blend_epi32(second, x, y);
  }
  static __m512i at_places(__m512i places, __m512i x) noexcept {
    return _mm512_maskz_permutexvar_epi32(kEvery, places, x);
  }
  static __m512i packed(Mask lanes, __m512i x) noexcept {
    return _mm512_maskz_compress_epi32(lanes, x);
  }
  static Mask below(__m512i x, __m512i y) noexcept { return _mm512_cmplt_epu32_mask(x, y); }
  static Mask up_to(__m512i x, __m512i y) noexcept { return _mm512_cmple_epu32_mask(x, y); }
};

class VectorSort {
  using T = std::uint32_t;
  using L = SortLanes;
  using Mask = L::Mask;
  static constexpr std::size_t kCount = L::kCount;
  static constexpr std::size_t kFewVectors = 8;

 public:
  static constexpr std::size_t kFew = kFewVectors * kCount;

  // Sorts what lies at `at`; `other` is as much room. The result lies at `at` where that is `home`,
  // else at `other`.
  static void sort(T* at, T* other, std::size_t n, bool home, unsigned depth) noexcept {
    if (n <= kFew) return sort_few(at, n, home ? at : other);
    if (depth == 0) return sort_heap(at, other, n, home);
    const T pivot = middle_of_some(at, n);
    std::size_t low = split<false>(at, n, pivot, other);
    if (low > 0) {
      sort(other, at, low, !home, depth - 1);
      return sort(other + low, at + low, n - low, !home, depth - 1);
    }
    // Nothing is below the pivot: what is equal to it is sorted.
    low = split<true>(other, n, pivot, at);
    if (!home) __builtin_memcpy(other, at, low * sizeof(T));
    if (low < n) sort(at + low, other + low, n - low, home, depth - 1);
  }

 private:
  static Mask first(std::size_t n) noexcept {
    return n >= kCount ? static_cast<Mask>(~Mask{0}) : static_cast<Mask>((1U << n) - 1);
  }
  static unsigned ones(Mask lanes) noexcept {
    return static_cast<unsigned>(__builtin_popcount(lanes));
  }

  // Those below the pivot, or up to it, go to `to`, and the others behind them. Returns how many
  // the former are. What has been read of `at` has room for the others: vectors are written as a
  // whole.
  template <bool kEqual>
  static std::size_t split(T* at, std::size_t n, T pivot, T* to) noexcept {
    const __m512i middle = L::all(pivot);
    std::size_t low = 0;
    std::size_t high = 0;
    std::size_t i = 0;
    for (; i + kCount <= n; i += kCount) {
      const __m512i x = L::load(at + i, L::kEvery, middle);
      const Mask lows = kEqual ? L::up_to(x, middle) : L::below(x, middle);
      L::store(to + low, L::kEvery, L::packed(lows, x));
      L::store(at + high, L::kEvery, L::packed(static_cast<Mask>(~lows), x));
      low += ones(lows);
      high += kCount - ones(lows);
    }
    const Mask lanes = first(n - i);
    const __m512i x = L::load(at + i, lanes, middle);
    const Mask lows = (kEqual ? L::up_to(x, middle) : L::below(x, middle)) & lanes;
    const Mask highs = static_cast<Mask>(~lows) & lanes;
    L::store(to + low, first(ones(lows)), L::packed(lows, x));
    L::store(at + high, first(ones(highs)), L::packed(highs, x));
    low += ones(lows);
    __builtin_memcpy(to + low, at, (n - low) * sizeof(T));
    return low;
  }

  static T middle_of_some(const T* at, std::size_t n) noexcept {
    if (n < 16 * kCount) {  // a better one would take longer than it saves
      const T one = at[n / 4];
      const T two = at[n / 2];
      const T three = at[n / 4 * 3];
      const T least = one < two ? one : two;
      const T most = one < two ? two : one;
      return three < least ? least : three < most ? three : most;
    }
    T some[kCount];
    for (std::size_t i = 0; i < kCount; ++i) some[i] = at[(2 * i + 1) * n / (2 * kCount)];
    L::store(some, first(kCount), sorted_lanes(L::load(some, first(kCount), L::all(0))));
    return some[kCount / 2];
  }

  // The lesser of each pair of lanes stays in the first of them; kBit tells these apart.
  template <unsigned kOther, unsigned kBit>
  static __m512i exchange(__m512i x) noexcept {
    unsigned second = 0;
    for (unsigned lane = 0; lane < kCount; ++lane) second |= ((lane & kBit) != 0 ? 1U : 0U) << lane;
    const __m512i y = L::at_places(_mm512_xor_si512(L::places(), L::all(kOther)), x);
    return L::choose(static_cast<Mask>(second), L::lesser(x, y), L::greater(x, y));
  }
  // Of lanes that ascend and then descend, in groups of 2 kBit.
  template <unsigned kBit>
  static __m512i merged_lanes(__m512i x) noexcept {
    x = exchange<kBit, kBit>(x);
    if constexpr (kBit > 1) x = merged_lanes<kBit / 2>(x);
    return x;
  }
  template <unsigned kGroup = 2>
  static __m512i sorted_lanes(__m512i x) noexcept {
    x = exchange<kGroup - 1, kGroup / 2>(x);
    if constexpr (kGroup > 2) x = merged_lanes<kGroup / 4>(x);
    if constexpr (kGroup < kCount) x = sorted_lanes<kGroup * 2>(x);
    return x;
  }

  static __m512i reversed(__m512i x) noexcept {
    return L::at_places(_mm512_xor_si512(L::places(), L::all(kCount - 1)), x);
  }
  static void exchange(__m512i& x, __m512i& y) noexcept {
    const __m512i least = L::lesser(x, y);
    y = L::greater(x, y);
    x = least;
  }

  template <std::size_t kVectors>
  static void sort_vectors(__m512i* x) noexcept {
    if constexpr (kVectors == 1) {
      x[0] = sorted_lanes(x[0]);
    } else {
      constexpr std::size_t kHalf = kVectors / 2;
      sort_vectors<kHalf>(x);
      sort_vectors<kHalf>(x + kHalf);
      __m512i down[kHalf];
#pragma GCC unroll 8
      for (std::size_t i = 0; i < kHalf; ++i) down[i] = reversed(x[kVectors - 1 - i]);
#pragma GCC unroll 8
      for (std::size_t i = 0; i < kHalf; ++i) {
        x[kHalf + i] = down[i];
        exchange(x[i], x[kHalf + i]);
      }
      merge_vectors<kHalf>(x);
      merge_vectors<kHalf>(x + kHalf);
    }
  }
  template <std::size_t kVectors>
  static void merge_vectors(__m512i* x) noexcept {
    if constexpr (kVectors == 1) {
      x[0] = merged_lanes<kCount / 2>(x[0]);
    } else {
      constexpr std::size_t kHalf = kVectors / 2;
#pragma GCC unroll 8
      for (std::size_t i = 0; i < kHalf; ++i) exchange(x[i], x[kHalf + i]);
      merge_vectors<kHalf>(x);
      merge_vectors<kHalf>(x + kHalf);
    }
  }

  template <std::size_t kVectors>
  static void sort_few_vectors(const T* from, std::size_t n, T* to) noexcept {
    __m512i x[kVectors];
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kVectors; ++i) {
      const std::size_t before = i * kCount;
      x[i] = L::load(from + before, first(n > before ? n - before : 0), L::all(~T{0}));
    }
    sort_vectors<kVectors>(x);
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kVectors; ++i) {
      const std::size_t before = i * kCount;
      L::store(to + before, first(n > before ? n - before : 0), x[i]);
    }
  }
  static void sort_few(const T* from, std::size_t n, T* to) noexcept {
    if (n <= kCount) return sort_few_vectors<1>(from, n, to);
    if (n <= 2 * kCount) return sort_few_vectors<2>(from, n, to);
    if (n <= 4 * kCount) return sort_few_vectors<4>(from, n, to);
    sort_few_vectors<kFewVectors>(from, n, to);
  }

  // Where no pivot was good: whatever the numbers are.
  static void sort_heap(T* at, T* other, std::size_t n, bool home) noexcept {
    const auto sink = [at](std::size_t i, std::size_t end) noexcept {
      const T x = at[i];
      for (std::size_t child = 2 * i + 1; child < end; child = 2 * i + 1) {
        if (child + 1 < end && at[child] < at[child + 1]) ++child;
        if (at[child] <= x) break;
        at[i] = at[child];
        i = child;
      }
      at[i] = x;
    };
    for (std::size_t i = n / 2; i-- > 0;) sink(i, n);
    for (std::size_t end = n - 1; end > 0; --end) {
      const T most = at[0];
      at[0] = at[end];
      at[end] = most;
      sink(0, end);
    }
    if (!home) __builtin_memcpy(other, at, n * sizeof(T));
  }
};

void sort_numbers(std::uint32_t* numbers, std::uint32_t* spare, std::size_t n) noexcept {
  unsigned depth = 16;
  for (std::size_t rest = n; rest > 0; rest >>= 1U) depth += 2;
  VectorSort::sort(numbers, spare, n, true, depth);
}
inline constexpr Kernels::Sort kSortNumbers = sort_numbers;

#else

inline constexpr Kernels::Sort kSortNumbers = nullptr;

#endif
