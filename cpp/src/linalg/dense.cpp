// The one source that includes Eigen. Compiled for the baseline instruction set, because Eigen's
// results change in the last bits with wider vectors.
#include "confmat/linalg/dense.hpp"

#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <vector>

#include "left_to_end.hpp"

namespace confmat::linalg {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Input = Eigen::Map<const Matrix>;
using Output = Eigen::Map<Matrix>;

}  // namespace

bool eliminate_blocked(double* a, std::int64_t k, std::int64_t* from, double& sign) {
  Eigen::Map<Matrix> in_place(a, k, k);
  Eigen::PartialPivLU<Eigen::Ref<Matrix>> lu(in_place);
  const auto& order = lu.permutationP().indices();  // row i of A goes to row order[i]
  for (std::int64_t i = 0; i < k; ++i) from[order[i]] = i;
  sign = static_cast<double>(lu.permutationP().determinant());
  for (std::int64_t i = 0; i < k; ++i) {
    if (!(std::fabs(a[i * k + i]) > 0.0)) return false;
  }
  return true;
}

void inverse(const double* a, std::int64_t k, double* out) {
  thread_local Eigen::PartialPivLU<Matrix> lu;
  lu.compute(Input(a, k, k));
  Output(out, k, k) = lu.inverse();
}

void multiply(const double* a, const double* b, std::int64_t k, double* out) {
  Output(out, k, k).noalias() = Input(a, k, k) * Input(b, k, k);
}

namespace {

// Ascending; valid until the next call on this thread.
const Eigen::VectorXd& eigenvalues_of(const double* a, std::int64_t k) {
  thread_local Eigen::SelfAdjointEigenSolver<Matrix> solver;
  solver.compute(Input(a, k, k), Eigen::EigenvaluesOnly);
  return solver.eigenvalues();
}

}  // namespace

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
