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

inline Reals size_of(Reals x) noexcept {
  return reals_of(bits_of_reals(x) & ~(std::uint64_t{1} << 63U));
}
inline double size_of(double x) noexcept { return __builtin_fabs(x); }

// 2^exponent. Needs: it is a normal double.
inline double power_of_two(int exponent) noexcept {
  const std::uint64_t bits = static_cast<std::uint64_t>(exponent + 1023) << 52U;
  double out;
  __builtin_memcpy(&out, &bits, sizeof out);
  return out;
}
