// The parts of the module `_core`; each registers its functions and nothing else.
#pragma once

#include <pybind11/pybind11.h>

namespace confmat::bind {

void register_errors(pybind11::module_& module);
void register_arrow(pybind11::module_& module);
void register_coded_texts(pybind11::module_& module);
void register_class_states(pybind11::module_& module);
void register_curves(pybind11::module_& module);
void register_count(pybind11::module_& module);
void register_joint_states(pybind11::module_& module);
void register_joint_score_states(pybind11::module_& module);
void register_label_sets(pybind11::module_& module);
void register_metrics(pybind11::module_& module);
void register_intervals(pybind11::module_& module);
void register_regression(pybind11::module_& module);
void register_replicates(pybind11::module_& module);
void register_row_weights(pybind11::module_& module);
void register_scores(pybind11::module_& module);
void register_set_score_states(pybind11::module_& module);
void register_set_states(pybind11::module_& module);
void register_slice_counts(pybind11::module_& module);
void register_slice_bins(pybind11::module_& module);
void register_slice_moments(pybind11::module_& module);
void register_sweep(pybind11::module_& module);
void register_sweep_states(pybind11::module_& module);
void register_parts(pybind11::module_& module);
void register_probabilities(pybind11::module_& module);
void register_slice_tables(pybind11::module_& module);
void register_states(pybind11::module_& module);
void register_sums(pybind11::module_& module);
void register_text_codes(pybind11::module_& module);

}  // namespace confmat::bind
