// Vectors of doubles, as many as a register of the instruction set holds, and their bits.
// Included by each instruction-set file inside its own unnamed namespace.

#if defined(__AVX512F__)
constexpr std::size_t kRealBytes = 64;
#elif defined(__AVX2__)
constexpr std::size_t kRealBytes = 32;
#else
constexpr std::size_t kRealBytes = 16;
#endif
constexpr std::size_t kReals = kRealBytes / sizeof(double);
static_assert(kExactGrain % kReals == 0);

typedef double Reals __attribute__((vector_size(kRealBytes)));
typedef std::int64_t Integers __attribute__((vector_size(kRealBytes)));
typedef std::uint64_t RealBits __attribute__((vector_size(kRealBytes)));

inline Reals reals_at(const double* from) noexcept {
  Reals out;
  __builtin_memcpy(&out, from, sizeof out);
  return out;
}

// The first n of a vector, then zeros.
inline Reals first_reals(const double* from, std::size_t n) noexcept {
  Reals out = {};
  __builtin_memcpy(&out, from, n * sizeof(double));
  return out;
}

inline void put_reals(double* to, Reals values) noexcept {
  __builtin_memcpy(to, &values, sizeof values);
}

// Of two vectors every other value, the first and third or the second and fourth and so on, in an
// order that is the same for both: within each 128 bits one of `low`, then one of `high`.
inline Reals even_reals(Reals low, Reals high) noexcept {
#if defined(__AVX512F__)
  return Reals{low[0], high[0], low[2], high[2], low[4], high[4], low[6], high[6]};
#elif defined(__AVX2__)
  return Reals{low[0], high[0], low[2], high[2]};
#else
  return Reals{low[0], high[0]};
#endif
}
inline Reals odd_reals(Reals low, Reals high) noexcept {
#if defined(__AVX512F__)
  return Reals{low[1], high[1], low[3], high[3], low[5], high[5], low[7], high[7]};
#elif defined(__AVX2__)
  return Reals{low[1], high[1], low[3], high[3]};
#else
  return Reals{low[1], high[1]};
#endif
}

inline RealBits bits_of_reals(Reals x) noexcept {
  RealBits out;
  __builtin_memcpy(&out, &x, sizeof out);
  return out;
}

inline Reals reals_of(RealBits bits) noexcept {
  Reals out;
  __builtin_memcpy(&out, &bits, sizeof out);
  return out;
}

constexpr std::uint64_t kSignBit = std::uint64_t{1} << 63U;
inline Reals size_of(Reals x) noexcept { return reals_of(bits_of_reals(x) & ~kSignBit); }
inline double size_of(double x) noexcept { return __builtin_fabs(x); }

// 2^exponent. Needs: it is a normal double.
inline double power_of_two(int exponent) noexcept {
  const std::uint64_t bits = static_cast<std::uint64_t>(exponent + 1023) << 52U;
  double out;
  __builtin_memcpy(&out, &bits, sizeof out);
  return out;
}
