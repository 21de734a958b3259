// Sums over pairs of numbers, their squares, products and distances, without rounding.
// Included by each instruction-set file inside its own unnamed namespace.
//
// A number of at most 2^m is cut into three: multiples of 2^(m-22), 2^(m-45) and 2^(m-68) of no
// more than 22 bits each. Products of two such parts have 44 bits, so that 3 * 128 of them add up
// in a double as whole numbers do: so here alone products and sums may be fused, with the same
// bits.

constexpr std::size_t kPairsOfLane = 128;

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

// What is left behind the third part is added to `left`, which is not 0 then.
inline CutReals cut_reals(Reals x, const Reals* at, Reals& left) noexcept {
  CutReals out;
  out.first = (x + at[0]) - at[0];
  out.behind = x - out.first;
  out.second = (out.behind + at[1]) - at[1];
  out.third = out.behind - out.second;
  const Reals beyond = out.third - ((out.third + at[2]) - at[2]);
  left = beyond != Reals{} ? beyond : left;
  return out;
}

struct PairLanes {
  Reals truth[2] = {}, prediction[2] = {}, error[2] = {};
  Reals truth_squared[5] = {}, prediction_squared[5] = {}, product[5] = {};
};

inline void add_square(Reals* sums, const CutReals& x) noexcept {
  const Reals twice = x.first + x.first;
  sums[0] = plus_product(sums[0], x.first, x.first);
  sums[1] = plus_product(sums[1], twice, x.second);
  sums[2] = plus_product(plus_product(sums[2], twice, x.third), x.second, x.second);
  sums[3] = plus_product(sums[3], x.second + x.second, x.third);
  sums[4] = plus_product(sums[4], x.third, x.third);
}

inline void add_product(Reals* sums, const CutReals& x, const CutReals& z) noexcept {
  sums[0] = plus_product(sums[0], x.first, z.first);
  sums[1] = plus_product(plus_product(sums[1], x.first, z.second), x.second, z.first);
  sums[2] = plus_product(plus_product(sums[2], x.first, z.third), x.second, z.second);
  sums[2] = plus_product(sums[2], x.third, z.first);
  sums[3] = plus_product(plus_product(sums[3], x.second, z.third), x.third, z.second);
  sums[4] = plus_product(sums[4], x.third, z.third);
}

inline void add_lanes(const Reals* lanes, std::size_t n, const double* units,
                      std::int64_t* sums) noexcept {
  for (std::size_t i = 0; i < n; ++i) {
    const Integers whole = __builtin_convertvector(lanes[i] * units[i], Integers);
    for (std::size_t lane = 0; lane < kReals; ++lane) sums[i] += whole[lane];
  }
}

bool sum_pairs(const double* y, const double* p, std::size_t n, int exponent,
               PairSums* out) noexcept {
  const Reals zero = {};
  // 1.5 * 2^(52 + what the unit of the part is)
  const Reals at[3] = {zero + 1.5 * power_of_two(exponent + 30),
                       zero + 1.5 * power_of_two(exponent + 7),
                       zero + 1.5 * power_of_two(exponent - 16)};
  double single[2], squared[5];
  for (int i = 0; i < 2; ++i) single[i] = power_of_two(kPairBits[i] - exponent);
  for (int i = 0; i < 5; ++i) squared[i] = power_of_two(kPairSquareBits[i] - 2 * exponent);
  PairSums sums;
  Reals most = {}, left = {};
  for (std::size_t from = 0; from < n;) {
    const std::size_t end = n - from < kPairsOfLane * kReals ? n : from + kPairsOfLane * kReals;
    PairLanes lanes;
    for (; from < end; from += kReals) {
      const bool is_whole = from + kReals <= end;
      const Reals truth = is_whole ? reals_at(y + from) : first_reals(y + from, end - from);
      const Reals prediction = is_whole ? reals_at(p + from) : first_reals(p + from, end - from);
      const CutReals of_y = cut_reals(truth, at, left);
      const CutReals of_p = cut_reals(prediction, at, left);
      lanes.truth[0] += of_y.first;
      lanes.truth[1] += of_y.behind;
      lanes.prediction[0] += of_p.first;
      lanes.prediction[1] += of_p.behind;
      const Reals distance = truth - prediction;
      const Reals first = of_y.first - of_p.first;
      const Reals behind = of_y.behind - of_p.behind;
      lanes.error[0] += distance < zero ? -first : first;
      lanes.error[1] += distance < zero ? -behind : behind;
      const Reals size = size_of(distance);
      most = size > most ? size : most;
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
    if (left[lane] != 0) return false;
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
