// Determinants, eigenvalues and singular values of matrices with known answers.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "confmat/linalg/dense.hpp"
#include "confmat/linalg/determinant.hpp"

namespace confmat::linalg {
namespace {

std::vector<double> matrix(std::int64_t k, double (*entry)(std::int64_t, std::int64_t)) {
  std::vector<double> out;
  for (std::int64_t i = 0; i < k; ++i) {
    for (std::int64_t j = 0; j < k; ++j) out.push_back(entry(i, j));
  }
  return out;
}

double hilbert(std::int64_t i, std::int64_t j) { return 1.0 / static_cast<double>(i + j + 1); }
double shift(std::int64_t i, std::int64_t j) { return j == i + 1 ? 1.0 : 0.0; }
double second_difference(std::int64_t i, std::int64_t j) {
  return i == j ? 2.0 : std::abs(i - j) == 1 ? -1.0 : 0.0;
}

}  // namespace

TEST_CASE("linalg: determinants") {
  const std::vector<double> two{3, 1, 4, 2};
  CHECK(determinant(two.data(), 2).value() == doctest::Approx(2.0).epsilon(1e-15));
  const std::vector<double> cycle{0, 0, 1, 1, 0, 0, 0, 1, 0};
  CHECK(determinant(cycle.data(), 3).value() == 1.0);
  const std::vector<double> swap{0, 1, 1, 0};
  CHECK(determinant(swap.data(), 2).sign() == -1.0);
  CHECK(determinant(swap.data(), 2).log_abs() == 0.0);
  // 1 / det of the Hilbert matrix of size 5 is 266716800000.
  CHECK(determinant(matrix(5, hilbert).data(), 5).value() ==
        doctest::Approx(1 / 266716800000.0).epsilon(1e-10));
  const Det nilpotent = determinant(matrix(6, shift).data(), 6);
  CHECK(nilpotent.value() == 0.0);
  CHECK(nilpotent.sign() == 0.0);
  CHECK(nilpotent.log_abs() == -std::numeric_limits<double>::infinity());
  // The second-difference matrix of size k has determinant k + 1.
  for (const std::int64_t k : {1, 2, 10, 100, 300}) {
    const Det det = determinant(matrix(k, second_difference).data(), k);
    CHECK(det.value() == doctest::Approx(static_cast<double>(k + 1)).epsilon(1e-12));
  }
}

TEST_CASE("linalg: a determinant neither over- nor underflows") {
  const std::int64_t k = 200;
  std::vector<double> tiny(static_cast<std::size_t>(k * k), 0.0);
  for (std::int64_t i = 0; i < k; ++i) tiny[static_cast<std::size_t>(i * k + i)] = 1e-30;
  const Det det = determinant(tiny.data(), k);
  CHECK(det.sign() == 1.0);
  CHECK(det.value() == 0.0);
  CHECK(det.log_abs() == doctest::Approx(-200 * 30 * std::log(10.0)).epsilon(1e-14));
  for (std::int64_t i = 0; i < k; ++i) tiny[static_cast<std::size_t>(i * k + i)] = 1e30;
  CHECK(determinant(tiny.data(), k).log_abs() ==
        doctest::Approx(200 * 30 * std::log(10.0)).epsilon(1e-14));
}

TEST_CASE("linalg: eigenvalues and singular values") {
  for (const std::int64_t k : {1, 2, 5, 23, 24, 40}) {
    const std::vector<double> a = matrix(k, second_difference);
    std::vector<double> eigen(static_cast<std::size_t>(k)), singular(eigen);
    symmetric_eigenvalues(a.data(), k, eigen.data());
    singular_values(a.data(), k, singular.data());
    for (std::int64_t i = 0; i < k; ++i) {
      const double angle =
          std::acos(-1.0) * static_cast<double>(k - i) / static_cast<double>(k + 1);
      const double wanted = 2.0 - 2.0 * std::cos(angle);
      CHECK(std::fabs(eigen[static_cast<std::size_t>(i)] - wanted) < 1e-13);
      CHECK(std::fabs(singular[static_cast<std::size_t>(i)] - wanted) < 1e-13);
    }
    CHECK(spectral_norm(a.data(), k) == doctest::Approx(singular[0]).epsilon(1e-14));
  }
  // A nilpotent matrix has no eigenvalue but 0, yet singular values 1.
  std::vector<double> singular(4);
  singular_values(matrix(4, shift).data(), 4, singular.data());
  CHECK(singular[2] == doctest::Approx(1.0));
  CHECK(singular[3] == doctest::Approx(0.0));
  const std::vector<double> zero(16, 0.0);
  CHECK(spectral_norm(zero.data(), 4) == 0.0);
}

}  // namespace confmat::linalg
