// Vectors and matrices of a table that are not one number.
#include <algorithm>
#include <cmath>
#include <utility>

#include "confmat/base/error.hpp"
#include "confmat/base/interrupt.hpp"
#include "confmat/metrics/evaluate.hpp"
#include "nan.hpp"

namespace confmat::metrics {
namespace {

void need_finite(const Margins& of) {
  if (!std::isfinite(of.n)) throw InputError("the table must hold finite numbers");
}

void need_table(const Margins& of) {
  require_table(of);
  need_finite(of);
}

}  // namespace

std::vector<double> eve_eigenvalues(const Table& table) {
  Session session(table, {});
  need_table(session.kept());
  const auto found = session.kept().eigenvalues();
  return {found.begin(), found.end()};
}

std::vector<double> singular_values(const Table& table) {
  Session session(table, {});
  need_table(session.kept());
  const auto found = session.kept().singular_values();
  return {found.begin(), found.end()};
}

std::pair<double, double> eve_bounds(const Table& table) {
  Session session(table, {});
  Margins& of = session.kept();
  need_table(of);
  if (of.k == 0) {
    return {kNan, kNan};
  }
  const double* cell = of.cells();
  const auto size = of.row.size();
  const auto symmetric = [&](std::size_t i, std::size_t j) {
    return 0.5 *
           (term_ratio(cell[i * size + j], of.row[i]) + term_ratio(cell[j * size + i], of.row[j]));
  };
  const auto scaled = [&](std::size_t i) {
    const double entry = symmetric(i, i);
    return entry > 0.0 ? std::sqrt(entry) : 1.0;
  };
  double radius = 0.0;
  for (std::size_t i = 0; i < size; ++i) {
    obey_between_rows(size);
    double line = 0.0;
    for (std::size_t j = 0; j < size; ++j) {
      if (i != j) line += symmetric(i, j) / (scaled(i) * scaled(j));
    }
    radius = std::max(radius, line);
  }
  return {1.0 - radius, 1.0 + radius};
}

std::vector<double> balanced(const Table& table) {
  Session session(table, {});
  Margins& of = session.full();
  need_finite(of);
  const auto size = of.row.size();
  const auto scaled = [&of](double cell, std::size_t i, std::size_t j) {
    const double factor = i == j ? 1.0 : std::sqrt(term_ratio(of.row[j], of.row[i]));
    return cell * of.scale * factor;
  };
  std::vector<double> out;
  if (of.is_sparse()) {
    const Filled& filled = of.filled();
    const double* cell = of.filled_cells();
    out.resize(filled.columns.size());
    for (std::size_t i = 0; i < size; ++i) {
      obey_between_rows(size);
      for (std::size_t at = filled.starts[i]; at < filled.starts[i + 1]; ++at) {
        out[at] = scaled(cell[at], i, filled.columns[at]);
      }
    }
    return out;
  }
  const double* cell = of.cells();
  out.resize(size * size);
  for (std::size_t i = 0; i < size; ++i) {
    obey_between_rows(size);
    for (std::size_t j = 0; j < size; ++j) {
      out[i * size + j] = scaled(cell[i * size + j], i, j);
    }
  }
  return out;
}

std::vector<std::int64_t> pair_counts(const Table& table) {
  if (table.counts == nullptr && table.k > 0) throw InputError("pair counts need counts");
  Session session(table, {});
  const PairTable pairs = pair_table(session.kept());
  if (!pairs.whole) throw InputError("pair counts need at most 2^32 rows");
  return {std::begin(pairs.counts), std::end(pairs.counts)};
}

}  // namespace confmat::metrics
