// The matrices M and B of a table and their decompositions, and the session of one call.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "confmat/base/error.hpp"
#include "confmat/base/interrupt.hpp"
#include "confmat/base/wide.hpp"
#include "confmat/linalg/dense.hpp"
#include "confmat/metrics/margins.hpp"
#include "confmat/metrics/number.hpp"
#include "confmat/metrics/parts.hpp"

namespace confmat::metrics {

std::int64_t Margins::degenerate() const {
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (row[i] == 0.0 || col[i] == 0.0) return static_cast<std::int64_t>(i);
  }
  return -1;
}

// Fills `scratch` with entry(i, j), 0 where the row or the column is empty.
template <class F>
static const double* fill(std::vector<double>& scratch, const Margins& of, F entry) {
  const auto size = static_cast<std::size_t>(of.k);
  scratch.resize(size * size);
  for_parts_of_rows(size, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      obey_between_rows(size);
      for (std::size_t j = 0; j < size; ++j) {
        const bool empty = of.row[i] == 0.0 || of.col[j] == 0.0;
        scratch[i * size + j] = empty ? 0.0 : entry(i, j, i * size + j);
      }
    }
  });
  return scratch.data();
}

// M without its first singular pair (1; sqrt(r/n), sqrt(c/n)): the exact difference n C - r c keeps
// the digits of a small correlation.
double Margins::canonical_correlation() {
  if (has_canonical_) return canonical_;
  has_canonical_ = true;
  canonical_ = 0.0;
  if (k == 0) return canonical_;
  const double* cell = cells();
  const std::int64_t* count = kit == Kit::kExact ? cell_counts() : nullptr;
  const WholeTable* weights = whole();
  const Whole* whole_cell = weights != nullptr ? whole_cells() : nullptr;
  const auto entry = [this, cell, count, weights, whole_cell](std::size_t i, std::size_t j,
                                                              std::size_t at) {
    if (weights != nullptr) {
      const Whole margins = weights->row[i] * weights->col[j];
      const double gap = (weights->n * whole_cell[at] - margins).value();
      return gap / weights->n.value() / std::sqrt(margins.value());
    }
    const double gap =
        count != nullptr
            ? to_double(Int128{n_count} * count[at] - Int128{row_count[i]} * col_count[j])
            : n * cell[at] - row[i] * col[j];
    return gap / n / std::sqrt(row[i] * col[j]);
  };
  canonical_ = linalg::spectral_norm(fill(scratch_, *this, entry), k);
  return canonical_;
}

std::span<const double> Margins::singular_values() {
  if (has_singular_) return singular_;
  has_singular_ = true;
  singular_.resize(static_cast<std::size_t>(k));
  if (k == 0) return singular_;
  const double* cell = cells();
  const auto entry = [this, cell](std::size_t i, std::size_t j, std::size_t at) {
    return cell[at] / std::sqrt(row[i] * col[j]);
  };
  linalg::singular_values(fill(scratch_, *this, entry), k, singular_.data());
  return singular_;
}

// Into scratch_.
void Margins::load_symmetric_part() {
  const auto size = static_cast<std::size_t>(k);
  const double* cell = cells();
  scratch_.resize(size * size);
  for_parts_of_rows(size, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      obey_between_rows(size);
      for (std::size_t j = 0; j < size; ++j) {
        scratch_[i * size + j] =
            0.5 * (term_ratio(cell[i * size + j], row[i]) + term_ratio(cell[j * size + i], row[j]));
      }
    }
  });
}

std::span<const double> Margins::eigenvalues() {
  if (has_eigen_) return eigen_;
  has_eigen_ = true;
  eigen_.resize(static_cast<std::size_t>(k));
  if (k == 0) return eigen_;
  if (expects_slopes_ && k <= linalg::kSmall) {
    load_eigenvectors();
    return eigen_;
  }
  load_symmetric_part();
  linalg::symmetric_eigenvalues(scratch_.data(), k, eigen_.data());
  return eigen_;
}

std::span<const double> Margins::eigenvectors() {
  if (!has_vectors_) load_eigenvectors();
  return vectors_;
}

void Margins::load_eigenvectors() {
  const auto size = static_cast<std::size_t>(k);
  has_eigen_ = has_vectors_ = true;
  eigen_.resize(size);
  vectors_.resize(size * size);
  load_symmetric_part();
  linalg::symmetric_eigenvectors(scratch_.data(), k, eigen_.data(), vectors_.data());
}

std::span<const double> Margins::inverse() {
  if (has_inverse_) return inverse_;
  has_inverse_ = true;
  inverse_.resize(static_cast<std::size_t>(k) * static_cast<std::size_t>(k));
  linalg::inverse(cells(), k, inverse_.data());
  return inverse_;
}

std::span<const double> Margins::eigen_shares() {
  if (has_shares_) return shares_;
  has_shares_ = true;
  shares_.clear();
  double total = 0.0;
  const auto found = eigenvalues();
  if (found.empty()) return shares_;
  // One that is as near to 0 as they are known is 0, on either side of it.
  const double most = std::max(std::fabs(found.front()), std::fabs(found.back()));
  const double unknown = most * static_cast<double>(k) * std::numeric_limits<double>::epsilon();
  for (const double eta : found) {
    if (!(eta > unknown)) continue;
    shares_.push_back(eta);
    total += eta;
  }
  for (double& share : shares_) share /= total;
  return shares_;
}

namespace {

Margins& slot(int which) {
  thread_local Margins margins[2];
  return margins[which];
}

}  // namespace

Session::Session(const Table& table, const Options& options)
    : full_(slot(0)), kept_(&full_), averaged_(&full_) {
  const bool has_cells = table.counts != nullptr || table.weights != nullptr;
  if (table.k < 0 || (table.k > 0 && !has_cells && !(table.is_sparse && table.filled == 0))) {
    throw InputError("a table needs its cells");
  }
  if (table.is_sparse && options.smoothing != 0.0) {
    throw InputError("`smoothing` adds to each of " + std::to_string(table.k) + " x " +
                     std::to_string(table.k) +
                     " cells, which is too many for a matrix of so many classes; wanted 0");
  }
  full_.load(table, options.smoothing);
  const bool asked = options.keep_empty || options.undefined;
  const bool all = asked && (!options.implied || options.classes);
  if (!(options.keep_empty && all) && full_.has_absent()) {
    Margins& present = slot(1);
    present.load_kept(full_);
    if (!options.keep_empty) kept_ = &present;
    if (!all) averaged_ = &present;
  }
  if (!options.classes) return;
  std::vector<std::uint8_t> wanted(static_cast<std::size_t>(table.k), 0);
  for (const std::int64_t at : *options.classes) wanted[static_cast<std::size_t>(at)] = 1;
  for (const std::int64_t at : averaged_->kept()) {
    chosen_.push_back(wanted[static_cast<std::size_t>(at)]);
  }
}

Session::~Session() {
  for (Margins* of : {&full_, kept_, averaged_}) of->forget_large();
}

std::int64_t Session::present() const {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < full_.row.size(); ++i) {
    count += full_.row[i] != 0.0 || full_.col[i] != 0.0;
  }
  return count;
}

}  // namespace confmat::metrics
