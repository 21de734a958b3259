// Whole frames as they stream: the state of each batch, and the metrics of their sum.
#include <cstring>

#include "confmat/base/error.hpp"
#include "confmat/evaluate/partial.hpp"
#include "plugin/functions.hpp"
#include "plugin/label_column.hpp"
#include "plugin/metric_struct.hpp"

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
  if (inputs.size() != 2 && inputs.size() != 4) {
    throw InputError("the expression takes 2 columns");
  }
  const Labelling labelling = spec.coded() != nullptr ? Labelling::kNamed : Labelling::kFound;
  const LabelColumn y_true(inputs, 0, type_of(0, 2, inputs.size()), labelling, "y_true");
  const LabelColumn y_pred(inputs, 1, type_of(1, 2, inputs.size()), labelling, "y_pred");
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

}  // namespace confmat::plugin
