// Solves triangles block by block; products do the rest.
#include "triangles.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "confmat/base/threads.hpp"

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

// Each column x of T^-1 by substitution solves (T + D) x = e, |D| <= k units of |T| (Higham,
// Accuracy and Stability, theorem 8.5): the true inverse is x + T^-1 D x.
double at_most(double found, double norm, std::size_t k) {
  const double moved = 0x1p-53 * static_cast<double>(k + 2) * norm * found * 1.01;
  return moved < 0.5 ? found * 1.01 / (1.0 - moved) : std::numeric_limits<double>::infinity();
}

}  // namespace

TriangleNorms triangle_norms(Part<const double> lu, std::size_t k) {
  constexpr std::size_t kColumns = 192;
  double lower = static_cast<double>(k), upper = 0.0;
  for (std::size_t i = 0; i < k; ++i) {
    const double* line = lu.line(i);
    lower += sum_of_squares(line, i);
    upper += sum_of_squares(line + i, k - i);
  }
  const std::size_t parts = (k + kColumns - 1) / kColumns;
  std::vector<double> squares(2 * parts, 0.0);
  for_each_part(static_cast<int>(2 * parts), core_count(0), [&](int part) {
    const auto at = static_cast<std::size_t>(part);
    const std::size_t first = at / 2 * kColumns, n = std::min(kColumns, k - first);
    const bool below = at % 2 == 0;
    const std::size_t lines = below ? k - first : first + n;
    std::vector<double> columns(lines * n, 0.0);
    const Part<double> x{columns.data(), n};
    for (std::size_t j = 0; j < n; ++j) x.line((below ? 0 : first) + j)[j] = 1.0;
    if (below) {
      solve_lower(lu.from(first, first), lines, x, n);
    } else {
      solve_upper(lu, lines, x, n);
    }
    squares[at] = sum_of_squares(columns.data(), columns.size());
  });
  double lower_inverse = 0.0, upper_inverse = 0.0;
  for (std::size_t at = 0; at < squares.size(); at += 2) {
    lower_inverse += squares[at];
    upper_inverse += squares[at + 1];
  }
  TriangleNorms out{std::sqrt(lower) * 1.01, std::sqrt(upper) * 1.01, 0.0, 0.0};
  out.lower_inverse = at_most(std::sqrt(lower_inverse), out.lower, k);
  out.upper_inverse = at_most(std::sqrt(upper_inverse), out.upper, k);
  return out;
}

}  // namespace confmat::linalg
