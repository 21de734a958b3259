// Sweeps of groups as Binary columns: made, and their metrics.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <string>

#include "confmat/base/error.hpp"
#include "confmat/evaluate/score_state.hpp"
#include "plugin/binary_column.hpp"
#include "plugin/label_column.hpp"
#include "plugin/metric_struct.hpp"
#include "plugin/rows.hpp"
#include "plugin/score_functions.hpp"
#include "plugin/score_lists.hpp"

namespace confmat::plugin {
namespace {

Buffer words(std::int64_t rows) {
  Buffer out(static_cast<std::size_t>(rows) * 8);
  std::fill_n(out.as<double>(), rows, std::nan(""));
  return out;
}

// The bounds of the area under the ROC curve, and whether it is exact.
class Bounds {
 public:
  explicit Bounds(std::int64_t rows)
      : rows_(rows), low_(words(rows)), high_(words(rows)), exact_(words((rows + 63) / 64)) {
    std::memset(exact_.as<std::uint8_t>(), 0, static_cast<std::size_t>((rows + 63) / 64) * 8);
  }
  void set(std::int64_t row, double area, double error, bool is_exact) {
    low_.as<double>()[row] = std::max(area - error, 0.0);  // nan stays nan
    high_.as<double>()[row] = std::min(area + error, 1.0);
    if (is_exact) exact_.as<std::uint8_t>()[row / 8] |= static_cast<std::uint8_t>(1U << (row % 8));
  }
  // Behind the metrics, before the reasons of the request.
  void put(Array& out, bool before_last) {
    std::vector<Array> columns;
    columns.push_back(nullable_doubles(rows_, std::move(low_)));
    columns.push_back(nullable_doubles(rows_, std::move(high_)));
    Array exact{.length = rows_, .null_count = 0, .buffers = {}};
    exact.buffers.emplace_back();
    exact.buffers.push_back(std::move(exact_));
    columns.push_back(std::move(exact));
    out.children.insert(out.children.end() - (before_last ? 1 : 0),
                        std::make_move_iterator(columns.begin()),
                        std::make_move_iterator(columns.end()));
  }

 private:
  std::int64_t rows_;
  Buffer low_, high_, exact_;
};

// The lowest and the highest label of each group; a column of one row stands for all groups.
std::vector<GroupLabels> seen_labels(const Inputs& inputs, std::int64_t groups) {
  std::vector<GroupLabels> out(static_cast<std::size_t>(groups));
  std::vector<std::int64_t> values;
  for (std::size_t end = 0; end < 2; ++end) {
    const LabelColumn labels(inputs, end + 1, end + 1, Labelling::kNamed, "y_true");
    const Chunks chunks[] = {labels.chunks()};
    const std::int64_t rows = inputs.length(end + 1);
    if (rows != groups && rows != 1) {
      throw InputError("`y_true` has " + std::to_string(rows) + " rows, wanted " +
                       std::to_string(groups));
    }
    for_each_run(chunks, groups, [&](std::int64_t start, const std::vector<Column>& run) {
      const Column& column = run[0];
      const bool is_text = column.type == DType::kText || column.type == DType::kDictionary;
      const std::int64_t n = column.length == 1 ? groups - start : column.length;
      if (!is_text) read_numbers(column, n, values);
      for (std::int64_t i = 0; i < n; ++i) {
        GroupLabels& seen = out[static_cast<std::size_t>(start + i)];
        seen.kind = is_text                           ? Labels::Kind::kText
                    : column.type == DType::kBoolBits ? Labels::Kind::kBool
                                                      : Labels::Kind::kInt;
        const std::int64_t at = column.length == 1 ? 0 : i;
        if (!column.valid(at)) continue;
        std::string_view text;
        const Place place{.argument = "y_true", .first_row = start, .unit = "group"};
        if (!is_text) {
          seen.ints[end] = values[static_cast<std::size_t>(i)];
        } else if (read_text(column, at, place, text)) {
          seen.texts[end] = text;
        }
      }
    });
  }
  return out;
}

}  // namespace

Type score_state_type(Fields fields, const Spec& /*spec*/) {
  return {"vz", fields.empty() ? "" : fields[0].name};
}

Result score_state(const Inputs& inputs, const Spec& spec) {
  const ListInput input = read_lists(inputs, spec.weighted ? 4 : 3);
  const std::vector<GroupLabels> seen = seen_labels(inputs, input.length);
  const bool whole_weights = spec.weighted && are_integers(inputs.schema(3));
  BinaryViews states(static_cast<std::size_t>(input.length));
  for_each_score_group(input, spec, [&] {
    return [&](std::int64_t row, ScoreGroup& group) {
      const auto at = static_cast<std::size_t>(row);
      const metrics::SweepView& sweep = group.sweep();
      states.put(at, encode(state_of(group, sweep, spec.bins, seen[at], whole_weights)));
    };
  });
  return {score_state_type({&inputs.schema(0), 1}, spec), binaries(std::move(states))};
}

Type score_state_metrics_type(Fields fields, const Spec& spec) {
  Type type = metric_struct_type(fields.empty() ? "" : fields[0].name, {spec, true});
  const auto end = type.children.end() - (spec.reasons ? 1 : 0);
  type.children.insert(end, {{"g", "roc_auc_lo"}, {"g", "roc_auc_hi"}, {"b", "is_exact"}});
  OtherStates::add_field(type, spec);
  return type;
}

Result score_state_metrics(const Inputs& inputs, const Spec& spec) {
  const std::int64_t rows = rows_of_states(inputs);
  const std::vector<metrics::ScoreAsk> area = {metrics::parse_score("roc_auc")};
  MetricStruct out({spec, true}, rows);
  Bounds bounds(rows);
  std::vector<double> values(spec.score_asks.size());
  std::vector<std::string> reasons(spec.score_asks.size());
  for (std::int64_t row = 0; row < rows; ++row) out.set_null(row);
  OtherStates others(spec, rows, "scores");
  for_each_state(inputs, [&](std::int64_t row, Bytes bytes) {
    const StateKind kind = kind_of(bytes);
    if (kind != StateKind::kCurve && kind != StateKind::kBins) return others.take(row, kind, bytes);
    const Sweep sweep = decode_sweep(bytes);
    const ScoreView view(sweep);
    score_values(spec, sweep, view, values.data());
    if (spec.reasons) score_reasons(spec, view.view(), values.data(), reasons.data());
    out.set(row, {.n = 0, .weight = total(sweep), .n_dropped = sweep.rows.dropped + sweep.rows.nan},
            values, reasons);
    double auc = 0;
    metrics::score_values(area, view.view(), 1, &auc);
    bounds.set(row, auc, auc_error(sweep), sweep.is_exact);
  });
  Array array = out.take();
  bounds.put(array, spec.reasons);
  others.put(array);
  return {score_state_metrics_type({&inputs.schema(0), 1}, spec), std::move(array)};
}

}  // namespace confmat::plugin
