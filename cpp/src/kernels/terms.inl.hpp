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

// t - log(1 + t) of small t, where both are nearly the same: by the series of the inverse
// hyperbolic tangent of t / (2 + t).
inline Reals beyond_logarithm(Reals t) noexcept {
  const Reals r = t / (2.0 + t);
  const Reals square = r * r;
  Reals series = {};
  for (int k = 19; k >= 3; k -= 2) series = series * square + 1.0 / k;
  return r * (t - 2.0 * square * series);
}
constexpr double kSmallShare = 0.25;  // as large as t may be

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

struct LogarithmsTerm {
  static TermReals of(Reals y, Reals p, double /*param*/) noexcept {
    const Reals zero = {};
    const auto has = (y > -1.0) & (p > -1.0);
    const Reals apart = logarithm_from_one(has ? y : zero) - logarithm_from_one(has ? p : zero);
    const Reals squared = apart * apart;
    return terms_where(has, squared, term_squared(squared));
  }
};

// The unit deviance, and y log y.
struct PoissonTerm {
  static TermReals of(Reals y, Reals p, double /*param*/) noexcept {
    const Reals zero = {}, one = zero + 1.0;
    const auto has = (y >= 0.0) & (p > 0.0);
    const auto has_log = has & (y > 0.0);
    const Reals truth = has_log ? y : one, prediction = has ? p : one;
    const Reals error = prediction - truth;
    const auto is_near = size_of(error) <= kSmallShare * truth;
    const Reals share = is_near ? error / truth : zero;
    const Reals log_truth = logarithm(truth);
    const Reals by_logs = error - truth * (logarithm(prediction) - log_truth);
    const Reals deviance = is_near ? truth * beyond_logarithm(share) : by_logs;
    return terms_where(has, 2.0 * (has_log ? deviance : prediction),
                       has_log ? truth * log_truth : zero);
  }
};

// The unit deviance, and log y.
struct GammaTerm {
  static TermReals of(Reals y, Reals p, double /*param*/) noexcept {
    const Reals one = Reals{} + 1.0;
    const auto has = (y > 0.0) & (p >= kLeastDivisor);
    const Reals truth = has ? y : one, prediction = has ? p : one;
    const Reals error = truth - prediction;
    const Reals share = error / prediction;
    const auto is_near = size_of(error) <= kSmallShare * prediction;
    const Reals log_truth = logarithm(truth);
    const Reals by_logs = share - (log_truth - logarithm(prediction));
    const Reals near = beyond_logarithm(is_near ? share : Reals{});
    return terms_where(has, 2.0 * (is_near ? near : by_logs), log_truth);
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
void terms(const double* y, const double* p, std::size_t n, double param, double* first,
           double* second, double* none) noexcept {
  std::size_t i = 0;
  for (; i + kReals <= n; i += kReals) {
    const TermReals of = Term::of(reals_at(y + i), reals_at(p + i), param);
    put_reals(first + i, of.first);
    put_reals(second + i, of.second);
    put_reals(none + i, of.none);
  }
  if (i == n) return;
  const TermReals of = Term::of(first_reals(y + i, n - i), first_reals(p + i, n - i), param);
  for (std::size_t lane = 0; i < n; ++i, ++lane) {
    first[i] = of.first[lane];
    second[i] = of.second[lane];
    none[i] = of.none[lane];
  }
}
