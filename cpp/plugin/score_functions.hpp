// The expression functions of labels and scores (see functions.hpp).
#pragma once

#include "confmat/evaluate/score_values.hpp"
#include "plugin/functions.hpp"

namespace confmat::plugin {

// (y_true, y_score[, weight]) -> one code a row, see evaluate/score_code.hpp. Element-wise.
Type encode_score_type(Fields fields, const Spec& spec);
Result encode_score(const Inputs& inputs, const Spec& spec);

// List(codes), one list a group -> Struct{n, n_dropped, one Float64 a metric}. Element-wise.
Type score_metrics_type(Fields fields, const Spec& spec);
Result score_metrics(const Inputs& inputs, const Spec& spec);

// List(codes) -> List(Struct{threshold, fpr, tpr}) or List(Struct{threshold, recall, precision});
// null where a rate is undefined. Element-wise.
Type roc_curve_type(Fields fields, const Spec& spec);
Result roc_curve(const Inputs& inputs, const Spec& spec);
Type pr_curve_type(Fields fields, const Spec& spec);
Result pr_curve(const Inputs& inputs, const Spec& spec);

// (List(codes), the lowest and the highest y_true[, any weight]), a row a group -> Binary, the
// binned sweep of each group (state/sweep.hpp). Element-wise.
Type score_state_type(Fields fields, const Spec& spec);
Result score_state(const Inputs& inputs, const Spec& spec);

// Binary -> Struct{n, n_dropped, one Float64 a metric, roc_auc_lo, roc_auc_hi}. Element-wise.
Type score_state_metrics_type(Fields fields, const Spec& spec);
Result score_state_metrics(const Inputs& inputs, const Spec& spec);

// Binary -> as roc_curve and pr_curve, of saved sweeps. Element-wise.
Type state_roc_curve_type(Fields fields, const Spec& spec);
Result state_roc_curve(const Inputs& inputs, const Spec& spec);
Type state_pr_curve_type(Fields fields, const Spec& spec);
Result state_pr_curve(const Inputs& inputs, const Spec& spec);

}  // namespace confmat::plugin
