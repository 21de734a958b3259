// The expression functions of true and predicted numbers (see functions.hpp).
#pragma once

#include "plugin/functions.hpp"

namespace confmat::plugin {

// List(Struct{y_true, y_pred[, weight]}), one list a group -> Binary, the moments of each, with the
// further sums that the metrics need. Element-wise.
Type regression_state_type(Fields fields, const Spec& spec);
Result regression_state(const Inputs& inputs, const Spec& spec);

// Binary of moments -> Struct{n, n_dropped, one Float64 a metric}. Element-wise.
Type regression_metrics_type(Fields fields, const Spec& spec);
Result regression_metrics(const Inputs& inputs, const Spec& spec);

}  // namespace confmat::plugin
