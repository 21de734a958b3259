// What metrics sum of a true and a predicted number beside their moments: two numbers of a row, and
// 1 where it has none.
// Included by each instruction-set file inside its own unnamed namespace.

struct TermReals {
  Reals first, second, none;
};

// Numbers where `has`, else none.
template <class Has>
inline TermReals terms_where(Has has, Reals first, Reals second) noexcept {
  const Reals zero = {};
  return {has ? first : zero, has ? second : zero, has ? zero : zero + 1.0};
}

// A mean has an interval by its squares: of what is larger than any such number, kMostTermSquare.
inline Reals term_squared(Reals x) noexcept {
  const Reals zero = {};
  return x <= 1e100 ? x * x : zero + kMostTermSquare;
}

struct PercentageTerm {
  static TermReals of(Reals y, Reals p, double /*param*/) noexcept {
    const auto has = size_of(y) >= kLeastDivisor;
    const Reals share = size_of(y - p) / (has ? size_of(y) : Reals{} + 1.0);
    return terms_where(has, share, term_squared(share));
  }
};

struct SymmetricTerm {
  static TermReals of(Reals y, Reals p, double /*param*/) noexcept {
    const Reals zero = {};
    const Reals error = size_of(y - p);
    const auto is_right = error == zero;
    const Reals share = 2.0 * error / (is_right ? zero + 1.0 : size_of(y) + size_of(p));
    return {share, term_squared(share), zero};
  }
};

// 1 + x, rounded, and what rounding leaves of it. Needs: x > -1.
struct FromOne {
  Reals sum, lost;
};
inline FromOne from_one(Reals x) noexcept {
  const Reals one = Reals{} + 1.0;
  const Reals sum = 1.0 + x;
  const Reals more = x > one ? x : one, less = x > one ? one : x;
  return {sum, less - (sum - more)};
}

struct LogarithmsTerm {
  static TermReals of(Reals y, Reals p, double /*param*/) noexcept {
    const Reals zero = {};
    const auto has = (y > -1.0) & (p > -1.0);
    const FromOne a = from_one(y), b = from_one(p);
    const Scaled of = scaled_to(b.sum, a.sum);
    const Reals lost = a.lost * reals_of(of.by + kBitsOfOne) - b.lost;
    const Reals apart = of.exponent == zero ? y - p : (of.scaled - b.sum) + lost;
    const Reals root = logarithm_of(of.exponent, apart / b.sum, apart / (of.scaled + b.sum));
    const Reals squared = root * root;
    return terms_where(has, squared, squared * squared);
  }
};

// The unit deviance, y log(y / p) - (y - p) twice, and y log y.
struct PoissonTerm {
  static TermReals of(Reals y, Reals p, double /*param*/) noexcept {
    const Reals zero = {};
    const auto has = (y >= 0.0) & (p > 0.0);
    const auto has_log = y > 0.0;
    const Reals b = p * 0x1p54;  // subnormal ones, too
    const Scaled of = scaled_to(b, y * 0x1p54);
    const Reals s = (of.scaled - b) / (of.scaled + b);
    const Reals error = y - p;
    // Where y and p are near, 2 y s - (y - p) = (y - p) s, of which no digits are lost.
    const Reals most = of.exponent == zero ? error * s : 2.0 * y * s - error;
    const Reals deviance = most + y * beyond_of(of.exponent, s);
    return terms_where(has, 2.0 * (has_log ? deviance : p), has_log ? y * logarithm(y) : zero);
  }
};

// The unit deviance, (y - p) / p - log(y / p) twice, and log y.
struct GammaTerm {
  static TermReals of(Reals y, Reals p, double /*param*/) noexcept {
    const Reals zero = {};
    const auto has = (y > 0.0) & (p >= kLeastDivisor);
    const Reals b = p * 0x1p54;
    const Scaled of = scaled_to(b, y * 0x1p54);
    const Reals s = (of.scaled - b) / (of.scaled + b);
    const Reals share = (y - p) / p;
    // Where y and p are near, share - 2 s = share s, of which no digits are lost.
    const Reals most = of.exponent == zero ? share * s : share - 2.0 * s;
    return terms_where(has, 2.0 * (most - beyond_of(of.exponent, s)), logarithm(y));
  }
};

struct HuberTerm {
  static TermReals of(Reals y, Reals p, double param) noexcept {
    const Reals error = size_of(y - p);
    const Reals loss = error <= param ? error * error / 2.0 : param * (error - param / 2.0);
    return {loss, term_squared(loss), Reals{}};
  }
};

template <class Term>
bool terms(const double* y, const double* p, std::size_t n, double param, double* first,
           double* second, double* none) noexcept {
  Reals any = {};
  std::size_t i = 0;
  for (; i + kReals <= n; i += kReals) {
    const TermReals of = Term::of(reals_at(y + i), reals_at(p + i), param);
    put_reals(first + i, of.first);
    put_reals(second + i, of.second);
    put_reals(none + i, of.none);
    any += of.none;
  }
  double count = 0;
  for (std::size_t lane = 0; lane < kReals; ++lane) count += any[lane];
  if (i == n) return count != 0;
  const TermReals of = Term::of(first_reals(y + i, n - i), first_reals(p + i, n - i), param);
  for (std::size_t lane = 0; i < n; ++i, ++lane) {
    first[i] = of.first[lane];
    second[i] = of.second[lane];
    none[i] = of.none[lane];
    count += none[i];
  }
  return count != 0;
}
