// Determinants of the normalised matrix: in doubles while their error is bounded, else exact.
#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

#include "confmat/base/interrupt.hpp"
#include "confmat/linalg/determinant.hpp"
#include "confmat/metrics/margins.hpp"
#include "confmat/metrics/number.hpp"
#include "confmat/metrics/parts.hpp"

namespace confmat::metrics {
namespace {

using linalg::Det;
using linalg::WideInt;

constexpr double kLogError = 1e-10;      // relative
constexpr std::int64_t kExactMost = 64;  // classes
// Roundings of an entry: both margins, their product and its root, the cell and the quotient.
constexpr double kRootEntry = 6.0;
constexpr double kMeanEntry = 64.0;

// Fills a matrix: row_of(i) gives what makes the entry of each column.
template <class RowOf>
void fill(std::vector<double>& out, std::size_t size, RowOf row_of) {
  out.resize(size * size);
  for_parts_of_rows(size, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      obey_between_rows(size);
      const auto entry = row_of(i);
      double* const to = out.data() + i * size;
      for (std::size_t j = 0; j < size; ++j) to[j] = entry(j);
    }
  });
}

// Takes a determinant of unknown sign as 0.
SpectralDet settled(const Det& det) {
  SpectralDet out;
  out.hidden = !(det.error < 1.0);
  if (!out.hidden) out.det = det;
  return out;
}

// The cells as mantissas and shifts of one unit.
struct WholeCells {
  std::vector<std::int64_t> entries;
  std::vector<int> shifts;
};

// Weights as whole multiples of a power of two; false where their sizes are too far apart.
bool load_whole(const double* cells, std::size_t count, WholeCells& out) {
  constexpr int kMostShift = 1000;
  out.entries.resize(count);
  out.shifts.resize(count);
  int least = 0, most = 0;
  bool any = false;
  for (std::size_t i = 0; i < count; ++i) {
    int exponent = 0;
    auto whole = static_cast<std::int64_t>(std::ldexp(std::frexp(cells[i], &exponent), 53));
    if (whole != 0) {
      const int zeros = std::countr_zero(static_cast<std::uint64_t>(whole));
      whole >>= zeros;
      exponent += zeros - 53;
      least = any ? std::min(least, exponent) : exponent;
      most = any ? std::max(most, exponent) : exponent;
      any = true;
    }
    out.entries[i] = whole;
    out.shifts[i] = exponent;
  }
  if (most - least > kMostShift) return false;
  for (std::size_t i = 0; i < count; ++i) {
    out.shifts[i] = out.entries[i] == 0 ? 0 : out.shifts[i] - least;
  }
  return true;
}

}  // namespace

// det M squared is D^2 / P for the determinant D of the cells and the product P of the margins; it
// is at most 1.
void Margins::load_exact_det() {
  if (k > kExactMost) return;
  thread_local WholeCells whole;
  const auto size = static_cast<std::size_t>(k);
  const bool counted = kit != Kit::kReal;
  if (!counted && !load_whole(cells(), size * size, whole)) return;
  const linalg::WholeMatrix matrix{
      k,
      counted ? std::span(cell_counts(), size * size)
              : std::span<const std::int64_t>(whole.entries),
      counted ? std::span<const int>() : std::span<const int>(whole.shifts)};
  thread_local std::vector<WideInt> margins;
  margins.assign(2 * size, WideInt());
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) {
      WideInt cell(matrix.entries[i * size + j]);
      if (!counted) cell = cell.shifted(static_cast<unsigned>(matrix.shifts[i * size + j]));
      margins[i] = margins[i] + cell;
      margins[size + j] = margins[size + j] + cell;
    }
  }
  int bits = 0;
  for (const WideInt& margin : margins) bits += margin.bits();
  if (bits / 2 + 1 > linalg::kMostDetBits) return;
  const WideInt det = linalg::exact_determinant(matrix, bits / 2 + 1);
  det_ = {};
  if (det.sign() == 0) return;
  WideInt product(1);
  for (const WideInt& margin : margins) product = product * margin;
  const WideInt square = det * det;
  std::int64_t above = 0, below = 0;
  double ratio = square.mantissa(above) / product.mantissa(below);
  std::int64_t exponent = above - below;
  if (exponent % 2 != 0) {
    ratio *= 2.0;
    --exponent;
  }
  det_.det = Det::of(det.sign() * std::sqrt(ratio), exponent / 2);
  if (exponent > -4) {
    std::int64_t gap = 0;
    const double rest = (square - product).mantissa(gap) / product.mantissa(below);
    det_.log_abs = 0.5 * std::log1p(std::ldexp(rest, static_cast<int>(gap - below)));
  } else {
    det_.log_abs = 0.5 * (std::log(ratio) + static_cast<double>(exponent) * std::numbers::ln2);
  }
}

const SpectralDet& Margins::det() {
  if (has_det_) return det_;
  has_det_ = true;
  det_ = {};
  if (k == 0 || degenerate() >= 0) return det_;
  fill(scratch_, row.size(), [this, cells = cells()](std::size_t i) {
    return [cell = cells + i * row.size(), line = row[i], columns = col.data()](std::size_t j) {
      return cell[j] / std::sqrt(line * columns[j]);
    };
  });
  const Det found = linalg::determinant(scratch_.data(), k, kRootEntry);
  det_ = settled(found);
  if (!(found.error <= linalg::wanted_error(found, k))) load_exact_det();
  return det_;
}

double Margins::log_abs_det() {
  const double rough = det().det.log_abs();
  if (!det_.log_abs && det_.det.error > kLogError * std::fabs(rough)) load_exact_det();
  return det_.log_abs.value_or(det_.det.log_abs());
}

const SpectralDet& Margins::power_det(double p) {
  if (p == 0.0) return det();
  if (power_ == p) return power_det_;
  power_ = p;
  power_det_ = {};
  if (k == 0 || degenerate() >= 0) return power_det_;
  fill(scratch_, row.size(), [this, p, cells = cells()](std::size_t i) {
    return [p, cell = cells + i * row.size(), line = row[i], columns = col.data()](std::size_t j) {
      return power_mean(p, cell[j] / line, cell[j] / columns[j]);
    };
  });
  power_det_ = settled(linalg::determinant(scratch_.data(), k, kMeanEntry));
  return power_det_;
}

}  // namespace confmat::metrics
