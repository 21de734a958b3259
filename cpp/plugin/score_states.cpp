// Binned sweeps of groups as Binary columns: made, merged, and read.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

#include "confmat/base/error.hpp"
#include "confmat/evaluate/score_state.hpp"
#include "plugin/score_functions.hpp"
#include "plugin/score_lists.hpp"

namespace confmat::plugin {
namespace {

using States = std::vector<std::vector<std::uint8_t>>;

// Byte strings longer than 12, one buffer each a GiB, as their offsets have 32 bits; empty ones,
// for nulls, are views of zeros, as those that read the column check.
Array binaries(const States& states) {
  struct View {
    std::uint32_t length, head, blob, offset;
  };
  constexpr std::size_t kMost = std::size_t{1} << 30;
  Array out{.length = static_cast<std::int64_t>(states.size()), .null_count = 0, .buffers = {}};
  out.buffers.emplace_back();
  out.buffers.emplace_back(states.size() * sizeof(View));
  std::vector<std::vector<std::uint8_t>> blobs(1);
  for (std::size_t i = 0; i < states.size(); ++i) {
    View& view = out.buffers[1].as<View>()[i];
    view = {};
    if (states[i].empty()) continue;
    if (blobs.back().size() + states[i].size() > kMost) blobs.emplace_back();
    view = {static_cast<std::uint32_t>(states[i].size()), 0,
            static_cast<std::uint32_t>(blobs.size() - 1),
            static_cast<std::uint32_t>(blobs.back().size())};
    std::memcpy(&view.head, states[i].data(), sizeof(view.head));
    blobs.back().insert(blobs.back().end(), states[i].begin(), states[i].end());
  }
  Buffer sizes(blobs.size() * sizeof(std::int64_t));
  for (std::size_t i = 0; i < blobs.size(); ++i) {
    sizes.as<std::int64_t>()[i] = static_cast<std::int64_t>(blobs[i].size());
    out.buffers.emplace_back(blobs[i].size());
    if (!blobs[i].empty()) {
      std::memcpy(out.buffers.back().as<std::uint8_t>(), blobs[i].data(), blobs[i].size());
    }
  }
  out.buffers.push_back(std::move(sizes));
  return out;
}

// One bit a row.
Array booleans(std::int64_t rows, const std::vector<std::uint8_t>& bits) {
  Array out{.length = rows, .null_count = 0, .buffers = {}};
  out.buffers.emplace_back();
  out.buffers.emplace_back(bits.size());
  if (!bits.empty()) std::memcpy(out.buffers[1].as<std::uint8_t>(), bits.data(), bits.size());
  return out;
}

Buffer words(std::int64_t rows) { return Buffer(static_cast<std::size_t>(rows) * 8); }

}  // namespace

Type binned_sweep_type(Fields fields, const ScoreSpec& /*spec*/) {
  return {"vz", fields.empty() ? "" : fields[0].name};
}

Result binned_sweep(const Inputs& inputs, const ScoreSpec& spec) {
  if (!spec.bins) throw StateError("the bins are missing");
  const ListInput input = read_lists(inputs);
  States states(static_cast<std::size_t>(input.length));
  for_each_score_group(input, spec, [&] {
    return [&, bins = BinnedScores()](std::int64_t row, ScoreGroup& group) mutable {
      const metrics::SweepView& sweep = group.sweep();
      bins.assign(sweep, group.n_dropped(), *spec.bins);
      states[static_cast<std::size_t>(row)] = bins.bytes();
    };
  });
  return {binned_sweep_type({&inputs.schema(0), 1}, spec), binaries(states)};
}

Type merge_binned_type(Fields fields, const ScoreSpec& /*spec*/) {
  return {"vz", fields.empty() ? "" : fields[0].name};
}

Result merge_binned(const Inputs& inputs, const ScoreSpec& spec) {
  const ListInput input = read_lists(inputs);
  if (input.format != "vz") throw InputError("the lists do not hold binned sweeps");
  States states(static_cast<std::size_t>(input.length));
  BinnedScores bins;
  std::vector<std::string_view> parts;
  std::vector<std::uint8_t> validity((states.size() + 7) / 8);
  std::int64_t nulls = 0;
  for (const Lists& lists : input.chunks) {
    ArrowColumns column;
    column.add_binary(*lists.elements);
    for (std::int64_t i = 0; i < lists.array->length; ++i) {
      const auto at = static_cast<std::size_t>(lists.first_row + i);
      const auto [begin, end] = lists.range(i);
      parts.clear();
      for (std::int64_t row = begin; row < end; ++row) {
        if (column.front().valid(row)) parts.push_back(column.front().text(row));
      }
      if (parts.empty()) {
        ++nulls;
        continue;
      }
      bins.merge(parts);
      states[at] = bins.bytes();
      validity[at / 8] |= static_cast<std::uint8_t>(1U << (at % 8));
    }
  }
  Array out = binaries(states);
  out.null_count = nulls;
  if (nulls > 0) {
    out.buffers[0] = Buffer(validity.size());
    std::memcpy(out.buffers[0].as<std::uint8_t>(), validity.data(), validity.size());
  }
  return {merge_binned_type({&inputs.schema(0), 1}, spec), std::move(out)};
}

Type binned_metrics_type(Fields fields, const ScoreSpec& spec) {
  Type type{"+s", fields.empty() ? "" : fields[0].name};
  type.children = {{"g", "n"}, {"L", "n_dropped"}};
  for (const auto& ask : spec.asks) type.children.push_back({"g", ask.name});
  type.children.push_back({"g", "roc_auc_lo"});
  type.children.push_back({"g", "roc_auc_hi"});
  type.children.push_back({"b", "is_exact"});
  return type;
}

Result binned_metrics(const Inputs& inputs, const ScoreSpec& spec) {
  if (inputs.size() != 1 || std::string_view(inputs.schema(0).format) != "vz") {
    throw InputError("the expression takes one Binary column of binned sweeps");
  }
  const std::int64_t rows = inputs.length(0);
  std::vector<metrics::ScoreAsk> asks = spec.asks;
  asks.push_back(metrics::parse_score("roc_auc"));  // the last one: for its bounds
  Buffer dropped = words(rows);
  std::vector<std::uint8_t> exact(static_cast<std::size_t>(rows + 7) / 8);
  std::vector<Buffer> columns;  // n, the metrics, both bounds
  columns.reserve(spec.asks.size() + 3);
  for (std::size_t i = 0; i < spec.asks.size() + 3; ++i) columns.push_back(words(rows));
  std::vector<double> values(asks.size());
  BinnedScores bins;
  std::int64_t row = 0;
  for (const ArrowArray* array : inputs.chunks(0)) {
    ArrowColumns column;
    column.add_binary(*array);
    for (std::int64_t i = 0; i < array->length; ++i, ++row) {
      for (const Buffer& to : columns) to.as<double>()[row] = std::nan("");
      dropped.as<std::int64_t>()[row] = 0;
      if (!column.front().valid(i)) continue;
      bins.read(column.front().text(i));
      metrics::score_values(asks, bins.view(), 1, values.data());
      const double area = values.back();
      const double error = bins.auc_error();
      columns[0].as<double>()[row] = bins.n();
      dropped.as<std::int64_t>()[row] = bins.n_dropped();
      if (bins.is_exact())
        exact[static_cast<std::size_t>(row) / 8] |= static_cast<std::uint8_t>(1U << (row % 8));
      const std::size_t n = spec.asks.size();
      for (std::size_t m = 0; m < n; ++m) columns[m + 1].as<double>()[row] = values[m];
      columns[n + 1].as<double>()[row] = std::max(area - error, 0.0);  // nan stays nan
      columns[n + 2].as<double>()[row] = std::min(area + error, 1.0);
    }
  }
  Array out{.length = rows, .null_count = 0, .buffers = {}};
  out.buffers.emplace_back();
  out.children.push_back(nullable_doubles(rows, std::move(columns[0])));
  out.children.push_back(primitive(rows, std::move(dropped)));
  for (std::size_t i = 1; i < columns.size(); ++i) {
    out.children.push_back(nullable_doubles(rows, std::move(columns[i])));
  }
  out.children.push_back(booleans(rows, exact));
  return {binned_metrics_type({&inputs.schema(0), 1}, spec), std::move(out)};
}

}  // namespace confmat::plugin
