// reason(): why a value is undefined, or a degenerate 0.
#include <cmath>
#include <string>

#include "confmat/metrics/evaluate.hpp"
#include "confmat/metrics/reading.hpp"
#include "params.hpp"

namespace confmat::metrics {
namespace {

std::string label_of(std::span<const std::string> labels, std::int64_t at) {
  const auto index = static_cast<std::size_t>(at);
  return index < labels.size() ? labels[index] : std::to_string(at);
}

using Numbers = std::span<const double>;

std::string zero_of_cells(const Row& row, const Written& formula, const double (&cells)[4],
                          Numbers params) {
  const ParamScope scope(row.facts);
  const Trace trace;
  const Text root = formula();
  Reading reading(trace, nullptr, params);
  if (row.facts.own) reading.require_finite();
  reading.set(Slot::kTp, cells[0]);
  reading.set(Slot::kFp, cells[1]);
  reading.set(Slot::kFn, cells[2]);
  reading.set(Slot::kTn, cells[3]);
  reading.read(root.id);
  if (!reading.zero().empty()) return reading.zero();
  return row.facts.undefined.empty() ? "0 / 0" : std::string(row.facts.undefined);
}

std::string zero_of_class(const Row& row, const Written& formula, Margins& of, std::int64_t at,
                          Numbers params) {
  const Columns<double> c = of.columns().from(at);
  return zero_of_cells(row, formula, {*c.tp, *c.fp, *c.fn, *c.tn}, params);
}

std::string of_class(const Margins& of, std::int64_t at, std::span<const std::string> labels) {
  std::string out = "class ";
  out += label_of(labels, of.kept()[static_cast<std::size_t>(at)]);
  return out += ": ";
}

std::string class_reason(const Row& row, Margins& of, std::int64_t at, Numbers params,
                         std::span<const std::string> labels) {
  if (at < 0 || at >= of.k) return "there is no positive class";
  return of_class(of, at, labels) + zero_of_class(row, row.text, of, at, params);
}

std::string average_reason(const Row& row, Average average, Session& session, Numbers params,
                           std::span<const std::string> labels) {
  Margins& of = session.averaged();
  if (average == Average::kMicro) {
    const Columns<double> c = of.columns();
    double sums[4] = {};
    for (std::int64_t i = 0; i < of.k; ++i) {
      if (!session.counts(i)) continue;
      sums[0] += c.tp[i];
      sums[1] += c.fp[i];
      sums[2] += c.fn[i];
      sums[3] += c.tn[i];
    }
    return (session.chooses() ? "these classes together: " : "all classes together: ") +
           zero_of_cells(row, row.text, sums, params);
  }
  if (average == Average::kOvo && of.k < 2) return "there is no pair of classes";
  if (average == Average::kOvo) return "no pair of classes has a value";
  std::string out;
  bool any = false;
  bool is_one_defined = false;
  for (std::int64_t i = 0; i < of.k; ++i) {
    if (!session.counts(i)) continue;
    any = true;
    double value = 0.0;
    column_of_row(row, params.data(), of, i, 1, &value);
    if (!std::isnan(value)) {
      is_one_defined = true;
    } else if (out.empty()) {
      out = class_reason(row, of, i, params, labels);
    }
  }
  if (!any) return "none of these classes occurs";
  // Only a weighted mean lacks a value then.
  if (is_one_defined) return "no class with a value is ever true; " + out;
  return "no class has a value; " + out;
}

std::string degenerate_reason(const Margins& of, std::span<const std::string> labels) {
  const auto index = static_cast<std::size_t>(of.degenerate());
  std::string out = "degenerate class ";
  out += label_of(labels, of.kept()[index]);
  if (of.row[index] == 0.0 && of.col[index] == 0.0) return out + ": absent from both sides";
  return out + (of.row[index] == 0.0 ? ": never true" : ": never predicted");
}

std::string overall_reason(const Row& row, Margins& of, Numbers params,
                           std::span<const std::string> labels) {
  if (of.k < row.facts.min_classes) return "fewer than two classes";
  if (of.k == 2 && row.text_two != nullptr) {
    return of_class(of, 0, labels) + zero_of_class(row, row.text_two, of, 0, params);
  }
  if (of.k == 2 && row.facts.degenerate) return degenerate_reason(of, labels);
  const ParamScope scope(row.facts);
  const Trace trace;
  const Text root = row.text();
  Reading reading(trace, &of, params);
  reading.read(root.id);
  if (!reading.zero().empty()) return reading.zero();
  return row.facts.undefined.empty() ? "0 / 0" : std::string(row.facts.undefined);
}

// A value that is a number has a reason only where it replaces an undefined one, or is that of a
// singular matrix.
bool may_have_reason(const Ask& ask, const Options& options, double value) {
  const bool degenerate = catalogue().row(ask.row).facts.degenerate;
  return std::isnan(value) || options.undefined || (degenerate && !(std::fabs(value) > 0.0)) ||
         (degenerate && std::isinf(value));
}

std::string reason_in(const Ask& ask, Session& session, const Options& asked,
                      std::span<const std::string> labels) {
  const Row& row = catalogue().row(ask.row);
  const Numbers params = params_of(ask);
  const auto average = static_cast<Average>(ask.average);
  Margins& of = row.facts.ordered        ? session.full()
                : row.facts.over_classes ? session.averaged()
                                         : session.kept();
  if (!std::isfinite(session.full().n)) return "the cells are not finite numbers";
  if (is_refused(ask, session)) return refusal_in(ask, session);
  if (is_beyond_scale(row, session)) {
    return "weights that sum to more than 2^200 or less than 2^-200 are for metrics that stay the "
           "same where all weights are multiplied";
  }
  const bool undefined = std::isnan(evaluate(ask, session, asked));
  if (!undefined) {
    if (!row.facts.degenerate) return "";
    if (of.k > 2 && of.degenerate() >= 0) return degenerate_reason(of, labels);
    const bool mean = !row.facts.params.empty();
    const bool hidden = mean ? of.power_det(params[0]).hidden : of.k > 2 && of.det().hidden;
    return hidden ? "singular to working precision" : "";
  }
  if (!(of.n > 0.0)) return "there are no rows";
  switch (row.kind) {
    case Kind::kBinary:
      if (average != Average::kNone) return average_reason(row, average, session, params, labels);
      return class_reason(row, session.full(), asked.pos, params, labels);
    case Kind::kAveraged: {
      const Row& base = catalogue().base(row);
      if (average_of(base, row.average, params.data(), session, {}).used > 0) {
        return "fewer than two classes have a value";
      }
      return average_reason(base, Average::kMacro, session, params, labels);
    }
    case Kind::kPairs: {
      const PairTable p = pair_table(of);
      for (const double count : p.real) {
        if (!(count >= 0.0)) return "the weights are too small to be counts of rows";
      }
      return "pairs of rows: " +
             zero_of_cells(row, row.text, {p.real[0], p.real[2], p.real[1], p.real[3]}, params);
    }
    case Kind::kOverall:
      return overall_reason(row, of, params, labels);
  }
  return "";
}

Options without_stand_in(Options options) {
  options.undefined.reset();
  return options;
}

}  // namespace

std::string reason(const Ask& ask, const Table& table, const Options& options,
                   std::span<const std::string> labels) {
  const Options asked = without_stand_in(options);
  Session session(table, asked);
  return reason_in(ask, session, asked, labels);
}

bool may_have_reasons(std::span<const Ask> asks, const Options& options, const double* values) {
  for (std::size_t i = 0; i < asks.size(); ++i) {
    if (may_have_reason(asks[i], options, values[i])) return true;
  }
  return false;
}

static void load_reasons(std::span<const Ask> asks, Session& session, const Options& options,
                         std::span<const std::string> labels, const double* values,
                         std::string* out) {
  const Options asked = without_stand_in(options);
  for (std::size_t i = 0; i < asks.size(); ++i) {
    if (may_have_reason(asks[i], options, values[i])) {
      out[i] = reason_in(asks[i], session, asked, labels);
    } else {
      out[i].clear();
    }
  }
}

void reasons(std::span<const Ask> asks, const Table& table, const Options& options,
             std::span<const std::string> labels, const double* values, std::string* out) {
  Session session(table, without_stand_in(options));
  load_reasons(asks, session, options, labels, values, out);
}

void explained(std::span<const Ask> asks, const Table& table, const Options& options,
               std::span<const std::string> labels, double* out, std::string* why) {
  const bool has_ends =
      std::ranges::any_of(asks, [](const Ask& ask) { return ask.part != Part::kValue; });
  if (options.undefined || has_ends) {  // other classes are averaged then
    values(asks, table, options, out);
    return reasons(asks, table, options, labels, out, why);
  }
  Session session(table, options);
  for (std::size_t i = 0; i < asks.size(); ++i) out[i] = evaluate(asks[i], session, options);
  load_reasons(asks, session, options, labels, out, why);
}

}  // namespace confmat::metrics
