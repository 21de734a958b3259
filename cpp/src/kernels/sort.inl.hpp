// Numbers in ascending order, on vectors: quicksort whose parts are written to other memory, down
// to a few vectors that a network sorts. (Of 64 bits that is no faster than by radix on vectors of
// four.) Included by each instruction-set file inside its own unnamed namespace.

#if defined(__AVX2__)

template <class L>
class VectorSort {
  using T = typename L::Number;
  using Vector = typename L::Vector;
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
    } else {
      // Nothing is below the pivot: what is equal to it is sorted.
      low = split<true>(at, n, pivot, other);
      if (home) __builtin_memcpy(at, other, low * sizeof(T));
    }
    if (low < n) sort(at + low, other + low, n - low, home, depth - 1);
  }

 private:
  // Those below the pivot, or up to it, go to `to`, and the others to the end of `at`. Returns how
  // many the former are. Vectors are written as a whole: there is room where those of `at` have
  // been read, from the last on.
  template <bool kEqual>
  static std::size_t split(T* at, std::size_t n, T pivot, T* to) noexcept {
    const Vector middle = L::all(pivot);
    std::size_t low = 0;
    T* high = at + n;
    std::size_t left = n;
    for (; left >= kCount; left -= kCount) {
      const Vector x = L::load(at + left - kCount);
      const auto lows = kEqual ? L::up_to(x, middle) : L::below(x, middle);
      const Vector parted = L::parted(lows, x);
      L::store(to + low, parted);
      L::store(high - kCount, parted);
      low += L::ones(lows);
      high -= kCount - L::ones(lows);
    }
    T rest[kCount];
    __builtin_memcpy(rest, at, left * sizeof(T));
    for (std::size_t i = 0; i < left; ++i) {
      const bool is_low = kEqual ? rest[i] <= pivot : rest[i] < pivot;
      to[low] = rest[i];
      high[-1] = rest[i];
      low += is_low ? 1 : 0;
      high -= is_low ? 0 : 1;
    }
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
    L::store(some, sorted_lanes(L::load(some)));
    return some[kCount / 2];
  }

  // The lesser of each pair of lanes stays in the first of them; kBit tells these apart.
  template <unsigned kOther, unsigned kBit>
  static Vector exchange(Vector x) noexcept {
    constexpr unsigned kSecond = second_of(kBit);
    const Vector y = L::template swapped<kOther>(x);
    return L::template choose<kSecond>(L::lesser(x, y), L::greater(x, y));
  }
  static constexpr unsigned second_of(unsigned bit) noexcept {
    unsigned second = 0;
    for (unsigned lane = 0; lane < kCount; ++lane) second |= ((lane & bit) != 0 ? 1U : 0U) << lane;
    return second;
  }
  // Of lanes that ascend and then descend, in groups of 2 kBit.
  template <unsigned kBit>
  static Vector merged_lanes(Vector x) noexcept {
    x = exchange<kBit, kBit>(x);
    if constexpr (kBit > 1) x = merged_lanes<kBit / 2>(x);
    return x;
  }
  template <unsigned kGroup = 2>
  static Vector sorted_lanes(Vector x) noexcept {
    x = exchange<kGroup - 1, kGroup / 2>(x);
    if constexpr (kGroup > 2) x = merged_lanes<kGroup / 4>(x);
    if constexpr (kGroup < kCount) x = sorted_lanes<kGroup * 2>(x);
    return x;
  }

  static Vector reversed(Vector x) noexcept { return L::template swapped<kCount - 1>(x); }
  static void exchange(Vector& x, Vector& y) noexcept {
    const Vector least = L::lesser(x, y);
    y = L::greater(x, y);
    x = least;
  }

  template <std::size_t kVectors>
  static void sort_vectors(Vector* x) noexcept {
    if constexpr (kVectors == 1) {
      x[0] = sorted_lanes(x[0]);
    } else {
      constexpr std::size_t kHalf = kVectors / 2;
      sort_vectors<kHalf>(x);
      sort_vectors<kHalf>(x + kHalf);
      Vector down[kHalf];
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
  static void merge_vectors(Vector* x) noexcept {
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
    Vector x[kVectors];
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kVectors; ++i) {
      const std::size_t before = i * kCount;
      x[i] = n >= before + kCount ? L::load(from + before)
             : n > before         ? L::load_some(from + before, n - before, L::all(~T{0}))
                                  : L::all(~T{0});
    }
    sort_vectors<kVectors>(x);
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kVectors; ++i) {
      const std::size_t before = i * kCount;
      if (n >= before + kCount) {
        L::store(to + before, x[i]);
      } else if (n > before) {
        L::store_some(to + before, n - before, x[i]);
      }
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

template <class L>
void sort_numbers(typename L::Number* numbers, typename L::Number* spare, std::size_t n) noexcept {
  unsigned depth = 16;
  for (std::size_t rest = n; rest > 0; rest >>= 1U) depth += 2;
  VectorSort<L>::sort(numbers, spare, n, true, depth);
}
constexpr Kernels::Sort<std::uint32_t> kSort32 = sort_numbers<SortLanes32>;

#else

constexpr Kernels::Sort<std::uint32_t> kSort32 = nullptr;

#endif

#if defined(__AVX512F__)
constexpr Kernels::Sort<std::uint64_t> kSort64 = sort_numbers<SortLanes64>;
#else
constexpr Kernels::Sort<std::uint64_t> kSort64 = nullptr;
#endif
