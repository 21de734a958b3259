// Sweeps of groups as Binary columns: made, and their metrics.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

#include "confmat/base/error.hpp"
#include "confmat/evaluate/score_state.hpp"
#include "plugin/binary_column.hpp"
#include "plugin/label_column.hpp"
#include "plugin/rows.hpp"
#include "plugin/score_functions.hpp"
#include "plugin/score_lists.hpp"

namespace confmat::plugin {
namespace {

// One bit a row.
Array booleans(std::int64_t rows, const std::vector<std::uint8_t>& bits) {
  Array out{.length = rows, .null_count = 0, .buffers = {}};
  out.buffers.emplace_back();
  out.buffers.emplace_back(bits.size());
  if (!bits.empty()) std::memcpy(out.buffers[1].as<std::uint8_t>(), bits.data(), bits.size());
  return out;
}

Buffer words(std::int64_t rows) { return Buffer(static_cast<std::size_t>(rows) * 8); }

bool are_integers(const ArrowSchema& field) {
  constexpr std::string_view kIntegers = "bcCsSiIlL";
  const std::string_view format = field.format;
  return format.size() == 1 && kIntegers.find(format) != std::string_view::npos;
}

// The lowest and the highest label of each group; a column of one row stands for all groups.
std::vector<GroupLabels> seen_labels(const Inputs& inputs, std::int64_t groups) {
  std::vector<GroupLabels> out(static_cast<std::size_t>(groups));
  std::vector<std::int64_t> values;
  for (std::size_t end = 0; end < 2; ++end) {
    const LabelColumn labels(inputs, end + 1, "y_true");
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

Type score_state_type(Fields fields, const ScoreSpec& /*spec*/) {
  return {"vz", fields.empty() ? "" : fields[0].name};
}

Result score_state(const Inputs& inputs, const ScoreSpec& spec) {
  const ListInput input = read_lists(inputs, spec.weighted ? 4 : 3);
  const std::vector<GroupLabels> seen = seen_labels(inputs, input.length);
  const bool whole_weights = spec.weighted && are_integers(inputs.schema(3));
  States states(static_cast<std::size_t>(input.length));
  for_each_score_group(input, spec, [&] {
    return [&](std::int64_t row, ScoreGroup& group) {
      const auto at = static_cast<std::size_t>(row);
      const metrics::SweepView& sweep = group.sweep();
      states[at] = encode(state_of(group, sweep, spec.bins, seen[at], whole_weights));
    };
  });
  return {score_state_type({&inputs.schema(0), 1}, spec), binaries(states)};
}

Type score_state_metrics_type(Fields fields, const ScoreSpec& spec) {
  Type type{"+s", fields.empty() ? "" : fields[0].name};
  type.children = {{"g", "n"}, {"L", "n_dropped"}};
  for (const auto& ask : spec.asks) type.children.push_back({"g", ask.name});
  type.children.push_back({"g", "roc_auc_lo"});
  type.children.push_back({"g", "roc_auc_hi"});
  type.children.push_back({"b", "is_exact"});
  return type;
}

Result score_state_metrics(const Inputs& inputs, const ScoreSpec& spec) {
  const std::int64_t rows = inputs.length(0);
  std::vector<metrics::ScoreAsk> asks = spec.asks;
  asks.push_back(metrics::parse_score("roc_auc"));  // the last one: for its bounds
  Buffer dropped = words(rows);
  std::vector<std::uint8_t> exact(static_cast<std::size_t>(rows + 7) / 8);
  std::vector<Buffer> columns;  // n, the metrics, both bounds
  columns.reserve(spec.asks.size() + 3);
  for (std::size_t i = 0; i < spec.asks.size() + 3; ++i) columns.push_back(words(rows));
  std::vector<double> values(asks.size());
  for (std::int64_t row = 0; row < rows; ++row) {
    for (const Buffer& to : columns) to.as<double>()[row] = std::nan("");
    dropped.as<std::int64_t>()[row] = 0;
  }
  for_each_state(inputs, [&](std::int64_t row, Bytes bytes) {
    if (kind_of(bytes) == StateKind::kCounts) {
      throw InputError("a state of classes: name metrics of classes, such as \"mcc\"");
    }
    const Sweep sweep = decode_sweep(bytes);
    metrics::score_values(asks, ScoreView(sweep).view(), 1, values.data());
    const double area = values.back();
    const double error = auc_error(sweep);
    columns[0].as<double>()[row] = total(sweep);
    dropped.as<std::int64_t>()[row] = sweep.rows.dropped + sweep.rows.nan;
    if (sweep.is_exact) {
      exact[static_cast<std::size_t>(row) / 8] |= static_cast<std::uint8_t>(1U << (row % 8));
    }
    const std::size_t n = spec.asks.size();
    for (std::size_t m = 0; m < n; ++m) columns[m + 1].as<double>()[row] = values[m];
    columns[n + 1].as<double>()[row] = std::max(area - error, 0.0);  // nan stays nan
    columns[n + 2].as<double>()[row] = std::min(area + error, 1.0);
  });
  Array out{.length = rows, .null_count = 0, .buffers = {}};
  out.buffers.emplace_back();
  out.children.push_back(nullable_doubles(rows, std::move(columns[0])));
  out.children.push_back(primitive(rows, std::move(dropped)));
  for (std::size_t i = 1; i < columns.size(); ++i) {
    out.children.push_back(nullable_doubles(rows, std::move(columns[i])));
  }
  out.children.push_back(booleans(rows, exact));
  return {score_state_metrics_type({&inputs.schema(0), 1}, spec), std::move(out)};
}

}  // namespace confmat::plugin
