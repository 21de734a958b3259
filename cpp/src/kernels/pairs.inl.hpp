// Sums over pairs of numbers, their squares, products and distances, without rounding.
// Included by each instruction-set file inside its own unnamed namespace.
//
// A number of at most 2^m is cut into three: multiples of 2^(m-22), 2^(m-45) and 2^(m-68) of no
// more than 22 bits each. Products of two such parts have 44 bits, so that 3 * 170 of them add up
// in a double as whole numbers do: so here alone products and sums may be fused, with the same
// bits.

constexpr std::size_t kPairsOfLane = 168;
constexpr int kVectorsAtOnce = 2;  // vectors, so that sums are fetched and put back half as often

inline Reals plus_product(Reals sum, Reals a, Reals b) noexcept {
#if defined(__AVX512F__)
  return _mm512_fmadd_pd(a, b, sum);
#elif defined(__AVX2__) && defined(__FMA__)
  return _mm256_fmadd_pd(a, b, sum);
#else
  return sum + a * b;
#endif
}

struct CutReals {
  Reals first, second, third;
  Reals behind;  // second + third
};

// The bits of what is left behind the third part are added to `left`.
inline CutReals cut_reals(Reals x, const Reals* at, RealBits& left) noexcept {
  CutReals out;
  out.first = (x + at[0]) - at[0];
  out.behind = x - out.first;
  out.second = (out.behind + at[1]) - at[1];
  out.third = out.behind - out.second;
  left |= bits_of_reals(out.third - ((out.third + at[2]) - at[2]));
  return out;
}

struct PairLanes {
  Reals truth[2] = {}, prediction[2] = {}, error[2] = {};
  Reals truth_squared[5] = {}, prediction_squared[5] = {}, product[5] = {};
};

inline void add_square(Reals* sums, const CutReals* x) noexcept {
  for (int k = 0; k < kVectorsAtOnce; ++k) sums[0] = plus_product(sums[0], x[k].first, x[k].first);
  for (int k = 0; k < kVectorsAtOnce; ++k) {
    sums[1] = plus_product(sums[1], x[k].first + x[k].first, x[k].second);
  }
  for (int k = 0; k < kVectorsAtOnce; ++k) {
    sums[2] = plus_product(sums[2], x[k].first + x[k].first, x[k].third);
    sums[2] = plus_product(sums[2], x[k].second, x[k].second);
  }
  for (int k = 0; k < kVectorsAtOnce; ++k) {
    sums[3] = plus_product(sums[3], x[k].second + x[k].second, x[k].third);
  }
  for (int k = 0; k < kVectorsAtOnce; ++k) sums[4] = plus_product(sums[4], x[k].third, x[k].third);
}

inline void add_product(Reals* sums, const CutReals* x, const CutReals* z) noexcept {
  for (int k = 0; k < kVectorsAtOnce; ++k) sums[0] = plus_product(sums[0], x[k].first, z[k].first);
  for (int k = 0; k < kVectorsAtOnce; ++k) {
    sums[1] = plus_product(sums[1], x[k].first, z[k].second);
    sums[1] = plus_product(sums[1], x[k].second, z[k].first);
  }
  for (int k = 0; k < kVectorsAtOnce; ++k) {
    sums[2] = plus_product(sums[2], x[k].first, z[k].third);
    sums[2] = plus_product(sums[2], x[k].second, z[k].second);
    sums[2] = plus_product(sums[2], x[k].third, z[k].first);
  }
  for (int k = 0; k < kVectorsAtOnce; ++k) {
    sums[3] = plus_product(sums[3], x[k].second, z[k].third);
    sums[3] = plus_product(sums[3], x[k].third, z[k].second);
  }
  for (int k = 0; k < kVectorsAtOnce; ++k) sums[4] = plus_product(sums[4], x[k].third, z[k].third);
}

inline void add_lanes(const Reals* lanes, std::size_t n, const double* units,
                      std::int64_t* sums) noexcept {
  for (std::size_t i = 0; i < n; ++i) {
    const Integers whole = __builtin_convertvector(lanes[i] * units[i], Integers);
    for (std::size_t lane = 0; lane < kReals; ++lane) sums[i] += whole[lane];
  }
}

// Numbers from `at` on, then zeros.
inline Reals rest_of(const double* from, std::size_t at, std::size_t end) noexcept {
  return at < end ? first_reals(from + at, end - at) : Reals{};
}

bool sum_pairs(const double* y, const double* p, std::size_t n, int exponent,
               PairSums* out) noexcept {
  const Reals zero = {};
  // 1.5 * 2^(52 + what the unit of the part is)
  const Reals at_cut[3] = {zero + 1.5 * power_of_two(exponent + 30),
                           zero + 1.5 * power_of_two(exponent + 7),
                           zero + 1.5 * power_of_two(exponent - 16)};
  double single[2], squared[5];
  for (int i = 0; i < 2; ++i) single[i] = power_of_two(kPairBits[i] - exponent);
  for (int i = 0; i < 5; ++i) squared[i] = power_of_two(kPairSquareBits[i] - 2 * exponent);
  PairSums sums;
  Reals most = {};
  RealBits left = {};
  for (std::size_t from = 0; from < n;) {
    const std::size_t end = n - from < kPairsOfLane * kReals ? n : from + kPairsOfLane * kReals;
    PairLanes lanes;
    for (; from < end; from += kVectorsAtOnce * kReals) {
      CutReals of_y[kVectorsAtOnce], of_p[kVectorsAtOnce];
      Reals distance[kVectorsAtOnce];
#pragma GCC unroll 4
      for (int k = 0; k < kVectorsAtOnce; ++k) {
        const std::size_t at = from + static_cast<std::size_t>(k) * kReals;
        const Reals truth = at + kReals <= end ? reals_at(y + at) : rest_of(y, at, end);
        const Reals prediction = at + kReals <= end ? reals_at(p + at) : rest_of(p, at, end);
        of_y[k] = cut_reals(truth, at_cut, left);
        of_p[k] = cut_reals(prediction, at_cut, left);
        distance[k] = truth - prediction;
        const Reals size = size_of(distance[k]);
        most = size > most ? size : most;
      }
      for (int k = 0; k < kVectorsAtOnce; ++k) lanes.truth[0] += of_y[k].first;
      for (int k = 0; k < kVectorsAtOnce; ++k) lanes.truth[1] += of_y[k].behind;
      for (int k = 0; k < kVectorsAtOnce; ++k) lanes.prediction[0] += of_p[k].first;
      for (int k = 0; k < kVectorsAtOnce; ++k) lanes.prediction[1] += of_p[k].behind;
      for (int k = 0; k < kVectorsAtOnce; ++k) {
        const RealBits sign = bits_of_reals(distance[k]) & kSignBit;
        lanes.error[0] += reals_of(bits_of_reals(of_y[k].first - of_p[k].first) ^ sign);
        lanes.error[1] += reals_of(bits_of_reals(of_y[k].behind - of_p[k].behind) ^ sign);
      }
      add_square(lanes.truth_squared, of_y);
      add_square(lanes.prediction_squared, of_p);
      add_product(lanes.product, of_y, of_p);
    }
    from = end;
    add_lanes(lanes.truth, 2, single, sums.truth);
    add_lanes(lanes.prediction, 2, single, sums.prediction);
    add_lanes(lanes.error, 2, single, sums.error);
    add_lanes(lanes.truth_squared, 5, squared, sums.truth_squared);
    add_lanes(lanes.prediction_squared, 5, squared, sums.prediction_squared);
    add_lanes(lanes.product, 5, squared, sums.product);
  }
  for (std::size_t lane = 0; lane < kReals; ++lane) {
    if ((left[lane] & ~kSignBit) != 0) return false;
    sums.largest_error = most[lane] > sums.largest_error ? most[lane] : sums.largest_error;
  }
  *out = sums;
  return true;
}

struct RealBounds {
  Reals least, largest;

  RealBounds(double from, double to) noexcept : least(Reals{} + from), largest(Reals{} + to) {}
  void widen(Reals x) noexcept {
    least = x < least ? x : least;
    largest = x > largest ? x : largest;
  }
  void put(double* from, double* to) const noexcept {
    for (std::size_t lane = 0; lane < kReals; ++lane) {
      *from = least[lane] < *from ? least[lane] : *from;
      *to = largest[lane] > *to ? largest[lane] : *to;
    }
  }
};

bool split_pairs(const double* pairs, std::size_t n, double most, double* y, double* p,
                 PairBounds* bounds) noexcept {
  const Reals zero = {}, limit = zero + most;
  RealBounds truth(bounds->least_truth, bounds->largest_truth);
  RealBounds prediction(bounds->least_prediction, bounds->largest_prediction);
  Reals inside = zero + 1.0;
  const auto add = [&](Reals of_y, Reals of_p) {
    truth.widen(of_y);
    prediction.widen(of_p);
    inside = (size_of(of_y) <= limit) & (size_of(of_p) <= limit) ? inside : zero;
  };
  std::size_t i = 0;
  for (; i + kReals <= n; i += kReals) {
    const Reals low = reals_at(pairs + 2 * i), high = reals_at(pairs + 2 * i + kReals);
    const Reals of_y = even_reals(low, high), of_p = odd_reals(low, high);
    put_reals(y + i, of_y);
    put_reals(p + i, of_p);
    add(of_y, of_p);
  }
  for (; i < n; ++i) {
    y[i] = pairs[2 * i];
    p[i] = pairs[2 * i + 1];
    add(zero + y[i], zero + p[i]);
  }
  truth.put(&bounds->least_truth, &bounds->largest_truth);
  prediction.put(&bounds->least_prediction, &bounds->largest_prediction);
  bool all = true;
  for (std::size_t lane = 0; lane < kReals; ++lane) all &= inside[lane] != 0;
  return all;
}
