// values, per_class and n_used of the registry.
#include <cmath>
#include <limits>
#include <string>

#include "confmat/base/error.hpp"
#include "confmat/base/interrupt.hpp"
#include "confmat/metrics/evaluate.hpp"
#include "confmat/metrics/intervals.hpp"
#include "params.hpp"

namespace confmat::metrics {
namespace {

double or_undefined(double value, const Options& options) {
  return std::isnan(value) && options.undefined ? *options.undefined + 0.0 : value;
}

Average average_in(const Ask& ask) {
  const Row& row = catalogue().row(ask.row);
  return row.kind == Kind::kAveraged ? row.average : static_cast<Average>(ask.average);
}

}  // namespace

void values(std::span<const Ask> asks, const Table& table, const Options& options, double* out) {
  bool has_ends = false;
  {
    Session session(table, options);
    for (std::size_t i = 0; i < asks.size(); ++i) {
      has_ends |= asks[i].part != Part::kValue;
      if (asks[i].part != Part::kValue) continue;
      const double value = evaluate(asks[i], session, options);
      const bool unknown = std::isnan(value) && is_refused(asks[i], session);
      out[i] = unknown ? value : or_undefined(value, options);
    }
  }
  if (has_ends) ends(asks, table, options, out);
}

void per_class(std::span<const Ask> asks, const Table& table, const Options& options, double* out) {
  for (const Ask& ask : asks) {
    const Row& row = catalogue().row(ask.row);
    if (row.kind == Kind::kBinary && ask.average == 0 && ask.part == Part::kValue) continue;
    throw InputError(ask.name + " is one number of the whole table; it has no value per class");
  }
  Session session(table, options);
  Options of_class = options;
  const StopSign sign;
  for (std::int64_t c = 0; c < table.k; ++c) {
    if ((c & 1023) == 0) sign.obey();
    of_class.pos = c;
    for (const Ask& ask : asks) {
      *out++ = or_undefined(evaluate(ask, session, of_class), options);
    }
  }
}

std::int64_t n_used(const Ask& ask, const Table& table, const Options& options) {
  Session session(table, options);
  if (is_refused(ask, session)) return 0;
  const Row& row = catalogue().row(ask.row);
  const double* params = params_of(ask).data();
  const auto average = static_cast<Average>(ask.average);
  if (row.kind == Kind::kAveraged) {
    return average_of(catalogue().base(row), row.average, params, session, options.undefined).used;
  }
  if (average != Average::kNone) {
    return average_of(row, average, params, session, options.undefined).used;
  }
  if (row.kind == Kind::kBinary) return std::isnan(evaluate(ask, session, options)) ? 0 : 1;
  return row.facts.ordered ? session.full().k : session.kept().k;
}

bool may_leave_out(const Ask& ask) {
  const Average average = average_in(ask);
  return catalogue().row(ask.row).facts.over_classes ||
         (average != Average::kNone && average != Average::kMicro);
}

std::vector<std::int64_t> left_out(const Ask& ask, const Table& table, const Options& options) {
  if (!may_leave_out(ask)) return {};
  Session session(table, options);
  Margins& of = session.averaged();
  const Row& row = catalogue().row(ask.row);
  const Average average = average_in(ask);
  std::vector<std::int64_t> out;
  if (is_refused(ask, session)) return out;
  const auto add = [&](std::int64_t at) { out.push_back(of.kept()[static_cast<std::size_t>(at)]); };
  if (options.undefined && !std::isnan(*options.undefined)) return out;
  if (row.facts.over_classes) {
    for (std::int64_t i = 0; i < of.k; ++i) {
      const auto at = static_cast<std::size_t>(i);
      if (of.row[at] == 0.0 || of.col[at] == 0.0) add(i);
    }
    return out;
  }
  const double* params = params_of(ask).data();
  const Row& base = row.kind == Kind::kAveraged ? catalogue().base(row) : row;
  if (average == Average::kOvo) return undefined_in_pairs(base, params, session);
  std::vector<double> values(static_cast<std::size_t>(of.k));
  column_of_row(base, params, of, 0, of.k, values.data());
  for (std::int64_t i = 0; i < of.k; ++i) {
    if (session.counts(i) && std::isnan(values[static_cast<std::size_t>(i)])) add(i);
  }
  return out;
}

}  // namespace confmat::metrics
