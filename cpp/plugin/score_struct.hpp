// The Struct that metrics of scores come in: n, n_dropped, then one Float64 a metric, and where
// they are asked for, the reasons.
#pragma once

#include <memory>

#include "confmat/evaluate/reasons.hpp"
#include "confmat/evaluate/score_spec.hpp"
#include "plugin/output.hpp"

namespace confmat::plugin {

Type score_struct_type(std::string name, const ScoreSpec& spec, bool weighted);

// Rows are written in any order, by several threads.
class ScoreStruct {
 public:
  // `weighted`: n is a sum of weights.
  ScoreStruct(const ScoreSpec& spec, bool weighted, std::int64_t rows);
  void set(std::int64_t row, double n, std::int64_t dropped, std::span<const double> values);
  void set_reasons(std::int64_t row, std::span<const std::string> reasons);
  // A row without values. Needs: `weighted`.
  void set_null(std::int64_t row);
  Array take();

 private:
  bool weighted_;
  std::int64_t rows_;
  Buffer n_;
  Buffer dropped_;
  std::vector<Buffer> values_;
  std::unique_ptr<Reasons> reasons_;
};

}  // namespace confmat::plugin
