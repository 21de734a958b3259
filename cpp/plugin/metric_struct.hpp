// The Struct that grouped metrics come in: n, n_dropped, n_other, then one Float64 a metric.
#pragma once

#include "confmat/evaluate/group.hpp"
#include "plugin/output.hpp"

namespace confmat::plugin {

Type metric_struct_type(std::string name, const Spec& spec);

// Rows are written in any order, by several threads.
class MetricStruct {
 public:
  MetricStruct(const Spec& spec, std::int64_t rows);
  // Room for the values of one row, to be passed to set().
  [[nodiscard]] std::vector<double> scratch() const;
  void set(std::int64_t row, const GroupTotals& totals, const std::vector<double>& values);
  Array take();

 private:
  bool weighted_;
  std::int64_t rows_;
  Buffer n_;
  Buffer dropped_;
  Buffer other_;
  std::vector<Buffer> values_;
};

}  // namespace confmat::plugin
