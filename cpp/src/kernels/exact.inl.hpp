// Sums of doubles without rounding, and products and differences with what rounding leaves of them.
// Included by each instruction-set file inside its own unnamed namespace.

// Every term is cut at places below the largest one, as by Rump, Ogita and Oishi (2008): what lies
// above a place is a multiple of one power of two, so that sums of up to kExactTerms of them have
// no more than 53 bits.
//
// Needs: all terms below 2^m, where the exponent, with its bias, is m + 1022, and at least
// 43 * kCuts.
template <std::size_t kCuts>
bool cut_sums(const double* terms, std::size_t n, std::uint64_t exponent, double* parts) noexcept {
  constexpr std::uint64_t kHalf = std::uint64_t{1} << 51U;
  Reals cut[kCuts], sums[kCuts] = {};
  for (std::size_t k = 0; k < kCuts; ++k) {  // at 1.5 * 2^(m + 10 - 43 k)
    const std::uint64_t bits = ((exponent + 11 - 43 * k) << 52U) | kHalf;
    double at;
    __builtin_memcpy(&at, &bits, sizeof at);
    cut[k] = Reals{} + at;
  }
  RealBits left = {};
  for (std::size_t i = 0; i < n; i += kReals) {
    Reals rest = reals_at(terms + i);
    for (std::size_t k = 0; k < kCuts; ++k) {
      const Reals upper = (rest + cut[k]) - cut[k];
      rest = rest - upper;
      sums[k] += upper;
    }
    left |= bits_of_reals(rest);
  }
  std::uint64_t any = 0;
  for (std::size_t k = 0; k < kCuts; ++k) parts[k] = 0;
  for (std::size_t lane = 0; lane < kReals; ++lane) {
    for (std::size_t k = 0; k < kCuts; ++k) parts[k] += sums[k][lane];
    any |= left[lane];
  }
  return any << 1U == 0;  // a zero may have a sign
}

bool exact_parts(const double* terms, std::size_t n, double* parts) noexcept {
  Reals most = {};
  for (std::size_t i = 0; i < n; i += kReals) {
    const Reals size = size_of(reals_at(terms + i));
    most = size > most ? size : most;
  }
  double largest = 0;
  for (std::size_t lane = 0; lane < kReals; ++lane) {
    largest = most[lane] > largest ? most[lane] : largest;
  }
  for (std::size_t k = 0; k < kExactParts; ++k) parts[k] = 0;
  if (largest == 0) return true;
  std::uint64_t bits;
  __builtin_memcpy(&bits, &largest, sizeof bits);
  const std::uint64_t exponent = bits >> 52U;
  if (exponent < 43 * kExactParts || exponent > 2030) return false;
  // Two places are enough for most, and take less time.
  return cut_sums<2>(terms, n, exponent, parts) || cut_sums<kExactParts>(terms, n, exponent, parts);
}

// high[i] + low[i] = a[i] * b[i]; low is 0 where the product is so small that it would be no
// double.
void two_products(const double* __restrict a, const double* __restrict b, std::size_t n,
                  double* __restrict high, double* __restrict low) noexcept {
  constexpr double kLeast = 0x1p-960;
  for (std::size_t i = 0; i < n; ++i) {
    const double product = a[i] * b[i];
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
    const double error = __builtin_fma(a[i], b[i], -product);
#else  // Veltkamp and Dekker (1971)
    constexpr double kSplit = 134217729.0;  // 2^27 + 1
    const double of_a = kSplit * a[i];
    const double of_b = kSplit * b[i];
    const double a_high = of_a - (of_a - a[i]);
    const double b_high = of_b - (of_b - b[i]);
    const double a_low = a[i] - a_high;
    const double b_low = b[i] - b_high;
    const double error =
        a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low);
#endif
    high[i] = product;
    low[i] = size_of(product) >= kLeast ? error : 0.0;
  }
}

// high[i] + low[i] = |a[i] - b[i]| (Knuth).
void distances(const double* __restrict a, const double* __restrict b, std::size_t n,
               double* __restrict high, double* __restrict low) noexcept {
  for (std::size_t i = 0; i < n; ++i) {
    const double rounded = a[i] - b[i];
    const double of_b = rounded - a[i];
    const double error = (a[i] - (rounded - of_b)) - (b[i] + of_b);
    high[i] = size_of(rounded);
    low[i] = rounded < 0 ? -error : error;
  }
}

// Widens [low, high] to the values. False: the size of one is not at most `most`; a nan is such.
bool widen_bounds(const double* values, std::size_t n, double most, double* low,
                  double* high) noexcept {
  const Reals zero = {};
  const Reals limit = zero + most;
  Reals least = zero + *low;
  Reals largest = zero + *high;
  Reals inside = zero + 1.0;
  std::size_t i = 0;
  for (; i + kReals <= n; i += kReals) {
    const Reals x = reals_at(values + i);
    const Reals size = x < zero ? -x : x;
    least = x < least ? x : least;
    largest = x > largest ? x : largest;
    inside = size <= limit ? inside : zero;
  }
  bool all = true;
  for (std::size_t lane = 0; lane < kReals; ++lane) {
    *low = least[lane] < *low ? least[lane] : *low;
    *high = largest[lane] > *high ? largest[lane] : *high;
    all &= inside[lane] != 0;
  }
  for (; i < n; ++i) {
    *low = values[i] < *low ? values[i] : *low;
    *high = values[i] > *high ? values[i] : *high;
    all &= size_of(values[i]) <= most;
  }
  return all;
}
