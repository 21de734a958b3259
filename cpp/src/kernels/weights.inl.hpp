// Sums of weights without a branch a row. Included by each instruction-set file inside its own
// unnamed namespace.

typedef std::uint64_t Words __attribute__((vector_size(32)));
typedef double Doubles __attribute__((vector_size(32)));

// The words of two vectors that are named, 0 to 3 of the first and 4 to 7 of the second.
#if defined(__clang__)
#define CONFMAT_WORDS(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define CONFMAT_WORDS(a, b, ...) __builtin_shuffle(a, b, Words{__VA_ARGS__})
#endif

// The fixed-point number `mantissa << place` as its low kWeightBits and what is above them. A row
// that is outside, or 0, has the number 0.
struct FixedPoint {
  Words low;
  Words high;
};

inline FixedPoint fixed_point(const Words& bits, const Words& at, const Words& used) noexcept {
  constexpr std::uint64_t kHidden = std::uint64_t{1} << 52U;
  constexpr std::uint64_t kLow = (std::uint64_t{1} << kWeightBits) - 1;
  const Words mantissa = ((bits & (kHidden - 1)) | kHidden) & used;
  const Words place = at & used;
  return {(mantissa << place) & kLow, mantissa >> (kWeightBits - place)};
}

std::size_t add_weights(const std::uint32_t* codes, const double* weights, std::size_t n,
                        const WeightWindow& window, WeightSums* sums,
                        std::uint32_t* rows) noexcept {
  Words missed = {};
  const auto add_four = [&](const std::uint32_t* code, const Words& bits, std::size_t count) {
    const Doubles weight = reinterpret_cast<Doubles>(bits);
    const Words square = reinterpret_cast<Words>(weight * weight);
    const Words place = (bits >> 52U) - window.weights;
    const Words square_place = (square >> 52U) - window.squares;
    const Words outside = reinterpret_cast<Words>(place >= kWeightPlaces) |
                          reinterpret_cast<Words>(square_place >= kWeightPlaces);
    missed -= outside & reinterpret_cast<Words>(bits + bits != 0);  // of -0, too
    const FixedPoint w = fixed_point(bits, place, ~outside);
    const FixedPoint s = fixed_point(square, square_place, ~outside);
    // From a vector a word to a vector a row.
    const Words low01 = CONFMAT_WORDS(w.low, w.high, 0, 4, 1, 5);
    const Words low23 = CONFMAT_WORDS(w.low, w.high, 2, 6, 3, 7);
    const Words high01 = CONFMAT_WORDS(s.low, s.high, 0, 4, 1, 5);
    const Words high23 = CONFMAT_WORDS(s.low, s.high, 2, 6, 3, 7);
    const Words of_row[4] = {
        CONFMAT_WORDS(low01, high01, 0, 1, 4, 5), CONFMAT_WORDS(low01, high01, 2, 3, 6, 7),
        CONFMAT_WORDS(low23, high23, 0, 1, 4, 5), CONFMAT_WORDS(low23, high23, 2, 3, 6, 7)};
    for (std::size_t k = 0; k < count; ++k) {
      Words* sum = reinterpret_cast<Words*>(sums + code[k]);
      *sum += of_row[k];
      ++rows[code[k]];
    }
  };
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    Words bits;
    __builtin_memcpy(&bits, weights + i, sizeof bits);
    add_four(codes + i, bits, 4);
  }
  if (i < n) {
    Words bits = {};
    __builtin_memcpy(&bits, weights + i, (n - i) * sizeof(double));
    add_four(codes + i, bits, n - i);
  }
  return missed[0] + missed[1] + missed[2] + missed[3];
}

#undef CONFMAT_WORDS
