// Determinants by LU with partial pivoting, and how far rounding can have moved them.
//
// With P A = L U - E, |E| <= g |L| |U| (Higham, Accuracy and Stability, theorem 9.3), the true
// determinant is that of L U times det(I - F), F = (L U)^-1 E. With the sum s of the sizes of all
// entries of F, |det(I - F) - 1| is at most e^s - 1, and at most |trace F| + e^s - 1 - s; with a
// bound r of its eigenvalues it is at most (1 + r)^k - 1.
#include "confmat/linalg/determinant.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "confmat/linalg/dense.hpp"
#include "eliminate.hpp"
#include "triangles.hpp"

namespace confmat::linalg {
namespace {

constexpr double kUnit = 0x1p-53;
constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kSlack = 1.01;  // for the rounding of the bounds themselves
// From here on elimination by blocks pays.
constexpr std::int64_t kBlocked = 64;

struct Factors {
  std::vector<double> lu, weights, sizes, forward, backward, inverse, lower, upper, product;
  std::vector<std::int64_t> from;  // row i of L U is row from[i] of A
  double sign = 1.0;
};

// False when a pivot is 0.
bool eliminate(Factors& f, std::int64_t k) {
  double* lu = f.lu.data();
  f.sign = 1.0;
  for (std::int64_t p = 0; p < k; ++p) {
    std::int64_t best = p;
    double size = std::fabs(lu[p * k + p]);
    for (std::int64_t i = p + 1; i < k; ++i) {
      const double here = std::fabs(lu[i * k + p]);
      if (here > size) {
        size = here;
        best = i;
      }
    }
    if (!(size > 0.0)) return false;
    if (best != p) {
      std::swap_ranges(lu + p * k, lu + (p + 1) * k, lu + best * k);
      std::swap(f.from[static_cast<std::size_t>(p)], f.from[static_cast<std::size_t>(best)]);
      f.sign = -f.sign;
    }
    const double* pivot = lu + p * k;
    for (std::int64_t i = p + 1; i < k; ++i) {
      double* line = lu + i * k;
      if (line[p] == 0.0) continue;
      const double factor = line[p] / pivot[p];
      line[p] = factor;
      for (std::int64_t j = p + 1; j < k; ++j) line[j] -= factor * pivot[j];
    }
  }
  return true;
}

Det product_of_pivots(const Factors& f, std::int64_t k) {
  constexpr double kSmall = 1e-100, kLarge = 1e100;
  double mantissa = f.sign;
  std::int64_t exponent = 0;
  for (std::int64_t i = 0; i < k; ++i) {
    const double pivot = f.lu[static_cast<std::size_t>(i * k + i)];
    mantissa *= pivot;
    const double size = std::fabs(mantissa);
    if (size > kSmall && size < kLarge && std::fabs(pivot) < kLarge) continue;
    int power = 0;
    mantissa = std::frexp(mantissa, &power);
    exponent += power;
  }
  return Det::of(mantissa, exponent);
}

// `total` and the sum of |line| x. Up to 64 terms are added in order, more in four sums at a time.
double sum_of_sizes(const double* line, const double* x, std::int64_t n, double total = 0.0) {
  std::int64_t j = 0;
  if (n > kBlocked) {
    double sums[4] = {};
    for (; j + 4 <= n; j += 4) {
      for (std::int64_t s = 0; s < 4; ++s) sums[s] += std::fabs(line[j + s]) * x[j + s];
    }
    total += (sums[0] + sums[1]) + (sums[2] + sums[3]);
  }
  for (; j < n; ++j) total += std::fabs(line[j]) * x[j];
  return total;
}

// |L| |U| weights, row by row.
void load_sizes(Factors& f, std::int64_t k) {
  const double* lu = f.lu.data();
  const auto size = static_cast<std::size_t>(k);
  f.sizes.resize(size);
  f.forward.resize(size);
  double* u = f.forward.data();
  const double* weights = f.weights.data();
  for (std::int64_t i = 0; i < k; ++i) {
    const double* line = lu + i * k;
    u[i] = sum_of_sizes(line + i, weights + i, k - i);
    f.sizes[static_cast<std::size_t>(i)] = sum_of_sizes(line, u, i, u[i]);
  }
}

// |U^-1| |L^-1| of the sizes, at most, into `backward`: triangular inverses are below those of the
// comparison matrices, which are solved for. Returns the sum.
double compare(Factors& f, std::int64_t k) {
  const double* lu = f.lu.data();
  f.backward.resize(static_cast<std::size_t>(k));
  double* x = f.backward.data();
  for (std::int64_t i = 0; i < k; ++i) {
    x[i] = sum_of_sizes(lu + i * k, x, i, f.sizes[static_cast<std::size_t>(i)]);
  }
  double sum = 0.0;
  for (std::int64_t i = k - 1; i >= 0; --i) {
    const double* line = lu + i * k;
    x[i] = sum_of_sizes(line + i + 1, x + i + 1, k - i - 1, x[i]) / std::fabs(line[i]);
    sum += x[i];
  }
  return sum;
}

// The spectral radius of |U^-1| |L^-1| |L| |U|, at most, whatever the scale of rows and columns:
// the largest ratio of its image of any positive weights to the weights (Collatz and Wielandt).
double comparison_radius(Factors& f, std::int64_t k) {
  constexpr int kRounds = 3;
  double radius = kInf;
  for (int round = 0; round < kRounds; ++round) {
    const double most = *std::ranges::max_element(f.backward);
    if (!(most < 1e300)) break;
    for (std::size_t i = 0; i < f.weights.size(); ++i) {
      f.weights[i] = std::max(f.backward[i] / most, 1e-100);
    }
    load_sizes(f, k);
    compare(f, k);
    double ratio = 0.0;
    for (std::size_t i = 0; i < f.weights.size(); ++i) {
      ratio = std::max(ratio, f.backward[i] / f.weights[i]);
    }
    radius = std::min(radius, ratio);
  }
  f.weights.assign(f.weights.size(), 1.0);
  load_sizes(f, k);
  return radius;
}

// |det(I - F) - 1|, at most, by the trace norm of F, which is at most the Frobenius norm of
// (L U)^-1 times that of E.
double error_by_norms(const Factors& f, std::int64_t k, double unit) {
  const auto size = static_cast<std::size_t>(k);
  const FactorNorms norms = factor_norms({f.lu.data(), size}, size);
  return std::expm1(unit * kSlack * norms.inverse * norms.lower * norms.upper);
}

// X of large matrices, from their factors.
void load_inverse(Factors& f, std::size_t size) {
  const Part<const double> lu{f.lu.data(), size};
  const Part<double> x{f.inverse.data(), size};
  std::ranges::fill(f.inverse, 0.0);
  for (std::size_t i = 0; i < size; ++i) x.line(i)[static_cast<std::size_t>(f.from[i])] = 1.0;
  solve_lower(lu, size, x, size);
  solve_upper(lu, size, x, size);
}

// out = A B
void load_multiplied(const double* a, const double* b, std::int64_t k, std::vector<double>& out) {
  const auto size = static_cast<std::size_t>(k);
  out.assign(size * size, 0.0);
  if (k <= kBlocked) return multiply(a, b, k, out.data());
  subtract_product({a, size}, {b, size}, {out.data(), size}, size, size, size);
  for (double& entry : out) entry = -entry;
}

// |L| |U|, in the order of the rows of A.
void load_product(Factors& f, std::int64_t k) {
  const auto size = static_cast<std::size_t>(k);
  f.lower.assign(size * size, 0.0);
  f.upper.assign(size * size, 0.0);
  for (std::size_t i = 0; i < size; ++i) {
    double* lower = f.lower.data() + static_cast<std::size_t>(f.from[i]) * size;
    for (std::size_t j = 0; j < i; ++j) lower[j] = std::fabs(f.lu[i * size + j]);
    lower[i] = 1.0;
    for (std::size_t j = i; j < size; ++j) f.upper[i * size + j] = std::fabs(f.lu[i * size + j]);
  }
  load_multiplied(f.lower.data(), f.upper.data(), k, f.product);
}

// The error by an approximate inverse X. With psi, the largest sum of a row of |I - X A|, below 1,
// A^-1 = X + (I - X A) A^-1, and sums of rows of |A^-1 V| are at most those of |X| |V| / (1 - psi).
double error_by_inverse(Factors& f, const double* a, std::int64_t k, double unit) {
  const auto size = static_cast<std::size_t>(k);
  f.inverse.resize(size * size);
  if (k <= kBlocked) {
    inverse(a, k, f.inverse.data());
  } else {
    load_inverse(f, size);
  }
  load_multiplied(f.inverse.data(), a, k, f.upper);
  double* lines = f.forward.data();
  for (std::size_t i = 0; i < size; ++i) {
    lines[i] = 0.0;
    for (std::size_t j = 0; j < size; ++j) lines[i] += std::fabs(a[i * size + j]);
  }
  const double rounding = (static_cast<double>(k) + 2.0) * kUnit;
  double psi = 0.0;
  for (std::size_t i = 0; i < size; ++i) {
    double off = kUnit, scale = 0.0;
    for (std::size_t j = 0; j < size; ++j) {
      off += std::fabs((i == j ? 1.0 : 0.0) - f.upper[i * size + j]);
      scale += std::fabs(f.inverse[i * size + j]) * lines[j];
    }
    psi = std::max(psi, (off + rounding * scale) * kSlack);
  }
  if (!(psi < 1.0)) return kInf;
  load_product(f, k);
  double* sizes = f.forward.data();
  for (std::size_t i = 0; i < size; ++i) sizes[static_cast<std::size_t>(f.from[i])] = f.sizes[i];
  double trace = 0.0, sum = 0.0;
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) {
      const double x = std::fabs(f.inverse[i * size + j]);
      trace += x * f.product[j * size + i];
      sum += x * sizes[j];
    }
  }
  trace *= unit * kSlack;
  sum *= unit * kSlack / (1.0 - psi);
  const double change = trace + psi * sum + (sum < 1e-6 ? sum * sum : std::expm1(sum) - sum);
  return change < 0.5 ? change / (1.0 - change) : kInf;
}

}  // namespace

Det determinant(const double* a, std::int64_t k, double entry_error) {
  thread_local Factors f;
  const auto size = static_cast<std::size_t>(k);
  f.lu.assign(a, a + size * size);
  f.from.resize(size);
  for (std::size_t i = 0; i < size; ++i) f.from[i] = static_cast<std::int64_t>(i);
  const bool whole =
      k <= kBlocked ? eliminate(f, k) : eliminate_blocked(f.lu.data(), k, f.from.data(), f.sign);
  Det none;
  none.error = kInf;
  if (!whole) return none;
  Det det = product_of_pivots(f, k);
  const auto count = static_cast<double>(k);
  const double unit = (count + 2.0 + entry_error) * kUnit * kSlack;
  const double rounded = count * kUnit * kSlack;
  // No exact determinant takes over from one of a large matrix: what is asked is its sign.
  const auto enough = [&] {
    return k > kBlocked ? det.error < 1.0 : det.error <= wanted_error(det, k);
  };
  det.error = kInf;
  const auto improve = [&](double error) {  // not by nan, of bounds that overflow
    if (error + rounded < det.error) det.error = error + rounded;
  };
  f.weights.assign(size, 1.0);
  load_sizes(f, k);
  improve(std::expm1(unit * kSlack * compare(f, k)));
  if (!enough() && k > kBlocked) improve(error_by_norms(f, k, unit));
  if (!enough()) {
    const double radius = unit * kSlack * comparison_radius(f, k);
    improve(std::expm1(count * std::log1p(radius)));
  }
  if (!enough()) improve(error_by_inverse(f, a, k, unit));
  if (!(det.error < 1.0)) det.error = kInf;
  return det;
}

}  // namespace confmat::linalg
