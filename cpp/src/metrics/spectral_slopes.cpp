// Derivatives of determinants, eigenvalues and singular values by the cells of a table.
#include <cmath>
#include <limits>

#include "confmat/linalg/dense.hpp"
#include "confmat/metrics/gradient_view.hpp"
#include "nan.hpp"

namespace confmat::metrics {
namespace {

// What the slopes of a value become by a factor.
TableSlopes scaled(TableSlopes slopes, double factor) {
  for (auto* part : {&slopes.row, &slopes.col, &slopes.diag, &slopes.cells}) {
    for (double& slope : *part) slope *= factor;
  }
  return slopes;
}

// d ln |det M| of M[i, j] = C[i, j] / sqrt(r[i] c[j]): the inverse of C, less half of both margins.
TableSlopes slopes_of_log_det(Margins& of) {
  const auto k = static_cast<std::size_t>(of.k);
  TableSlopes out(k);
  const auto inverse = of.inverse();
  out.cells.resize(k * k);
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t j = 0; j < k; ++j) out.cells[i * k + j] = inverse[j * k + i];
    out.row[i] = -0.5 / of.row[i];
    out.col[i] = -0.5 / of.col[i];
  }
  return out;
}

}  // namespace

Slope GradientView::det() const {
  const double value = of->det().det.value();
  if (value == 0.0) return Slope(kNan);  // of a singular matrix the inverse says nothing
  return summed(Slope(value), scaled(slopes_of_log_det(*of), value));
}

Slope GradientView::log_abs_det() const {
  if (of->det().det.value() == 0.0) return Slope(kNan);
  return summed(Slope(of->log_abs_det()), slopes_of_log_det(*of));
}

Slope GradientView::root_of_det() const {
  const linalg::Det& found = of->det().det;
  if (found.value() == 0.0) return Slope(kNan);
  const double value = found.sign() * std::exp(found.log_abs() / (k - 1));
  return summed(Slope(value), scaled(slopes_of_log_det(*of), value / (k - 1)));
}

// An entry is the cell times the power mean of 1 / r and 1 / c.
Slope GradientView::power_det(double p) const {
  if (p == 0.0) return det();
  const double value = of->power_det(p).det.value();
  if (value == 0.0) return Slope(kNan);
  const std::size_t size = this->size();
  const double* cell = of->cells();
  std::vector<Dual<2>> means(size * size);
  std::vector<double> matrix(size * size), inverse(size * size);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) {
      const std::size_t at = i * size + j;
      means[at] =
          power_mean(p, 1 / Dual<2>::variable(of->row[i], 0), 1 / Dual<2>::variable(of->col[j], 1));
      matrix[at] = cell[at] * means[at].value;
    }
  }
  linalg::inverse(matrix.data(), of->k, inverse.data());
  TableSlopes out(size);
  out.cells.resize(size * size);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) {
      const std::size_t at = i * size + j;
      const double turn = value * inverse[j * size + i];
      out.cells[at] = turn * means[at].value;
      out.row[i] += turn * cell[at] * means[at].slopes[0];
      out.col[j] += turn * cell[at] * means[at].slopes[1];
    }
  }
  return summed(Slope(value), std::move(out));
}

// d sigma = u' dM v of the singular vectors u and v, M without its first pair.
Slope GradientView::canonical_correlation() const {
  const double value = of->canonical_correlation();
  if (value == 0.0) return Slope(kNan);
  const std::size_t size = this->size();
  const double* cell = of->cells();
  std::vector<double> m(size * size), turned(size * size), square(size * size);
  std::vector<double> vectors(size * size);
  std::vector<double> values(size), left(size, 0.0);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) {
      const double both = of->row[i] * of->col[j];
      m[i * size + j] = both == 0.0 ? 0.0 : (cell[i * size + j] - both / of->n) / std::sqrt(both);
      turned[j * size + i] = m[i * size + j];
    }
  }
  linalg::multiply(turned.data(), m.data(), of->k, square.data());
  linalg::symmetric_eigenvectors(square.data(), of->k, values.data(), vectors.data());
  const double* right = vectors.data();
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) left[i] += m[i * size + j] * right[j] / value;
  }
  TableSlopes out(size);
  out.cells.assign(size * size, 0.0);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) {
      const double both = of->row[i] * of->col[j];
      if (both > 0.0) out.cells[i * size + j] = left[i] * right[j] / std::sqrt(both);
    }
    if (of->row[i] > 0.0) out.row[i] = -0.5 * value * left[i] * left[i] / of->row[i];
    if (of->col[i] > 0.0) out.col[i] = -0.5 * value * right[i] * right[i] / of->col[i];
  }
  return summed(Slope(value), std::move(out));
}

// d eta = v' dB v; B is the symmetric part of P[i, j] = C[i, j] / r[i].
Slope GradientView::of_eigenvalues(double value, const std::vector<double>& slopes) const {
  const std::size_t size = this->size();
  const double* cell = of->cells();
  const auto share = [&](std::size_t i, std::size_t j) {
    return of->row[i] > 0.0 ? cell[i * size + j] / of->row[i] : 0.0;
  };
  const auto vectors = of->eigenvectors();
  std::vector<double> turn(size * size), turned(size * size, 0.0);
  for (std::size_t e = 0; e < slopes.size(); ++e) {  // the positive ones come first
    for (std::size_t i = 0; i < size; ++i) turned[i * size + e] = slopes[e] * vectors[e * size + i];
  }
  linalg::multiply(turned.data(), vectors.data(), of->k, turn.data());
  TableSlopes out(size);
  out.cells.assign(size * size, 0.0);
  for (std::size_t i = 0; i < size; ++i) {
    if (!(of->row[i] > 0.0)) continue;
    for (std::size_t j = 0; j < size; ++j) {
      out.cells[i * size + j] = turn[i * size + j] / of->row[i];
      out.row[i] -= share(i, j) * turn[i * size + j] / of->row[i];
    }
  }
  return summed(Slope(value), std::move(out));
}

}  // namespace confmat::metrics
