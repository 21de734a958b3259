// Solves triangles block by block; products do the rest.
#include "triangles.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <vector>

namespace confmat::linalg {
namespace {

constexpr std::size_t kFew = 8;  // rows: no more than products would cost
// Where to cut: tiles of products fit the lower half.
std::size_t half_of(std::size_t k) { return std::max(kFew, k / 2 / kFew * kFew); }

void subtract_multiple(const double* from, double factor, double* to, std::size_t n) {
  for (std::size_t j = 0; j < n; ++j) to[j] -= factor * from[j];
}

}  // namespace

void solve_lower(Part<const double> t, std::size_t k, Part<double> x, std::size_t n) {
  if (k <= kFew) {
    for (std::size_t i = 1; i < k; ++i) {
      for (std::size_t p = 0; p < i; ++p) {
        if (t.line(i)[p] != 0.0) subtract_multiple(x.line(p), t.line(i)[p], x.line(i), n);
      }
    }
    return;
  }
  const std::size_t half = half_of(k);
  solve_lower(t, half, x, n);
  subtract_product(t.from(half, 0), x, x.from(half, 0), k - half, n, half);
  solve_lower(t.from(half, half), k - half, x.from(half, 0), n);
}

void solve_upper(Part<const double> t, std::size_t k, Part<double> x, std::size_t n) {
  if (k <= kFew) {
    for (std::size_t i = k; i-- > 0;) {
      for (std::size_t p = i + 1; p < k; ++p) {
        if (t.line(i)[p] != 0.0) subtract_multiple(x.line(p), t.line(i)[p], x.line(i), n);
      }
      for (std::size_t j = 0; j < n; ++j) x.line(i)[j] /= t.line(i)[i];
    }
    return;
  }
  const std::size_t half = half_of(k);
  solve_upper(t.from(half, half), k - half, x.from(half, 0), n);
  subtract_product(t.from(0, half), x.from(half, 0), x, half, n, k - half);
  solve_upper(t, half, x, n);
}

namespace {

// In four sums at a time: one waits for itself.
double sum_of_squares(const double* x, std::size_t n) {
  double sums[4] = {};
  std::size_t j = 0;
  for (; j + 4 <= n; j += 4) {
    for (std::size_t s = 0; s < 4; ++s) sums[s] += x[j + s] * x[j + s];
  }
  for (; j < n; ++j) sums[0] += x[j] * x[j];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

// Pairs of independent normal numbers (Box and Muller), of 64 mixed bits each.
void draw_normal(std::uint64_t seed, double* to, std::size_t n) {
  auto uniform = [state = seed]() mutable {  // in (0, 1]
    state += 0x9E3779B97F4A7C15U;
    std::uint64_t bits = (state ^ (state >> 30U)) * 0xBF58476D1CE4E5B9U;
    bits = (bits ^ (bits >> 27U)) * 0x94D049BB133111EBU;
    return static_cast<double>(((bits ^ (bits >> 31U)) >> 11U) + 1) * 0x1p-53;
  };
  for (std::size_t i = 0; i + 2 <= n; i += 2) {
    const double radius = std::sqrt(-2.0 * std::log(uniform()));
    const double angle = 2.0 * std::numbers::pi * uniform();
    to[i] = radius * std::cos(angle);
    to[i + 1] = radius * std::sin(angle);
  }
}

}  // namespace

FactorNorms factor_norms(Part<const double> lu, std::size_t k) {
  double lower = static_cast<double>(k), upper = 0.0;
  for (std::size_t i = 0; i < k; ++i) {
    const double* line = lu.line(i);
    lower += sum_of_squares(line, i);
    upper += sum_of_squares(line + i, k - i);
  }
  FactorNorms out{std::sqrt(lower) * 1.01, std::sqrt(upper) * 1.01, 0.0};
  // The squares of the images of m normal vectors add up to a sum of lambda chi^2_m, the lambda
  // adding up to N^2 for the norm N. By Chernoff's bound such a sum is below epsilon m N^2 with a
  // chance of at most (epsilon exp(1 - epsilon))^(m/2): 1.2e-21 for 24 vectors and 1/150.
  constexpr std::size_t kVectors = 24;
  constexpr double kMost = 2.5;  // 1 / sqrt(24 / 150)
  std::vector<double> vectors(k * kVectors);
  // All entries have a part in the seed: no matrix is easily made against its own vectors.
  draw_normal(std::bit_cast<std::uint64_t>(lower) * 3 + std::bit_cast<std::uint64_t>(upper),
              vectors.data(), vectors.size());
  const Part<double> x{vectors.data(), kVectors};
  solve_lower(lu, k, x, kVectors);
  solve_upper(lu, k, x, kVectors);
  const double found = kMost * 1.01 * std::sqrt(sum_of_squares(vectors.data(), vectors.size()));
  // By substitution (L U + D) x = z, |D| <= 2 (k + 2) units of |L| |U| (Higham, Accuracy and
  // Stability, theorem 8.5): the true image is x + (L U)^-1 D x.
  const double moved = 0x1p-52 * static_cast<double>(k + 2) * out.lower * out.upper * found * 1.01;
  out.inverse = moved < 0.5 ? found / (1.0 - moved) : std::numeric_limits<double>::infinity();
  return out;
}

}  // namespace confmat::linalg
