// Frames that stream: the counts of each batch as bytes, and the metrics of their sum.
#include "confmat/evaluate/streamed_counts.hpp"

#include <utility>

#include "confmat/base/error.hpp"
#include "plugin/binary_column.hpp"
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
  BinaryViews state(1);
  state.put(0, count_inputs(inputs, spec));  // which checks that there are columns
  return {{"vz", inputs.schema(0).name}, binaries(std::move(state))};
}

Type merge_type(Fields fields, const Spec& spec) { return label_metrics_type(fields, spec); }

Result merge(const Inputs& inputs, const Spec& spec) {
  rows_of_states(inputs);  // that it is a column of them
  std::vector<Bytes> parts;
  for_each_state(inputs, [&](std::int64_t, Bytes part) { parts.push_back(part); });
  return one_row(merge_partials(parts), spec, inputs.schema(0).name);
}

}  // namespace confmat::plugin
