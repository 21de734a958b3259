// The one source that includes Eigen. Compiled for the baseline instruction set, because Eigen's
// results change in the last bits with wider vectors.
#include "confmat/linalg/dense.hpp"

#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <vector>

#include "confmat/linalg/library.hpp"
#include "left_to_end.hpp"
#include "product.hpp"

namespace confmat::linalg {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Input = Eigen::Map<const Matrix>;
using Output = Eigen::Map<Matrix>;

Library* library_for(std::int64_t k) { return k > kSmall ? library() : nullptr; }

}  // namespace

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

void eigenvalues_by_eigen(const double* a, std::int64_t k, double* out) {
  if (!takes_long(k)) {
    Eigen::Map<Eigen::VectorXd>(out, k) = eigenvalues_of(a, k).reverse();
    return;
  }
  const Eigen::VectorXd found =
      left_to_end(a, k, [k](const double* own) { return Eigen::VectorXd(eigenvalues_of(own, k)); });
  Eigen::Map<Eigen::VectorXd>(out, k) = found.reverse();
}

}  // namespace

void symmetric_eigenvalues(const double* a, std::int64_t k, double* out) {
  Library* library = library_for(k);
  if (library != nullptr && library->symmetric_eigenvalues(a, k, out)) return;
  eigenvalues_by_eigen(a, k, out);
}

void symmetric_eigenvectors(const double* a, std::int64_t k, double* values, double* vectors) {
  Library* library = library_for(k);
  if (library != nullptr && library->symmetric_eigenvectors(a, k, values, vectors)) return;
  thread_local Eigen::SelfAdjointEigenSolver<Matrix> solver;
  solver.compute(Input(a, k, k));
  Eigen::Map<Eigen::VectorXd>(values, k) = solver.eigenvalues().reverse();
  Output(vectors, k, k) = solver.eigenvectors().rowwise().reverse().transpose();
}

// The eigenvalues of [0 A; A' 0] are the singular values and their negatives, as accurate as a
// singular value decomposition gives them, and the size is doubled.
void singular_values(const double* a, std::int64_t k, double* out) {
  Library* library = library_for(k);
  if (library != nullptr && library->singular_values(a, k, out)) return;
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
  eigenvalues_by_eigen(both.data(), 2 * k, eigenvalues.data());
  for (std::size_t i = 0; i < size; ++i) out[i] = std::max(0.0, eigenvalues[i]);
}

namespace {

// The lower triangle of A'A at least, for A over `scale`.
void load_square(const double* a, std::size_t size, double scale, std::vector<double>& square) {
  thread_local std::vector<double> line, scaled, transposed;
  square.assign(size * size, 0.0);
  if (size > static_cast<std::size_t>(kSmall)) {
    scaled.resize(size * size);
    transposed.resize(size * size);
    for (std::size_t i = 0; i < size; ++i) {
      obey_between_rows(size);
      for (std::size_t j = 0; j < size; ++j) {
        scaled[i * size + j] = a[i * size + j] / scale;
        transposed[j * size + i] = -scaled[i * size + j];
      }
    }
    constexpr std::size_t kStrip = 512;  // rows
    for (std::size_t first = 0; first < size; first += kStrip) {
      const std::size_t last = std::min(first + kStrip, size);
      const std::size_t at = first * size;
      subtract_product({transposed.data() + at, size}, {scaled.data(), size},
                       {square.data() + at, size}, last - first, last, size);
    }
    return;
  }
  line.resize(size);
  for (std::size_t row = 0; row < size; ++row) {
    for (std::size_t i = 0; i < size; ++i) line[i] = a[row * size + i] / scale;
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j <= i; ++j) square[i * size + j] += line[i] * line[j];
    }
  }
}

}  // namespace

// The largest eigenvalue of A'A has full relative accuracy; only the small ones lose digits.
double spectral_norm(const double* a, std::int64_t k) {
  const auto size = static_cast<std::size_t>(k);
  double scale = 0.0;
  for (std::size_t i = 0; i < size * size; ++i) scale = std::max(scale, std::fabs(a[i]));
  if (scale == 0.0) return 0.0;
  thread_local std::vector<double> square, eigenvalues;
  load_square(a, size, scale, square);
  eigenvalues.resize(size);
  // The lower triangle is there, which is all that is read.
  symmetric_eigenvalues(square.data(), k, eigenvalues.data());
  return scale * std::sqrt(std::max(0.0, eigenvalues[0]));
}

}  // namespace confmat::linalg
