// The one source that includes Eigen. Compiled for the baseline instruction set, because Eigen's
// results change in the last bits with wider vectors.
#include "confmat/linalg/dense.hpp"

#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/SVD>
#include <cmath>
#include <limits>
#include <numbers>

namespace confmat::linalg {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Input = Eigen::Map<const Matrix>;

// Below this size Jacobi rotations are as fast as divide and conquer, and more accurate.
constexpr std::int64_t kJacobiSize = 24;

template <class Svd>
void fill_singular_values(const double* a, std::int64_t k, double* out) {
  thread_local Svd svd;
  svd.compute(Input(a, k, k), 0);
  Eigen::Map<Eigen::VectorXd>(out, k) = svd.singularValues();
}

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

Det determinant(const double* a, std::int64_t k) {
  thread_local Eigen::PartialPivLU<Matrix> lu;
  lu.compute(Input(a, k, k));
  Det det{static_cast<double>(lu.permutationP().determinant()), 0};
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

void symmetric_eigenvalues(const double* a, std::int64_t k, double* out) {
  thread_local Eigen::SelfAdjointEigenSolver<Matrix> solver;
  solver.compute(Input(a, k, k), Eigen::EigenvaluesOnly);
  Eigen::Map<Eigen::VectorXd>(out, k) = solver.eigenvalues().reverse();
}

void singular_values(const double* a, std::int64_t k, double* out) {
  if (k < kJacobiSize) {
    fill_singular_values<Eigen::JacobiSVD<Matrix>>(a, k, out);
  } else {
    fill_singular_values<Eigen::BDCSVD<Matrix>>(a, k, out);
  }
}

double spectral_norm(const double* a, std::int64_t k) {
  // The largest eigenvalue of A'A has full relative accuracy; only the small ones lose digits.
  const double scale = Input(a, k, k).cwiseAbs().maxCoeff();
  if (scale == 0.0) return 0.0;
  thread_local Matrix product;
  product.resize(k, k);
  product.noalias() = (Input(a, k, k) / scale).transpose() * (Input(a, k, k) / scale);
  thread_local Eigen::VectorXd eigenvalues;
  eigenvalues.resize(k);
  symmetric_eigenvalues(product.data(), k, eigenvalues.data());
  return scale * std::sqrt(std::max(0.0, eigenvalues[0]));
}

}  // namespace confmat::linalg
