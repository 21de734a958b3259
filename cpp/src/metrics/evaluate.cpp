// One number from one table.
#include "confmat/metrics/evaluate.hpp"

#include <cmath>
#include <limits>

#include "confmat/base/interrupt.hpp"
#include "confmat/base/wide.hpp"
#include "confmat/metrics/chance.hpp"
#include "filled_cells.hpp"
#include "nan.hpp"
#include "params.hpp"

namespace confmat::metrics {
namespace {

double overall_value(const Row& row, const double* params, Session& session,
                     const Options& options) {
  Margins& of = row.facts.ordered        ? session.full()
                : row.facts.over_classes ? session.averaged()
                                         : session.kept();
  if (!(of.n > 0.0) || of.k < row.facts.min_classes) return kNan;
  // With two classes a determinant is a correlation, which needs both on both sides.
  if (row.facts.degenerate && of.k == 2 && of.degenerate() >= 0) return kNan;
  if (of.k == 2 && row.column != nullptr) {
    double value = kNan;
    column_of_row(row, params, of, 0, 1, &value);
    return value;
  }
  const bool fits =
      (!row.facts.ordered || of.spread_fits()) && (!row.facts.fourfold || of.fourfold_fits());
  const bool whole = of.kit == Kit::kExact && fits;
  if (whole) {
    TableView<Count<1>> view(of);
    view.undefined = options.undefined;
    return row.whole_counts(view, params);
  }
  if (row.subtracts && of.whole() != nullptr) {
    TableView<Weighed> view(of);
    view.undefined = options.undefined;
    return row.whole_weights(view, params);
  }
  TableView<double> view(of);
  view.undefined = options.undefined;
  return row.whole(view, params);
}

double pairs_value(const Row& row, const double* params, Margins& of) {
  const PairTable pairs = pair_table(of);
  double value = kNan;
  if (pairs.whole) {
    const std::int64_t* c = pairs.counts;
    row.column_counts({c, c + 2, c + 1, c + 3}, 1, params, &value);
  } else {
    const double* c = pairs.real;
    for (int i = 0; i < 4; ++i) {
      if (!(c[i] >= 0.0)) return kNan;  // weights below one do not make pairs
    }
    if (pairs.weighed && row.subtracts) {
      const Whole* w = pairs.weights;
      row.column_weights({w, w + 2, w + 1, w + 3}, 1, params, &value);
      return value;
    }
    row.column({c, c + 2, c + 1, c + 3}, 1, params, &value);
  }
  return value;
}

// A mean less that of guessing, where the difference would lose digits.
std::optional<double> beyond_chance(const Row& row, const Averaged& mean, Session& session,
                                    const Options& options) {
  if (row.facts.one_of_two.empty()) return std::nullopt;
  Margins& of = session.averaged();
  const bool both = of.k == 2 && !session.chooses() && of.row[0] > 0.0 && of.row[1] > 0.0;
  if (both) {
    double value = kNan;
    column_of_row(*catalogue().one_of_two(row), kNoParams, of, 0, 1, &value);
    return value;
  }
  const auto used = static_cast<double>(mean.used);
  if (std::fabs(mean.value * used - 1.0) > 0.5) return std::nullopt;
  if (options.undefined) {  // it may stand in for a recall
    for (std::int64_t i = 0; i < of.k; ++i) {
      if (session.counts(i) && !(of.row[static_cast<std::size_t>(i)] > 0.0)) return std::nullopt;
    }
  }
  const auto beyond = recalls_beyond_one(session);
  if (!beyond) return std::nullopt;
  return *beyond / (used - 1.0);
}

double averaged_value(const Row& row, const double* params, Session& session,
                      const Options& options) {
  const Averaged mean =
      average_of(catalogue().base(row), row.average, params, session, options.undefined);
  if (mean.used < row.facts.min_classes) return kNan;
  if (const auto value = beyond_chance(row, mean, session, options)) return *value;
  return row.post == nullptr ? mean.value : row.post(mean.value, static_cast<double>(mean.used));
}

}  // namespace

PairTable pair_table(Margins& of) {
  PairTable out;
  const std::size_t table = of.row.size() * of.row.size();
  const std::size_t cells = of.is_sparse() ? of.filled().columns.size() : table;
  if (of.kit != Kit::kReal) {
    Int128 squares = 0, rows = 0, cols = 0;
    const std::int64_t* cell = of.is_sparse() ? of.filled_counts() : of.cell_counts();
    for (const auto [first, last] : Strides(cells)) {
      for (std::size_t i = first; i < last; ++i) squares += Int128{cell[i]} * cell[i];
    }
    for (const std::int64_t r : of.row_count) rows += Int128{r} * r;
    for (const std::int64_t c : of.col_count) cols += Int128{c} * c;
    const Int128 n = of.n_count;
    const Int128 tp = (squares - n) / 2;
    const Int128 fn = (rows - squares) / 2;
    const Int128 fp = (cols - squares) / 2;
    const Int128 tn = n * (n - 1) / 2 - tp - fn - fp;
    out.whole = n <= (Int128{1} << 32);
    out.weighed = !out.whole;
    const Int128 all[4] = {tp, fn, fp, tn};
    for (int i = 0; i < 4; ++i) {
      out.real[i] = to_double(all[i]);
      if (out.whole) out.counts[i] = static_cast<std::int64_t>(all[i]);
      if (out.weighed) out.weights[i] = Whole::of(2 * all[i]);
    }
    return out;
  }
  if (WholeTable* whole = of.scale == 1.0 ? of.whole() : nullptr) {
    Whole squares, rows, cols;
    const double* cell = of.cells();
    for (const auto [first, last] : Strides(table)) {
      for_each_filled(cell + first, last - first, [&, from = cell + first](std::size_t i) {
        const Whole here = Whole::of(from[i], whole->unit);
        squares = squares + here * here;
      });
    }
    for (const Whole& r : whole->row) rows = rows + r * r;
    for (const Whole& c : whole->col) cols = cols + c * c;
    const Whole single = whole->n.shifted(static_cast<unsigned>(-whole->unit));
    out.weighed = true;
    out.weights[0] = squares - single;
    out.weights[1] = rows - squares;
    out.weights[2] = cols - squares;
    out.weights[3] =
        whole->n * whole->n - single - out.weights[0] - out.weights[1] - out.weights[2];
    for (int i = 0; i < 4; ++i) {
      out.real[i] = std::ldexp(out.weights[i].value(), 2 * whole->unit - 1);
    }
    return out;
  }
  double squares = 0.0, rows = 0.0, cols = 0.0;
  const double* cell = of.is_sparse() ? of.filled_cells() : of.cells();
  for (const auto [first, last] : Strides(cells)) {
    for (std::size_t i = first; i < last; ++i) squares += cell[i] * cell[i];
  }
  for (const double r : of.row) rows += r * r;
  for (const double c : of.col) cols += c * c;
  const double single = of.n / of.scale;
  out.real[0] = (squares - single) / 2;
  out.real[1] = (rows - squares) / 2;
  out.real[2] = (cols - squares) / 2;
  out.real[3] = of.n * (of.n - 1 / of.scale) / 2 - out.real[0] - out.real[1] - out.real[2];
  return out;
}

bool is_beyond_scale(const Row& row, Session& session) {
  return row.facts.own && !row.facts.scale && session.full().scale != 1.0;
}

double evaluate(const Ask& ask, Session& session, const Options& options) {
  const Row& row = catalogue().row(ask.row);
  const double* params = params_of(ask).data();
  const auto average = static_cast<Average>(ask.average);
  Margins& kept = session.kept();
  double value = kNan;
  if (!std::isfinite(session.full().n) || is_refused(ask, session)) return kNan;
  if (is_beyond_scale(row, session)) return kNan;
  switch (row.kind) {
    case Kind::kBinary:
      if (average != Average::kNone) {
        value = average_of(row, average, params, session, options.undefined).value;
      } else if (options.pos >= 0 && options.pos < session.full().k) {
        column_of_row(row, params, session.full(), options.pos, 1, &value);
        if (!row.facts.scale) value *= session.full().scale;
      }
      break;
    case Kind::kOverall:
      value = overall_value(row, params, session, options);
      break;
    case Kind::kPairs:
      value = kept.n > 0.0 ? pairs_value(row, params, kept) : kNan;
      break;
    case Kind::kAveraged:
      value = averaged_value(row, params, session, options);
      break;
  }
  return tidy(value, row.facts);
}

}  // namespace confmat::metrics
