// Averages of a binary metric: over the classes against the rest, over pairs of classes, or of the
// cells pooled.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "confmat/base/interrupt.hpp"
#include "confmat/metrics/evaluate.hpp"

namespace confmat::metrics {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Moves the defined values to the front and says how many there are.
std::size_t keep_defined(double* values, std::size_t count, std::optional<double> undefined) {
  std::size_t used = 0;
  for (std::size_t i = 0; i < count; ++i) {
    double value = values[i];
    if (std::isnan(value)) {
      if (!undefined || std::isnan(*undefined)) continue;
      value = *undefined;
    }
    values[used++] = value;
  }
  return used;
}

Averaged micro(const Row& row, const double* params, Session& session) {
  Margins& of = session.averaged();
  double value = kNan;
  std::int64_t used = 0;
  if (of.kit == Kit::kExact && of.spread_fits()) {
    const Columns<std::int64_t> c = of.column_counts();
    std::int64_t sums[4] = {};
    for (std::int64_t i = 0; i < of.k; ++i) {
      if (!session.counts(i)) continue;
      ++used;
      sums[0] += c.tp[i];
      sums[1] += c.fp[i];
      sums[2] += c.fn[i];
      sums[3] += c.tn[i];
    }
    row.column_counts({&sums[0], &sums[1], &sums[2], &sums[3]}, 1, params, &value);
  } else if (WholeTable* whole = row.subtracts ? of.whole() : nullptr) {
    Whole sums[4];
    for (std::size_t i = 0; i < of.row.size(); ++i) {
      if (!session.counts(static_cast<std::int64_t>(i))) continue;
      ++used;
      sums[0] = sums[0] + whole->tp[i];
      sums[1] = sums[1] + whole->fp[i];
      sums[2] = sums[2] + whole->fn[i];
      sums[3] = sums[3] + whole->tn[i];
    }
    row.column_weights({&sums[0], &sums[1], &sums[2], &sums[3]}, 1, params, &value);
  } else {
    const Columns<double> c = of.columns();
    double sums[4] = {};
    for (std::int64_t i = 0; i < of.k; ++i) {
      if (!session.counts(i)) continue;
      ++used;
      sums[0] += c.tp[i];
      sums[1] += c.fp[i];
      sums[2] += c.fn[i];
      sums[3] += c.tn[i];
    }
    row.column({&sums[0], &sums[1], &sums[2], &sums[3]}, 1, params, &value);
  }
  return {value, std::isnan(value) ? 0 : used};
}

Averaged weighted(const double* values, Session& session, std::optional<double> undefined) {
  const Margins& of = session.averaged();
  double total = 0.0;
  double weight = 0.0;
  std::int64_t used = 0;
  for (std::size_t i = 0; i < of.row.size(); ++i) {
    if (!session.counts(static_cast<std::int64_t>(i))) continue;
    double value = values[i];
    if (std::isnan(value)) value = undefined.value_or(value);
    if (std::isnan(value)) continue;
    ++used;
    if (of.row[i] == 0.0) continue;
    total += of.row[i] * value;
    weight += of.row[i];
  }
  return {total / weight, used};
}

// The pairs (i, j) for one i: i is positive, all other classes but j are left out.
template <class T, class Cell>
void pairs_of(const Cell* cell, Session& session, std::int64_t i, std::vector<T>* columns) {
  const Margins& of = session.averaged();
  for (int which = 0; which < 4; ++which) columns[which].clear();
  for (std::int64_t j = 0; j < of.k; ++j) {
    if (j == i || !session.counts(j)) continue;
    columns[0].push_back(cell[i * of.k + i]);
    columns[1].push_back(cell[j * of.k + i]);
    columns[2].push_back(cell[i * of.k + j]);
    columns[3].push_back(cell[j * of.k + j]);
  }
}

// The values of the pairs whose positive class is i.
void pair_values(const Row& row, const double* params, Session& session, std::int64_t i,
                 std::vector<double>& values) {
  thread_local std::vector<double> real[4];
  thread_local std::vector<std::int64_t> whole[4];
  thread_local std::vector<Whole> weights[4];
  Margins& of = session.averaged();
  if (of.kit == Kit::kExact) {
    pairs_of(of.cell_counts(), session, i, whole);
    values.resize(whole[0].size());
    row.column_counts({whole[0].data(), whole[1].data(), whole[2].data(), whole[3].data()},
                      values.size(), params, values.data());
  } else if (row.subtracts && of.whole() != nullptr) {
    pairs_of(of.whole()->cells.data(), session, i, weights);
    values.resize(weights[0].size());
    row.column_weights({weights[0].data(), weights[1].data(), weights[2].data(), weights[3].data()},
                       values.size(), params, values.data());
  } else {
    pairs_of(of.cells(), session, i, real);
    values.resize(real[0].size());
    row.column({real[0].data(), real[1].data(), real[2].data(), real[3].data()}, values.size(),
               params, values.data());
  }
}

Averaged one_vs_one(const Row& row, const double* params, Session& session,
                    std::optional<double> undefined) {
  thread_local std::vector<double> values;
  double total = 0.0;
  std::size_t used = 0;
  for (std::int64_t i = 0; i < session.averaged().k; ++i) {
    if (!session.counts(i)) continue;
    obey_between_rows(static_cast<std::size_t>(session.averaged().k));
    pair_values(row, params, session, i, values);
    const std::size_t defined = keep_defined(values.data(), values.size(), undefined);
    for (std::size_t j = 0; j < defined; ++j) total += values[j];
    used += defined;
  }
  return {total / static_cast<double>(used), static_cast<std::int64_t>(used)};
}

}  // namespace

std::vector<std::int64_t> undefined_in_pairs(const Row& row, const double* params,
                                             Session& session) {
  const Margins& of = session.averaged();
  std::vector<std::int64_t> out;
  std::vector<double> values;
  for (std::int64_t i = 0; i < of.k; ++i) {
    if (!session.counts(i)) continue;
    pair_values(row, params, session, i, values);
    if (std::ranges::any_of(values, [](double value) { return std::isnan(value); })) {
      out.push_back(of.kept()[static_cast<std::size_t>(i)]);
    }
  }
  return out;
}

double exponent_of(Average average, double p) {
  switch (average) {
    case Average::kHarmonic:
      return -1.0;
    case Average::kGeometric:
      return 0.0;
    case Average::kQuadratic:
      return 2.0;
    case Average::kMin:
      return -INFINITY;
    case Average::kMax:
      return INFINITY;
    case Average::kPower:
      return p;
    default:
      return 1.0;
  }
}

void column_of_row(const Row& row, const double* params, Margins& of, std::int64_t first,
                   std::int64_t count, double* out) {
  const auto size = static_cast<std::size_t>(count);
  if (WholeTable* whole = row.subtracts ? of.whole() : nullptr) {
    const Columns<Whole> columns{whole->tp.data(), whole->fp.data(), whole->fn.data(),
                                 whole->tn.data()};
    row.column_weights(columns.from(first), size, params, out);
    return;
  }
  if (of.kit == Kit::kFast || !of.countable()) {
    row.column(of.columns().from(first), size, params, out);
  } else {
    row.column_counts(of.column_counts().from(first), size, params, out);
  }
}

Averaged average_of(const Row& row, Average average, double p, const double* params,
                    Session& session, std::optional<double> undefined) {
  Margins& of = session.averaged();
  if (of.k == 0) return {kNan, 0};
  if (average == Average::kMicro) return micro(row, params, session);
  if (average == Average::kOvo) return one_vs_one(row, params, session, undefined);
  thread_local std::vector<double> values;
  values.resize(static_cast<std::size_t>(of.k));
  column_of_row(row, params, of, 0, of.k, values.data());
  if (average == Average::kWeighted) return weighted(values.data(), session, undefined);
  if (session.chooses()) {
    std::size_t chosen = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (session.counts(static_cast<std::int64_t>(i))) values[chosen++] = values[i];
    }
    values.resize(chosen);
  }
  const std::size_t used = keep_defined(values.data(), values.size(), undefined);
  if (used == 0) return {kNan, 0};
  const auto whole = static_cast<std::int64_t>(used);
  const double exponent = exponent_of(average, p);
  if (exponent != 1.0) return {power_mean(exponent, values.data(), used), whole};
  double total = 0.0;
  for (std::size_t i = 0; i < used; ++i) total += values[i];
  return {total / static_cast<double>(used), whole};
}

}  // namespace confmat::metrics
