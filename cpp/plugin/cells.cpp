// Metrics of the four cells of two Boolean columns, which Polars counts itself.
#include <array>
#include <cstdint>
#include <string>

#include "confmat/base/error.hpp"
#include "confmat/base/wide.hpp"
#include "confmat/evaluate/group_evaluator.hpp"
#include "plugin/functions.hpp"
#include "plugin/metric_struct.hpp"
#include "plugin/rows.hpp"

namespace confmat::plugin {
namespace {

constexpr std::size_t kInputs = 5;
constexpr std::array<const char*, kInputs> kCellNames{"tn", "fp", "fn", "tp", "rows"};

// Of 64 bits without a sign, what is beyond 2^63 - 1 comes as a negative number.
void refuse_negative(std::size_t input, DType type, std::int64_t value, std::int64_t row) {
  const bool huge = type == DType::kUInt64;
  throw InputError(
      "`" + std::string(kCellNames[input]) + "` holds " +
          (huge ? std::to_string(static_cast<std::uint64_t>(value)) : std::to_string(value)),
      row, ": wanted a count from 0 to 2^63 - 1");
}

}  // namespace

Type cells_type(Fields fields, const Spec& spec) { return label_metrics_type(fields, spec); }

Result cells(const Inputs& inputs, const Spec& spec) {
  if (inputs.size() != kInputs) throw InputError("the expression takes 5 columns");
  std::vector<ArrowColumns> owners;
  owners.reserve(kInputs);
  std::vector<Chunks> columns;
  columns.reserve(kInputs);
  for (std::size_t i = 0; i < kInputs; ++i) {
    owners.push_back(inputs.rows(i, kCellNames[i]));
    columns.push_back(owners.back().chunks());
    if (inputs.length(i) != inputs.length(0)) throw InputError("columns of unequal lengths");
  }
  Labels labels;
  labels.kind = Labels::Kind::kBool;
  labels.ints = {0, 1};
  GroupEvaluator evaluator(spec, labels);
  MetricStruct out(spec, inputs.length(0));
  auto values = out.scratch();
  std::array<std::vector<std::int64_t>, kInputs> counts;
  for_each_run(columns, inputs.length(0), [&](std::int64_t start, const std::vector<Column>& run) {
    const auto n = run[0].length;
    for (std::size_t i = 0; i < kInputs; ++i) read_numbers(run[i], n, counts[i]);
    for (std::int64_t row = 0; row < n; ++row) {
      const auto at = static_cast<std::size_t>(row);
      // Codes of two classes, other and null: 4 x 4 cells, a null pair in the last one.
      std::array<std::int64_t, 16> table{};
      table[0] = counts[0][at];
      table[1] = counts[1][at];
      table[4] = counts[2][at];
      table[5] = counts[3][at];
      for (std::size_t i = 0; i < kInputs; ++i) {
        if (counts[i][at] < 0) refuse_negative(i, run[i].type, counts[i][at], start + row);
      }
      const Int128 dropped = Int128{counts[4][at]} - table[0] - table[1] - table[4] - table[5];
      if (dropped < 0) throw InputError("more cells than rows");
      table[15] = static_cast<std::int64_t>(dropped);
      const auto totals = evaluator.codes(table, values.data());
      out.set(start + row, totals, values, evaluator.reasons());
    }
  });
  return {metric_struct_type(inputs.schema(0).name, spec), out.take()};
}

}  // namespace confmat::plugin
