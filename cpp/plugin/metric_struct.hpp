// The Struct that metrics come in: n, n_dropped, of classes n_other, then one Float64 a metric, and
// where they are asked for, the reasons.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "confmat/evaluate/group_evaluator.hpp"
#include "confmat/evaluate/reasons.hpp"
#include "confmat/evaluate/score_values.hpp"
#include "plugin/output.hpp"

namespace confmat::plugin {

struct MetricFields {
  // Of classes. NOLINTNEXTLINE(google-explicit-constructor): what the request asks for
  MetricFields(const Spec& spec);
  // Of scores.
  MetricFields(const Spec& spec, bool has_weights);

  std::vector<std::string> metrics;
  std::vector<std::size_t> told;  // those with reasons: ends of intervals have none of their own
  bool weighted;                  // n is a sum of weights
  bool has_other;
  bool reasons;
};

Type metric_struct_type(std::string name, const MetricFields& fields);

// Rows are written in any order, by several threads.
class MetricStruct {
 public:
  MetricStruct(const MetricFields& fields, std::int64_t rows);
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
  bool has_other_;
  std::int64_t rows_;
  Buffer n_;
  Buffer dropped_;
  Buffer other_;
  std::vector<Buffer> values_;
  std::vector<std::size_t> told_;
  std::unique_ptr<Reasons> reasons_;
};

}  // namespace confmat::plugin
