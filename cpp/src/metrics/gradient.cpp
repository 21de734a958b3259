// From the slopes of formulas to those of what is asked for: chains through classes, averages and
// pairs of rows.
#include "confmat/metrics/gradient.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "confmat/base/interrupt.hpp"
#include "nan.hpp"
#include "params.hpp"

namespace confmat::metrics {
namespace {

// What formulas of one class give for `count` classes from `first` on.
std::vector<ClassSlope> class_slopes(const Row& row, const double* params, Margins& of,
                                     std::int64_t first, std::int64_t count) {
  std::vector<ClassSlope> out(static_cast<std::size_t>(count));
  row.class_slopes(of.columns().from(first), out.size(), params, out.data());
  return out;
}

// A mean of values with slopes `by(i, factor)` each, over those that count.
struct Member {
  std::size_t at;
  double value;
};

// The slopes of an average in each of its parts.
std::vector<double> factors(const std::vector<Member>& parts, double exponent) {
  std::vector<double> out(parts.size()), values;
  for (const Member& part : parts) values.push_back(part.value);
  const auto used = static_cast<double>(parts.size());
  const double mean =
      exponent == 1.0 || parts.empty() ? kNan : power_mean(exponent, values.data(), values.size());
  double sharing = 1.0;
  if (std::isinf(exponent)) {
    sharing = static_cast<double>(std::ranges::count(values, mean));
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] =
        exponent == 1.0 ? 1.0 / used : power_mean_slope(exponent, mean, values[i], used) / sharing;
  }
  return out;
}

void add_weighted(const std::vector<ClassSlope>& values, const Session& session, const Margins& of,
                  std::optional<double> undefined, CellSlopes& out) {
  double weight = 0.0, total = 0.0;
  const auto filled = [&](std::size_t i) {
    const double value = values[i].value;
    return std::isnan(value) ? undefined.value_or(value) : value;
  };
  const auto counts = [&](std::size_t i) {
    return session.counts(static_cast<std::int64_t>(i)) && !std::isnan(filled(i)) &&
           of.row[i] > 0.0;
  };
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!counts(i)) continue;
    weight += of.row[i];
    total += of.row[i] * filled(i);
  }
  const double mean = total / weight;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!counts(i)) continue;
    out.by.row[i] += (filled(i) - mean) / weight;
    if (!std::isnan(values[i].value)) out.add(i, values[i], of.row[i] / weight);
  }
}

void add_micro(const Row& row, const double* params, const Session& session, Margins& of,
               CellSlopes& out) {
  double sums[4] = {};
  const Columns<double> c = of.columns();
  for (std::int64_t i = 0; i < of.k; ++i) {
    if (!session.counts(i)) continue;
    sums[0] += c.tp[i];
    sums[1] += c.fp[i];
    sums[2] += c.fn[i];
    sums[3] += c.tn[i];
  }
  ClassSlope value;
  row.class_slopes({&sums[0], &sums[1], &sums[2], &sums[3]}, 1, params, &value);
  for (std::int64_t i = 0; i < of.k; ++i) {
    if (session.counts(i)) out.add(static_cast<std::size_t>(i), value, 1.0);
  }
}

// Of ordered pairs of classes, each a table of two.
void add_one_vs_one(const Row& row, const double* params, const Session& session, Margins& of,
                    std::optional<double> undefined, CellSlopes& out) {
  constexpr std::size_t kLines = 8;  // of doubles that share a line of the cache in a column
  const std::size_t k = of.row.size();
  const double* cell = of.cells();
  std::vector<double> tp(k), fp(kLines * k);
  std::vector<ClassSlope> lines(kLines * k);
  std::vector<double>& cells = out.cells();
  const auto counts = [&](std::size_t i) { return session.counts(static_cast<std::int64_t>(i)); };
  const bool is_filled = undefined && !std::isnan(*undefined);
  double used = 0.0;
  for (std::size_t first = 0; first < k; first += kLines) {
    obey_between_rows(k);
    const std::size_t last = std::min(first + kLines, k);
    for (std::size_t j = 0; j < k; ++j) {
      for (std::size_t i = first; i < last; ++i) fp[(i - first) * k + j] = cell[j * k + i];
    }
    for (std::size_t i = first; i < last; ++i) {
      std::ranges::fill(tp, of.diag[i]);
      const std::size_t line = (i - first) * k;
      row.class_slopes({tp.data(), fp.data() + line, cell + i * k, of.diag.data()}, k, params,
                       lines.data() + line);
    }
    for (std::size_t j = 0; j < k; ++j) {
      for (std::size_t i = first; i < last; ++i) {
        if (i == j || !counts(i) || !counts(j)) continue;
        const ClassSlope& value = lines[(i - first) * k + j];
        // No jump: which pairs have a value is as good as random.
        const bool is_defined = !std::isnan(value.value);
        used += is_defined || is_filled;
        const auto slope = [&](std::size_t by) { return is_defined ? value.slopes[by] : 0.0; };
        out.by.diag[i] += slope(0);
        cells[j * k + i] += slope(1);
        cells[i * k + j] += slope(2);
        out.by.diag[j] += slope(3);
      }
    }
  }
  for (double& slope : out.by.diag) slope /= used;
  for (double& slope : cells) slope /= used;
}

void add_average(const Row& row, Average average, const double* params, Session& session,
                 std::optional<double> undefined, CellSlopes& out) {
  Margins& of = session.averaged();
  if (average == Average::kMicro) return add_micro(row, params, session, of, out);
  if (average == Average::kOvo) return add_one_vs_one(row, params, session, of, undefined, out);
  const std::vector<ClassSlope> values = class_slopes(row, params, of, 0, of.k);
  if (average == Average::kWeighted) return add_weighted(values, session, of, undefined, out);
  std::vector<Member> parts;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!session.counts(static_cast<std::int64_t>(i))) continue;
    double value = values[i].value;
    if (std::isnan(value)) value = undefined.value_or(value);
    if (!std::isnan(value)) parts.push_back({i, value});
  }
  const std::vector<double> by = factors(parts, exponent_of(row, average, params));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const ClassSlope& value = values[parts[i].at];
    if (!std::isnan(value.value)) out.add(parts[i].at, value, by[i]);
  }
}

// Of 2 tp = sum of c^2 - n and its like, of pairs of rows.
void add_pairs(const Row& row, const double* params, Margins& of, CellSlopes& out) {
  const PairTable pairs = pair_table(of);
  const double* c = pairs.real;
  ClassSlope value;
  row.class_slopes({c, c + 2, c + 1, c + 3}, 1, params, &value);
  const auto [tp, fp, fn, tn] = value.slopes;
  const double single = 1.0 / of.scale;
  const std::size_t k = of.row.size();
  const double* cell = of.cells();
  std::vector<double>& cells = out.cells();
  for (std::size_t at = 0; at < k * k; ++at) cells[at] += (tp - fn - fp + tn) * cell[at];
  for (std::size_t i = 0; i < k; ++i) {
    out.by.row[i] += (fn - tn) * of.row[i];
    out.by.col[i] += (fp - tn) * of.col[i];
  }
  out.n += tn * of.n - tp * single / 2;
}

void add_whole(const Row& row, const double* params, Margins& of, std::optional<double> undefined,
               CellSlopes& out) {
  if (of.k == 2 && row.class_slopes != nullptr) {
    out.add(0, class_slopes(row, params, of, 0, 1)[0], 1.0);
    return;
  }
  GradientView view(of);
  view.undefined = undefined;
  const Slope value = row.whole_slope(view, params);
  if (std::isnan(value.value)) {
    out.n = kNan;
    return;
  }
  out.n += value.slopes[kAxisN];
  const double trace = value.slopes[kAxisTrace];
  for (double& slope : out.by.diag) slope += trace;
  for (std::size_t s = 0; s < view.sums.size(); ++s) {
    const TableSlopes& sum = *view.sums[s];
    const double factor = value.slopes[kAxisSum + s];
    const auto add = [factor](std::vector<double>& to, const std::vector<double>& from) {
      for (std::size_t i = 0; i < from.size(); ++i) to[i] += factor * from[i];
    };
    add(out.by.row, sum.row);
    add(out.by.col, sum.col);
    add(out.by.diag, sum.diag);
    if (!sum.cells.empty()) add(out.cells(), sum.cells);
  }
  for (const auto* part : {&out.by.row, &out.by.col, &out.by.diag, &out.by.cells}) {
    if (std::ranges::any_of(*part, [](double slope) { return std::isnan(slope); }))
      out.has_gaps = true;
  }
}

Margins& view_of(const Ask& ask, const Row& row, Session& session) {
  const auto average = static_cast<Average>(ask.average);
  switch (row.kind) {
    case Kind::kBinary:
      return average == Average::kNone ? session.full() : session.averaged();
    case Kind::kOverall:
      return row.facts.ordered        ? session.full()
             : row.facts.over_classes ? session.averaged()
                                      : session.kept();
    case Kind::kPairs:
      return session.kept();
    case Kind::kAveraged:
      return session.averaged();
  }
  return session.full();
}

}  // namespace

bool has_gradient(const Ask& ask, Session& session) {
  return !session.full().is_sparse() && !is_refused(ask, session);
}

CellSlopes cell_slopes(const Ask& ask, Session& session, const Options& options, double value) {
  const Row& row = catalogue().row(ask.row);
  const double* params = params_of(ask).data();
  const auto average = static_cast<Average>(ask.average);
  Margins& of = view_of(ask, row, session);
  CellSlopes out(of, session.full());
  out.is_known = !std::isnan(value);
  if (!out.is_known) return out;
  switch (row.kind) {
    case Kind::kBinary:
      if (average != Average::kNone) {
        add_average(row, average, params, session, options.undefined, out);
      } else {
        out.add(static_cast<std::size_t>(options.pos),
                class_slopes(row, params, of, options.pos, 1)[0], 1.0);
        if (!row.facts.scale) out.factor = 1.0;
      }
      break;
    case Kind::kOverall:
      add_whole(row, params, of, options.undefined, out);
      break;
    case Kind::kPairs:
      add_pairs(row, params, of, out);
      break;
    case Kind::kAveraged: {
      const Row& base = catalogue().base(row);
      const Averaged mean = average_of(base, row.average, params, session, options.undefined);
      add_average(base, row.average, params, session, options.undefined, out);
      if (row.post_slope != nullptr) {
        const auto used = static_cast<double>(mean.used);
        out.factor *= row.post_slope(Dual<1>::variable(mean.value, 0), used).slopes[0];
      }
      break;
    }
  }
  return out;
}

void gradient(const Ask& ask, Session& session, const Options& options, std::vector<double>& out) {
  const auto size = static_cast<std::size_t>(session.full().k);
  const CellSlopes slopes = cell_slopes(ask, session, options, evaluate(ask, session, options));
  out.resize(size * size);
  for (std::size_t i = 0; i < size; ++i) slopes.load_line(i, out.data() + i * size);
}

}  // namespace confmat::metrics
