// Pairs of few classes as counts of bits: for each class the rows that have it are a set, and the
// rows of a pair are where two sets meet. Included by each instruction-set file inside its own
// unnamed namespace.

#if defined(__AVX512BW__)

typedef std::uint64_t RowSet __attribute__((vector_size(64)));  // 512 rows

constexpr std::size_t kSetRows = 512, kSetsAtOnce = 8, kClassBits = 4;
static_assert(std::size_t{1} << kClassBits == kFewClasses);

struct RowSets {
  RowSet of[kFewClasses][kSetsAtOnce];
  bool has_rest;  // a row has a class of `classes` or more

  // Bits of all sets are written well before they are read: what is read in wider pieces than it
  // was written waits until it left the processor.
  void read(const std::uint8_t* classes, std::size_t n_sets, std::uint32_t n_classes,
            const std::byte* next, std::size_t next_width) noexcept {
    alignas(64) std::uint64_t bits[kSetsAtOnce][kClassBits][kSetRows / 64];
    for (std::size_t set = 0; set < n_sets; ++set) {
#pragma GCC unroll 8
      for (std::size_t word = 0; word < kSetRows / 64; ++word, classes += 64) {
        for (std::size_t line = 0; line < next_width; ++line, next += 64) __builtin_prefetch(next);
        const __m512i rows = _mm512_loadu_si512(classes);
#pragma GCC unroll 4
        for (std::size_t bit = 0; bit < kClassBits; ++bit) {
          bits[set][bit][word] = _mm512_test_epi8_mask(rows, _mm512_set1_epi8(1 << bit));
        }
      }
    }
    RowSet rest = {};
    for (std::size_t set = 0; set < n_sets; ++set) {
      RowSet with[kClassBits], both[2][4];
      __builtin_memcpy(with, bits[set], sizeof with);
      for (std::size_t half = 0; half < 2; ++half) {
        const RowSet low = with[2 * half], high = with[2 * half + 1];
        both[half][0] = ~(low | high);
        both[half][1] = low & ~high;
        both[half][2] = high & ~low;
        both[half][3] = low & high;
      }
      for (std::uint32_t k = 0; k < kFewClasses; ++k) {
        of[k][set] = both[0][k % 4] & both[1][k / 4];
        if (k >= n_classes) rest |= of[k][set];
      }
    }
    has_rest = _mm512_test_epi64_mask(reinterpret_cast<__m512i>(rest),
                                      reinterpret_cast<__m512i>(rest)) != 0;
  }
};

// The rows of both sets, added to eight counters. Sets are few, or known to be all.
template <std::size_t kSets>
__attribute__((target("avx512vpopcntdq"))) inline void add_common(
    const RowSet* sets, const RowSet* others, std::size_t n, std::uint64_t* counters) noexcept {
  RowSet sum;
  __builtin_memcpy(&sum, counters, sizeof sum);
#pragma GCC unroll 8
  for (std::size_t i = 0; i < (kSets > 0 ? kSets : n); ++i) {
    sum += reinterpret_cast<RowSet>(
        _mm512_popcnt_epi64(reinterpret_cast<__m512i>(sets[i] & others[i])));
  }
  __builtin_memcpy(counters, &sum, sizeof sum);
}

__attribute__((target("avx512vpopcntdq"))) void tally_classes(const std::uint8_t* rows,
                                                              const std::uint8_t* columns,
                                                              std::size_t n, std::uint32_t classes,
                                                              const Ahead& ahead,
                                                              std::uint64_t* counters) noexcept {
  std::size_t i = 0;
  while (i + kSetRows <= n) {
    const std::size_t whole = (n - i) / kSetRows;
    const std::size_t n_sets = whole < kSetsAtOnce ? whole : kSetsAtOnce;
    RowSets truth, prediction;
    truth.read(rows + i, n_sets, classes, ahead.at[0] + i * ahead.width[0], ahead.width[0]);
    prediction.read(columns + i, n_sets, classes, ahead.at[1] + i * ahead.width[1], ahead.width[1]);
    const std::size_t last = truth.has_rest ? kFewClasses : classes;
    const std::size_t last_other = prediction.has_rest ? kFewClasses : classes;
    for (std::size_t a = 0; a < last; ++a) {
      RowSet sets[kSetsAtOnce];  // which no counter may be a part of, so that they stay at hand
      __builtin_memcpy(sets, truth.of[a], sizeof sets);
      std::uint64_t* of_pair = counters + 8 * a * kFewClasses;
      for (std::size_t b = 0; b < last_other; ++b, of_pair += 8) {
        if (n_sets == kSetsAtOnce) {
          add_common<kSetsAtOnce>(sets, prediction.of[b], n_sets, of_pair);
        } else {
          add_common<0>(sets, prediction.of[b], n_sets, of_pair);
        }
      }
    }
    i += n_sets * kSetRows;
  }
  constexpr std::uint8_t kMost = kFewClasses - 1;
  for (; i < n; ++i) ++counters[8 * ((rows[i] & kMost) * kFewClasses + (columns[i] & kMost))];
}

constexpr Kernels::TallyClasses kTallyClasses = tally_classes;

#else

constexpr Kernels::TallyClasses kTallyClasses = nullptr;

#endif
