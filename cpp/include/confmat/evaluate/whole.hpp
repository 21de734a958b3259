// Grouped metrics of whole columns in memory: count every group in one pass, then evaluate.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "confmat/batch/column.hpp"
#include "confmat/evaluate/reasons.hpp"
#include "confmat/evaluate/spec.hpp"

namespace confmat {

struct GroupColumns {
  std::vector<std::int64_t> keys;  // ascending
  bool has_null_key = false;       // then one group more, the last, of rows with a null key
  std::vector<std::int64_t> n, n_dropped, n_other;
  std::vector<double> values;  // metric by metric: values[m * groups + g]; nan where undefined
  std::unique_ptr<Reasons> reasons;  // where the spec asks for them
};

// nullopt: the keys are spread too wide for dense tables. `labels` are those of the spec, or, where
// it has none, those found in the data.
std::optional<GroupColumns> evaluate_by_key(Chunks key, Chunks y_true, Chunks y_pred,
                                            const Labels& labels, const Spec& spec, int threads);

}  // namespace confmat
