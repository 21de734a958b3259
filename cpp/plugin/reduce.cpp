// Whole frames as they stream: the state of each batch, and the metrics of their sum.
#include <cstring>

#include "confmat/base/error.hpp"
#include "confmat/evaluate/partial.hpp"
#include "confmat/tally/encode.hpp"
#include "plugin/encode_pairs.hpp"
#include "plugin/functions.hpp"
#include "plugin/metric_struct.hpp"
#include "plugin/rows.hpp"

namespace confmat::plugin {
namespace {

Result one_row(GroupTable&& table, const Spec& spec, const char* name) {
  MetricStruct out(spec, 1);
  auto values = out.scratch();
  GroupEvaluator evaluator(spec);
  const auto totals = evaluator.table(std::move(table), values.data());
  out.set(0, totals, values, evaluator.reasons());
  return {metric_struct_type(name, spec), out.take()};
}

std::vector<std::uint8_t> count_inputs(const Inputs& inputs, const Spec& spec) {
  if (inputs.size() != 2) throw InputError("the expression takes 2 columns");
  const LabelColumn y_true(inputs, 0, "y_true");
  const LabelColumn y_pred(inputs, 1, "y_pred");
  return partial_counts(y_true.chunks(), y_pred.chunks(), spec, 1);
}

}  // namespace

Type partial_type(Fields fields, const Spec& /*spec*/) {
  return {"vz", fields.empty() ? "" : fields[0].name};
}

Result partial(const Inputs& inputs, const Spec& spec) {
  const auto bytes = count_inputs(inputs, spec);
  // One view: its length, the first 4 bytes, blob 0, offset 0.
  Buffer view(16);
  const auto length = static_cast<std::uint32_t>(bytes.size());
  std::memset(view.as<char>(), 0, 16);
  std::memcpy(view.as<char>(), &length, sizeof(length));
  std::memcpy(view.as<char>() + 4, bytes.data(), bytes.size() <= 12 ? bytes.size() : 4);
  Buffer blob(bytes.size());
  std::memcpy(blob.as<char>(), bytes.data(), bytes.size());
  Buffer sizes(sizeof(std::int64_t));
  *sizes.as<std::int64_t>() = static_cast<std::int64_t>(bytes.size());
  Array out = primitive(1, std::move(view));
  out.buffers.push_back(std::move(blob));
  out.buffers.push_back(std::move(sizes));
  return {{"vz", inputs.schema(0).name}, std::move(out)};
}

Type merge_type(Fields fields, const Spec& spec) { return finish_type(fields, spec); }

Result merge(const Inputs& inputs, const Spec& spec) {
  ArrowColumns columns;
  if (inputs.size() != 1 || std::string_view(inputs.schema(0).format) != "vz") {
    throw InputError("the expression takes one Binary column");
  }
  for (const ArrowArray* array : inputs.chunks(0)) columns.add_binary(*array);
  std::vector<std::string_view> parts;
  for (const auto& column : columns.chunks()) {
    for (std::int64_t i = 0; i < column.length; ++i) {
      if (column.valid(i)) parts.push_back(column.text(i));
    }
  }
  return one_row(merge_partials(parts), spec, inputs.schema(0).name);
}

Type per_group_type(Fields fields, const Spec& spec) { return finish_type(fields, spec); }

Result per_group(const Inputs& inputs, const Spec& spec) {
  if (!spec.labels) throw InputError("`labels` is needed here");
  const LabelArgs args = read_label_args(inputs, false);
  const auto& encoder = encoder_for(*spec.labels);
  GroupEvaluator evaluator(spec);  // refuses tables that are too large
  const auto side = static_cast<std::size_t>(spec.labels->size()) + 2;
  std::vector<std::int64_t> cells(side * side);
  std::vector<std::byte> codes;
  for_each_run(args.columns, args.length, [&](std::int64_t, const std::vector<Column>& run) {
    const auto n = std::max(run[0].length, run[1].length);
    codes.resize(static_cast<std::size_t>(n) * static_cast<std::size_t>(encoder.width()));
    encoder.encode(run[0], run[1], codes.data());
    tally_codes(codes.data(), n, encoder.width(), cells);
  });
  MetricStruct out(spec, 1);
  auto values = out.scratch();
  const auto totals = evaluator.codes(cells, values.data());
  out.set(0, totals, values, evaluator.reasons());
  return {metric_struct_type(inputs.schema(0).name, spec), out.take()};
}

}  // namespace confmat::plugin
