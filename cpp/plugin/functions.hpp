// The expression functions, free of the ABI: inputs and spec in, a result out. Each has a type
// function that the planner calls first; the result's type must equal it exactly.
#pragma once

#include <span>

#include "confmat/evaluate/spec.hpp"
#include "plugin/inputs.hpp"
#include "plugin/output.hpp"

namespace confmat::plugin {

using Fields = std::span<const ArrowSchema>;

// (y_true, y_pred[, weight][, types of the labels]) -> one code a row. Element-wise.
//   labels of the request:  UInt8/16/32, see tally/encode.hpp
//   two Boolean columns:    Int8, the same codes
//   other labels:           UInt32, see evaluate/pair_dictionary.hpp
//   with weights:           Int128, or UInt128 of Booleans: see evaluate/pair_tally.hpp
Type encode_type(Fields fields, const Spec& spec);
Result encode(const Inputs& inputs, const Spec& spec);

// List(what encode gives), one list a group -> Struct of totals and metrics. Element-wise. One
// column alone: Polars calls for each group what takes several, where frames are in memory.
Type label_metrics_type(Fields fields, const Spec& spec);
Result label_metrics(const Inputs& inputs, const Spec& spec);

// (y_true, y_pred[, types of the labels]) -> one Binary row with the counts of these rows.
// Row-separable: merge(concat(partial(a), partial(b))) = merge(partial(concat(a, b))).
Type partial_type(Fields fields, const Spec& spec);
Result partial(const Inputs& inputs, const Spec& spec);

// Binary rows of partial() -> one Struct. An aggregation.
Type merge_type(Fields fields, const Spec& spec);
Result merge(const Inputs& inputs, const Spec& spec);

// (List(codes)[, any weight]), a row a group -> Binary, the state of each. Element-wise.
Type label_state_type(Fields fields, const Spec& spec);
Result label_state(const Inputs& inputs, const Spec& spec);

// (List(codes and numbers of rows), the rows with a null), a row a group -> Binary. Element-wise.
Type state_from_counts_type(Fields fields, const Spec& spec);
Result state_from_counts(const Inputs& inputs, const Spec& spec);

// List(Binary) of states of one kind a list -> Binary, their sum; null of no states. Element-wise.
Type merge_states_type(Fields fields, const Spec& spec);
Result merge_states(const Inputs& inputs, const Spec& spec);

// (Binary of states of one kind, integers) -> Struct{row, state}: of those with the same integer,
// by these integers, the first row and the sum of the states. Changes the length.
Type merge_states_by_type(Fields fields, const Spec& spec);
Result merge_states_by(const Inputs& inputs, const Spec& spec);

// (Binary of states, of parts of them; one row of either stands for all) -> Binary, the rows of
// each that are not in its part; null of no states, without a part all of it. Element-wise.
Type subtract_states_type(Fields fields, const Spec& spec);
Result subtract_states(const Inputs& inputs, const Spec& spec);

// Binary of matrices -> Struct{n, n_dropped, n_other, one Float64 a metric}. Element-wise.
Type state_metrics_type(Fields fields, const Spec& spec);
Result state_metrics(const Inputs& inputs, const Spec& spec);

}  // namespace confmat::plugin
