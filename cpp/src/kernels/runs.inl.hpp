// Sorted entries, a key and a class in its lowest bit, become runs of equal keys, the highest
// first. Included by each instruction-set file inside its own unnamed namespace.

// The inverse of order_keys().
template <class Score, class Key>
Score score_of_key(Key key) noexcept {
  constexpr unsigned kSign = sizeof(Key) * 8 - 1;
  const Key bits = key ^ (((key >> kSign) - 1) | Key{1} << kSign);
  return load<Score>(reinterpret_cast<const std::byte*>(&bits));
}

#if defined(__AVX512F__)

// What runs ask of vectors beyond what sorting does.
template <class Key>
struct RunLanes;

template <>
struct RunLanes<std::uint32_t> : SortLanes32 {
  using Counts = __m512i;

  static Mask are_apart(Vector x, Vector y) noexcept {
    return _mm512_cmpgt_epu32_mask(x ^ y, all(1));
  }
  static Mask odd(Vector entries) noexcept { return _mm512_test_epi32_mask(entries, all(1)); }
  static Vector scores(Vector entries, std::uint32_t low) noexcept {
    const Vector offset = _mm512_maskz_srli_epi32(kEvery, entries, 1);
    const Vector key = _mm512_maskz_add_epi32(kEvery, offset, all(low));
    const Vector above = _mm512_maskz_srai_epi32(kEvery, key, 31);
    return key ^ (~above | all(1U << 31U));
  }
  static void put(float* to, std::size_t n, Mask lanes, Vector scores) noexcept {
    store_some(reinterpret_cast<std::uint32_t*>(to), n, compressed(lanes, scores));
  }

  static Counts steps() noexcept {
    return _mm512_setr_epi32(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
  }
  static Counts one_in(Mask lanes) noexcept { return _mm512_maskz_set1_epi32(lanes, 1); }
  static Counts each(std::uint32_t x) noexcept { return all(x); }
  static Counts sum(Counts x, Counts y) noexcept { return _mm512_maskz_add_epi32(kEvery, x, y); }
  static Counts difference(Counts x, Counts y) noexcept {
    return _mm512_maskz_sub_epi32(kEvery, x, y);
  }
  // Lane i is lane i - kBy, or 0.
  template <int kBy>
  static Counts behind(Counts x) noexcept {
    return _mm512_maskz_alignr_epi32(kEvery, x, _mm512_setzero_si512(), 16 - kBy);
  }
  static Counts compressed(Mask lanes, Counts x) noexcept {
    return _mm512_maskz_compress_epi32(lanes, x);
  }
  static void put(std::uint32_t* to, std::size_t n, Counts x) noexcept { store_some(to, n, x); }
};

template <>
struct RunLanes<std::uint64_t> : SortLanes64 {
  using Counts = __m256i;

  static Mask are_apart(Vector x, Vector y) noexcept {
    return _mm512_cmpgt_epu64_mask(x ^ y, all(1));
  }
  static Mask odd(Vector entries) noexcept { return _mm512_test_epi64_mask(entries, all(1)); }
  static Vector scores(Vector entries, std::uint64_t low) noexcept {
    const Vector offset = _mm512_maskz_srli_epi64(kEvery, entries, 1);
    const Vector key = _mm512_maskz_add_epi64(kEvery, offset, all(low));
    const Vector above = _mm512_maskz_srai_epi64(kEvery, key, 63);
    return key ^ (~above | all(1ULL << 63U));
  }
  static void put(double* to, std::size_t n, Mask lanes, Vector scores) noexcept {
    store_some(reinterpret_cast<std::uint64_t*>(to), n, _mm512_maskz_compress_epi64(lanes, scores));
  }

  static Counts steps() noexcept { return _mm256_setr_epi32(1, 2, 3, 4, 5, 6, 7, 8); }
  static Counts one_in(Mask lanes) noexcept { return _mm256_maskz_set1_epi32(lanes, 1); }
  static Counts each(std::uint32_t x) noexcept { return _mm256_set1_epi32(static_cast<int>(x)); }
  static Counts sum(Counts x, Counts y) noexcept { return _mm256_add_epi32(x, y); }
  static Counts difference(Counts x, Counts y) noexcept { return _mm256_sub_epi32(x, y); }
  template <int kBy>
  static Counts behind(Counts x) noexcept {
    return _mm256_maskz_alignr_epi32(kEvery, x, _mm256_setzero_si256(), 8 - kBy);
  }
  static Counts compressed(Mask lanes, Counts x) noexcept {
    return _mm256_maskz_compress_epi32(lanes, x);
  }
  static void put(std::uint32_t* to, std::size_t n, Counts x) noexcept {
    _mm256_mask_storeu_epi32(to, static_cast<Mask>((1U << n) - 1), x);
  }
};

#endif

// From the last entry on. The run that is open had so many rows and positives so far.
template <class Key, class Score>
class RunWriter {
 public:
  RunWriter(const Key* entries, Key low, Score* scores, std::uint32_t* positives,
            std::uint32_t* negatives) noexcept
      : entries_(entries),
        low_(low),
        scores_(scores),
        positives_(positives),
        negatives_(negatives) {}

  std::size_t write(std::size_t n) noexcept {
#if defined(__AVX512F__)
    for (; n > RunLanes<Key>::kCount; n -= RunLanes<Key>::kCount) write_vector(n);
#else
    for (; n > kTogether; n -= kTogether) {
      if (open_rows_ == 0 && are_apart(n)) {
        write_apart(n);
      } else {
        for (std::size_t i = n; i > n - kTogether;) write_one(--i);
      }
    }
#endif
    while (n > 0) write_one(--n);
    return at_;
  }

 private:
#if defined(__AVX512F__)
  // The entries before `end`. Needs: there is one before them.
  void write_vector(std::size_t end) noexcept {
    using L = RunLanes<Key>;
    const auto reversed = [](const Key* at) {
      return L::template swapped<L::kCount - 1>(L::load(at));
    };
    const auto x = reversed(entries_ + end - L::kCount);
    const auto last = L::are_apart(x, reversed(entries_ + end - L::kCount - 1));
    const auto odd = L::odd(x);
    if (last == 0) {  // stores of nothing are slow, and far more so on pages that nobody touched
      open_rows_ += L::kCount;
      open_positives_ += L::ones(odd);
      return;
    }
    auto positives = L::one_in(odd);
    positives = L::sum(positives, L::template behind<1>(positives));
    positives = L::sum(positives, L::template behind<2>(positives));
    positives = L::sum(positives, L::template behind<4>(positives));
    if constexpr (L::kCount > 8) {
      positives = L::sum(positives, L::template behind<8>(positives));
    }
    positives = L::compressed(last, L::sum(positives, L::each(open_positives_)));
    positives = L::difference(positives, L::template behind<1>(positives));
    auto rows = L::compressed(last, L::sum(L::steps(), L::each(open_rows_)));
    rows = L::difference(rows, L::template behind<1>(rows));
    const unsigned runs = L::ones(last);
    L::put(scores_ + at_, runs, last, L::scores(x, low_));
    L::put(positives_ + at_, runs, positives);
    L::put(negatives_ + at_, runs, L::difference(rows, positives));
    at_ += runs;
    // What lies behind the last entry of a run.
    const unsigned closed = 32U - static_cast<unsigned>(__builtin_clz(last));
    open_rows_ = L::kCount - closed;
    open_positives_ = static_cast<std::uint32_t>(__builtin_popcount(unsigned{odd} >> closed));
  }
#else

  static constexpr std::size_t kTogether = 16;

  // Whether so many entries before `end`, and the one before them, have a key each.
  [[nodiscard]] bool are_apart(std::size_t end) const noexcept {
    const Key* const first = entries_ + end - kTogether - 1;
    bool equal = false;
    for (std::size_t i = 0; i < kTogether; ++i) equal |= (first[i] ^ first[i + 1]) <= 1;
    return !equal;
  }
  void write_apart(std::size_t end) noexcept {
    for (std::size_t i = 0; i < kTogether; ++i) {
      const Key bits = entries_[end - 1 - i];
      const auto side = static_cast<std::uint32_t>(bits & 1U);
      scores_[at_ + i] = score_of_entry(bits);
      positives_[at_ + i] = side;
      negatives_[at_ + i] = side ^ 1U;
    }
    at_ += kTogether;
  }
#endif

  [[nodiscard]] Score score_of_entry(Key bits) const noexcept {
    return score_of_key<Score>(static_cast<Key>(low_ + (bits >> 1U)));
  }

  // Without a branch: what is written of an open run is written again.
  void write_one(std::size_t i) noexcept {
    const Key bits = entries_[i];
    ++open_rows_;
    open_positives_ += static_cast<std::uint32_t>(bits & 1U);
    scores_[at_] = score_of_entry(bits);
    positives_[at_] = open_positives_;
    negatives_[at_] = open_rows_ - open_positives_;
    const bool last = i == 0 || (bits ^ entries_[i - 1]) > 1;
    at_ += last ? 1 : 0;
    open_rows_ = last ? 0 : open_rows_;
    open_positives_ = last ? 0 : open_positives_;
  }

  const Key* entries_;
  Key low_;
  Score* scores_;
  std::uint32_t* positives_;
  std::uint32_t* negatives_;
  std::size_t at_ = 0;
  std::uint32_t open_rows_ = 0, open_positives_ = 0;
};

template <class Key, class Score>
std::size_t runs(const Key* entries, std::size_t n, Key low, Score* scores,
                 std::uint32_t* positives, std::uint32_t* negatives) noexcept {
  return RunWriter<Key, Score>(entries, low, scores, positives, negatives).write(n);
}
