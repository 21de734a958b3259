// The Struct that grouped metrics come in: n, n_dropped, n_other, then one Float64 a metric, and
// where they are asked for, the reasons.
#pragma once

#include <memory>

#include "confmat/evaluate/group.hpp"
#include "confmat/evaluate/reasons.hpp"
#include "plugin/output.hpp"

namespace confmat::plugin {

Type metric_struct_type(std::string name, const Spec& spec);

// Rows are written in any order, by several threads.
class MetricStruct {
 public:
  MetricStruct(const Spec& spec, std::int64_t rows);
  // Room for the values of one row, to be passed to set().
  [[nodiscard]] std::vector<double> scratch() const;
  // `reasons` are those of the evaluator.
  void set(std::int64_t row, const GroupTotals& totals, const std::vector<double>& values,
           std::span<const std::string> reasons);
  // A row without values. Needs: `n` is a sum of weights.
  void set_null(std::int64_t row);
  Array take();

 private:
  bool weighted_;
  std::int64_t rows_;
  Buffer n_;
  Buffer dropped_;
  Buffer other_;
  std::vector<Buffer> values_;
  std::unique_ptr<Reasons> reasons_;
};

}  // namespace confmat::plugin
