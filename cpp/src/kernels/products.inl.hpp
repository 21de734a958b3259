// The inner loop of products of matrices. Included by each instruction-set file inside its own
// unnamed namespace.

#if defined(__AVX512F__)
constexpr std::size_t kLanes = 8, kTileRows = 8, kTileVectors = 3;
#elif defined(__AVX2__)
constexpr std::size_t kLanes = 4, kTileRows = 4, kTileVectors = 3;
#else
constexpr std::size_t kLanes = 2, kTileRows = 4, kTileVectors = 2;
#endif
constexpr std::size_t kTileColumns = kLanes * kTileVectors;

typedef double Lanes __attribute__((vector_size(kLanes * sizeof(double)), aligned(sizeof(double))));

inline Lanes all_of(double x) noexcept {
#if defined(__AVX512F__)
  return _mm512_set1_pd(x);
#elif defined(__AVX2__)
  return _mm256_set1_pd(x);
#else
  return Lanes{x, x};
#endif
}

inline Lanes times_plus(Lanes x, Lanes y, Lanes sum) noexcept {
#if defined(__AVX512F__)
  return _mm512_fmadd_pd(x, y, sum);
#elif defined(__AVX2__) && defined(__FMA__)
  return _mm256_fmadd_pd(x, y, sum);
#else
  return sum + x * y;
#endif
}

inline void subtract_tile(const double* rows, const double* columns, std::size_t depth, double* out,
                          std::size_t stride) noexcept {
  Lanes sums[kTileRows][kTileVectors] = {};
  for (std::size_t p = 0; p < depth; ++p) {
    Lanes line[kTileVectors];
#pragma GCC unroll 8
    for (std::size_t v = 0; v < kTileVectors; ++v) {
      line[v] = *reinterpret_cast<const Lanes*>(columns + p * kTileColumns + v * kLanes);
    }
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kTileRows; ++i) {
      const Lanes factor = all_of(rows[p * kTileRows + i]);
#pragma GCC unroll 8
      for (std::size_t v = 0; v < kTileVectors; ++v) {
        sums[i][v] = times_plus(factor, line[v], sums[i][v]);
      }
    }
  }
#pragma GCC unroll 8
  for (std::size_t i = 0; i < kTileRows; ++i) {
#pragma GCC unroll 8
    for (std::size_t v = 0; v < kTileVectors; ++v) {
      *reinterpret_cast<Lanes*>(out + i * stride + v * kLanes) -= sums[i][v];
    }
  }
}
