// Determinants, eigenvalues and singular values of matrices with known answers.
#include "confmat/linalg/dense.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "confmat/linalg/determinant.hpp"
#include "confmat/linalg/library.hpp"

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

TEST_CASE("linalg: determinants of large matrices, by blocks") {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> draw(-1, 1);
  for (const std::int64_t k : {65, 72, 127, 128, 129, 200}) {
    // The product of two triangles, its rows reversed.
    const auto size = static_cast<std::size_t>(k);
    std::vector<double> lower(size * size, 0.0), upper(lower), a(lower);
    double log = 0.0;
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j < i; ++j) lower[i * size + j] = draw(random) / 8;
      for (std::size_t j = i + 1; j < size; ++j) upper[i * size + j] = draw(random) / 8;
      lower[i * size + i] = 1.0;
      upper[i * size + i] = 1.0 + draw(random) / 2;
      log += std::log(upper[i * size + i]);
    }
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t p = 0; p <= i; ++p) {
        for (std::size_t j = p; j < size; ++j) {
          a[(size - 1 - i) * size + j] += lower[i * size + p] * upper[p * size + j];
        }
      }
    }
    const Det det = determinant(a.data(), k);
    CHECK(det.error < 1.0);
    CHECK(det.sign() == (k / 2 % 2 == 0 ? 1.0 : -1.0));
    CHECK(std::fabs(det.log_abs() - log) < 1e-9);
  }
}

TEST_CASE("linalg: a library takes large matrices, and those only") {
  struct Fake final : Library {
    bool symmetric_eigenvalues(const double*, std::int64_t k, double* out) override {
      ++calls;
      if (knows) std::fill_n(out, k, 7.0);
      return knows;
    }
    bool singular_values(const double* a, std::int64_t k, double* out) override {
      return symmetric_eigenvalues(a, k, out);
    }
    bool symmetric_eigenvectors(const double* a, std::int64_t k, double* values,
                                double* vectors) override {
      std::fill_n(vectors, knows ? k * k : 0, 5.0);
      return symmetric_eigenvalues(a, k, values);
    }
    int calls = 0;
    bool knows = true;
  } fake;
  std::vector<double> out(100);
  {
    const LibraryScope scope(&fake);
    symmetric_eigenvalues(matrix(64, second_difference).data(), 64, out.data());
    singular_values(matrix(64, second_difference).data(), 64, out.data());
    CHECK(fake.calls == 0);
    singular_values(matrix(65, second_difference).data(), 65, out.data());
    CHECK(out[64] == 7.0);
    CHECK(spectral_norm(matrix(100, second_difference).data(), 100) ==
          doctest::Approx(2.0 * std::sqrt(7.0)));
    std::vector<double> vectors(65 * 65);
    symmetric_eigenvectors(matrix(64, second_difference).data(), 64, out.data(), vectors.data());
    CHECK(fake.calls == 2);
    symmetric_eigenvectors(matrix(65, second_difference).data(), 65, out.data(), vectors.data());
    CHECK(out[64] == 7.0);
    CHECK(vectors.back() == 5.0);
    fake.knows = false;
    symmetric_eigenvectors(matrix(65, second_difference).data(), 65, out.data(), vectors.data());
    CHECK(out[0] > 3.9);
    CHECK(std::fabs(vectors.back()) < 1.0);
    symmetric_eigenvalues(matrix(100, second_difference).data(), 100, out.data());
    CHECK(out[0] == doctest::Approx(2.0 - 2.0 * std::cos(std::acos(-1.0) * 100 / 101)));
    CHECK(fake.calls == 5);
  }
  CHECK(library() == nullptr);
}

}  // namespace confmat::linalg
