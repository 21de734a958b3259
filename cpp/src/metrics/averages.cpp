// Averages of a binary metric: over the classes against the rest, over pairs of classes, or of the
// cells pooled.
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "confmat/base/interrupt.hpp"
#include "confmat/metrics/evaluate.hpp"
#include "confmat/metrics/parts.hpp"
#include "nan.hpp"

namespace confmat::metrics {
namespace {

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

// The cells of the classes that count, summed.
template <class T>
struct Pooled {
  T sums[4] = {};
  std::int64_t used = 0;

  Pooled(Columns<T> c, std::int64_t k, const Session& session) {
    for (std::int64_t i = 0; i < k; ++i) {
      if (!session.counts(i)) continue;
      ++used;
      sums[0] = sums[0] + c.tp[i];
      sums[1] = sums[1] + c.fp[i];
      sums[2] = sums[2] + c.fn[i];
      sums[3] = sums[3] + c.tn[i];
    }
  }
  Averaged value(Column<T> of, const double* params) const {
    double value = kNan;
    of({&sums[0], &sums[1], &sums[2], &sums[3]}, 1, params, &value);
    return {value, std::isnan(value) ? 0 : used};
  }
};

Averaged micro(const Row& row, const double* params, Session& session) {
  Margins& of = session.averaged();
  const bool fits = !row.facts.fourfold || of.fourfold_fits();
  if (of.kit == Kit::kExact && of.spread_fits() && fits) {
    return Pooled(of.column_counts(), of.k, session).value(row.column_counts, params);
  }
  if (const WholeTable* whole = row.subtracts ? of.whole() : nullptr) {
    const Columns<Whole> columns{whole->tp.data(), whole->fp.data(), whole->fn.data(),
                                 whole->tn.data()};
    return Pooled(columns, of.k, session).value(row.column_weights, params);
  }
  return Pooled(of.columns(), of.k, session).value(row.column, params);
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

// The numbers that pairs of classes are made of.
using PairCells = std::variant<const double*, const std::int64_t*, const Whole*>;

PairCells pair_cells(const Row& row, Margins& of) {
  const bool fits = !row.facts.fourfold || of.fourfold_fits();
  if (of.kit == Kit::kExact && fits) return of.cell_counts();
  if (row.subtracts && of.k <= Margins::kMostWholeClasses && of.whole() != nullptr) {
    return of.whole_cells();
  }
  return of.cells();
}

Column<double> column_for(const Row& row, const double*) { return row.column; }
Column<std::int64_t> column_for(const Row& row, const std::int64_t*) { return row.column_counts; }
Column<Whole> column_for(const Row& row, const Whole*) { return row.column_weights; }

// Calls see(i, values) for `first` to `last` of the classes: the values of the pairs whose positive
// class is i, all but two classes left out.
template <class T, class See>
void walk_pairs(const T* cell, Column<T> column, const double* params, std::int64_t k,
                std::span<const std::int64_t> classes, std::size_t first, std::size_t last,
                const See& see) {
  constexpr std::size_t kBlock = 8;  // columns of classes that share lines of the cache
  thread_local std::vector<T> falls, positive, across, diagonal;
  thread_local std::vector<double> values;
  const std::size_t count = classes.size();
  falls.resize(kBlock * count);
  positive.resize(count);
  across.resize(count);
  diagonal.resize(count);
  values.resize(count - 1);
  for (std::size_t j = 0; j < count; ++j) diagonal[j] = cell[classes[j] * (k + 1)];
  for (std::size_t block = first; block < last; block += kBlock) {
    obey_between_rows(static_cast<std::size_t>(k));
    const std::size_t width = std::min(kBlock, last - block);
    for (std::size_t j = 0; j < count; ++j) {
      const T* line = cell + classes[j] * k;
      for (std::size_t w = 0; w < width; ++w) falls[w * count + j] = line[classes[block + w]];
    }
    for (std::size_t w = 0; w < width; ++w) {
      const std::size_t i = block + w;
      const T* line = cell + classes[i] * k;
      for (std::size_t j = 0; j < count; ++j) across[j] = line[classes[j]];
      positive.assign(count, diagonal[i]);
      const T* fall = falls.data() + w * count;
      column({positive.data(), fall, across.data(), diagonal.data()}, i, params, values.data());
      const std::size_t next = i + 1;
      column({positive.data(), fall + next, across.data() + next, diagonal.data() + next},
             count - next, params, values.data() + i);
      see(classes[i], values);
    }
  }
}

template <class See>
void see_pairs(const PairCells& cells, const Row& row, const double* params, std::int64_t k,
               std::span<const std::int64_t> classes, std::size_t first, std::size_t last,
               const See& see) {
  std::visit(
      [&](const auto* cell) {
        walk_pairs(cell, column_for(row, cell), params, k, classes, first, last, see);
      },
      cells);
}

void load_classes(const Session& session, std::int64_t k, std::vector<std::int64_t>& classes) {
  classes.clear();
  for (std::int64_t i = 0; i < k; ++i) {
    if (session.counts(i)) classes.push_back(i);
  }
}

// Of the pairs of some classes.
struct Partial {
  double total = 0.0;
  std::size_t used = 0;

  friend Partial operator+(const Partial& one, const Partial& two) {
    return {one.total + two.total, one.used + two.used};
  }
};

Averaged one_vs_one(const Row& row, const double* params, Session& session,
                    std::optional<double> undefined) {
  thread_local std::vector<std::int64_t> here;
  std::vector<std::int64_t>& classes = here;  // of this thread, in the others too
  Margins& of = session.averaged();
  load_classes(session, of.k, classes);
  if (classes.empty()) return {kNan, 0};
  const PairCells cells = pair_cells(row, of);
  const Partial all = sum_parts<Partial>(classes.size(), [&](std::size_t first, std::size_t last) {
    Partial sum;
    see_pairs(cells, row, params, of.k, classes, first, last,
              [&](std::int64_t, std::vector<double>& values) {
                const std::size_t defined = keep_defined(values.data(), values.size(), undefined);
                for (std::size_t j = 0; j < defined; ++j) sum.total += values[j];
                sum.used += defined;
              });
    return sum;
  });
  return {all.total / static_cast<double>(all.used), static_cast<std::int64_t>(all.used)};
}

}  // namespace

std::vector<std::int64_t> undefined_in_pairs(const Row& row, const double* params,
                                             Session& session) {
  Margins& of = session.averaged();
  std::vector<std::int64_t> out, classes;
  load_classes(session, of.k, classes);
  if (classes.empty()) return out;
  see_pairs(pair_cells(row, of), row, params, of.k, classes, 0, classes.size(),
            [&](std::int64_t i, const std::vector<double>& values) {
              if (std::ranges::any_of(values, [](double value) { return std::isnan(value); })) {
                out.push_back(of.kept()[static_cast<std::size_t>(i)]);
              }
            });
  return out;
}

double exponent_of(const Row& row, Average average, const double* params) {
  if (average == Average::kPower) return params[row.facts.params.size()];
  const double known = suffix_of(average).exponent;
  return std::isnan(known) ? 1.0 : known;
}

void column_of_row(const Row& row, const double* params, Margins& of, std::int64_t first,
                   std::int64_t count, double* out) {
  const auto size = static_cast<std::size_t>(count);
  const bool fits = row.facts.fourfold ? of.fourfold_fits() : of.countable();
  const bool needs_whole = row.subtracts && (of.kit == Kit::kReal || !fits);
  if (WholeTable* whole = needs_whole ? of.whole() : nullptr) {
    const Columns<Whole> columns{whole->tp.data(), whole->fp.data(), whole->fn.data(),
                                 whole->tn.data()};
    row.column_weights(columns.from(first), size, params, out);
  } else if (of.kit == Kit::kFast || !fits) {
    row.column(of.columns().from(first), size, params, out);
  } else {
    row.column_counts(of.column_counts().from(first), size, params, out);
  }
}

Averaged average_of(const Row& row, Average average, const double* params, Session& session,
                    std::optional<double> undefined) {
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
  const double exponent = exponent_of(row, average, params);
  if (exponent != 1.0) return {power_mean(exponent, values.data(), used), whole};
  double total = 0.0;
  for (std::size_t i = 0; i < used; ++i) total += values[i];
  return {total / static_cast<double>(used), whole};
}

}  // namespace confmat::metrics
