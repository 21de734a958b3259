// The one source that includes Eigen. Compiled for the baseline instruction set, because Eigen's
// results change in the last bits with wider vectors.
#include "confmat/linalg/dense.hpp"

#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "left_to_end.hpp"

namespace confmat::linalg {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Input = Eigen::Map<const Matrix>;

}  // namespace

double Det::value() const {
  const auto capped = std::max<std::int64_t>(-5000, std::min<std::int64_t>(5000, exponent));
  return std::ldexp(mantissa, static_cast<int>(capped));
}

double Det::log_abs() const {
  if (mantissa == 0.0) return -std::numeric_limits<double>::infinity();
  return std::log(std::fabs(mantissa)) + static_cast<double>(exponent) * std::numbers::ln2;
}

double Det::sign() const { return mantissa > 0.0 ? 1.0 : mantissa < 0.0 ? -1.0 : 0.0; }

namespace {

Det det_of(const double* a, std::int64_t k) {
  thread_local Eigen::FullPivLU<Matrix> lu;
  lu.compute(Input(a, k, k));
  const auto sign = lu.permutationP().determinant() * lu.permutationQ().determinant();
  Det det{static_cast<double>(sign), 0};
  for (std::int64_t i = 0; i < k; ++i) {
    int exponent = 0;
    det.mantissa = std::frexp(det.mantissa * lu.matrixLU()(i, i), &exponent);
    if (!(std::fabs(det.mantissa) > 0.0)) return {};
    det.exponent += exponent;
    if (std::fabs(det.mantissa) < std::numbers::sqrt2 / 2.0) {
      det.mantissa *= 2.0;
      --det.exponent;
    }
  }
  return det;
}

// Ascending; valid until the next call on this thread.
const Eigen::VectorXd& eigenvalues_of(const double* a, std::int64_t k) {
  thread_local Eigen::SelfAdjointEigenSolver<Matrix> solver;
  solver.compute(Input(a, k, k), Eigen::EigenvaluesOnly);
  return solver.eigenvalues();
}

}  // namespace

Det determinant(const double* a, std::int64_t k) {
  return left_to_end(a, k, [k](const double* own) { return det_of(own, k); });
}

void symmetric_eigenvalues(const double* a, std::int64_t k, double* out) {
  if (!takes_long(k)) {
    Eigen::Map<Eigen::VectorXd>(out, k) = eigenvalues_of(a, k).reverse();
    return;
  }
  const Eigen::VectorXd found =
      left_to_end(a, k, [k](const double* own) { return Eigen::VectorXd(eigenvalues_of(own, k)); });
  Eigen::Map<Eigen::VectorXd>(out, k) = found.reverse();
}

// The eigenvalues of [0 A; A' 0] are the singular values and their negatives, as accurate as a
// singular value decomposition gives them, and the size is doubled.
void singular_values(const double* a, std::int64_t k, double* out) {
  const auto size = static_cast<std::size_t>(k);
  const std::size_t twice = 2 * size;
  thread_local std::vector<double> both, eigenvalues;
  both.assign(twice * twice, 0.0);
  eigenvalues.resize(twice);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) {
      both[i * twice + size + j] = both[(size + j) * twice + i] = a[i * size + j];
    }
  }
  symmetric_eigenvalues(both.data(), 2 * k, eigenvalues.data());
  for (std::size_t i = 0; i < size; ++i) out[i] = std::max(0.0, eigenvalues[i]);
}

// The largest eigenvalue of A'A has full relative accuracy; only the small ones lose digits.
double spectral_norm(const double* a, std::int64_t k) {
  const auto size = static_cast<std::size_t>(k);
  double scale = 0.0;
  for (std::size_t i = 0; i < size * size; ++i) scale = std::max(scale, std::fabs(a[i]));
  if (scale == 0.0) return 0.0;
  thread_local std::vector<double> product, eigenvalues, line;
  product.assign(size * size, 0.0);
  eigenvalues.resize(size);
  line.resize(size);
  const StopSign sign;
  for (std::size_t row = 0; row < size; ++row) {
    for (std::size_t i = 0; i < size; ++i) line[i] = a[row * size + i] / scale;
    for (std::size_t i = 0; i < size; ++i) {
      if (i % 64 == 0) sign.obey();
      for (std::size_t j = 0; j <= i; ++j) product[i * size + j] += line[i] * line[j];
    }
  }
  // The solver reads the lower triangle only.
  symmetric_eigenvalues(product.data(), k, eigenvalues.data());
  return scale * std::sqrt(std::max(0.0, eigenvalues[0]));
}

}  // namespace confmat::linalg
