// Sums of doubles without rounding, and products and differences with what rounding leaves of them.
// Included by each instruction-set file inside its own unnamed namespace.

// Every term is cut at two places below the largest one, as by Rump, Ogita and Oishi (2008): what
// lies above a place is a multiple of one power of two, so that sums of up to kExactTerms of them
// have no more than 53 bits.
bool exact_parts(const double* terms, std::size_t n, double* parts) noexcept {
  constexpr std::uint64_t kFraction = 52;
  constexpr std::uint64_t kHalf = std::uint64_t{1} << 51U;
  const Reals zero = {};
  Reals most = {};
  for (std::size_t i = 0; i < n; i += kReals) {
    const Reals x = reals_at(terms + i);
    const Reals size = x < zero ? -x : x;
    most = size > most ? size : most;
  }
  double largest = 0;
  for (std::size_t lane = 0; lane < kReals; ++lane) {
    largest = most[lane] > largest ? most[lane] : largest;
  }
  parts[0] = parts[1] = 0;
  if (largest == 0) return true;
  std::uint64_t bits;
  __builtin_memcpy(&bits, &largest, sizeof bits);
  // Below 2^m with m = exponent - 1022: cut at 1.5 * 2^(m + 10) and 1.5 * 2^(m - 33).
  const std::uint64_t exponent = bits >> kFraction;
  if (exponent < 40 || exponent > 2030) return false;
  const std::uint64_t cuts[2] = {((exponent + 11) << kFraction) | kHalf,
                                 ((exponent - 32) << kFraction) | kHalf};
  double cut[2];
  __builtin_memcpy(cut, cuts, sizeof cut);
  const Reals first = zero + cut[0];
  const Reals second = zero + cut[1];
  Reals high = {}, low = {}, left = {};
  for (std::size_t i = 0; i < n; i += kReals) {
    const Reals x = reals_at(terms + i);
    const Reals upper = (x + first) - first;
    const Reals rest = x - upper;
    const Reals lower = (rest + second) - second;
    const Reals beyond = rest - lower;
    high += upper;
    low += lower;
    left = beyond != zero ? beyond : left;
  }
  bool all = true;
  for (std::size_t lane = 0; lane < kReals; ++lane) {
    parts[0] += high[lane];
    parts[1] += low[lane];
    all &= left[lane] == 0;
  }
  return all;
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
