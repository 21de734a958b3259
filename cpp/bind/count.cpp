// `_core.count` and its kin: label columns in, states or tables of counts out.
#include "confmat/tally/count.hpp"

#include <pybind11/stl.h>

#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "bind/arrow.hpp"
#include "bind/from_python.hpp"
#include "bind/group_columns.hpp"
#include "bind/long_call.hpp"
#include "bind/module.hpp"
#include "bind/states.hpp"
#include "bind/to_python.hpp"
#include "confmat/base/error.hpp"
#include "confmat/batch/cursor.hpp"
#include "confmat/evaluate/groups_by_key.hpp"

namespace py = pybind11;

namespace confmat::bind {
namespace {

py::tuple count_labels(const py::object& y_true, const py::object& y_pred,
                       const py::object& sample_weight, const py::object& labels, int threads,
                       std::int64_t max_bytes, const std::string& pred_argument) {
  const Source truth(y_true, "y_true");
  const Source prediction(y_pred, pred_argument);
  std::optional<Source> weight;
  if (!sample_weight.is_none()) weight.emplace(sample_weight, "sample_weight");
  std::optional<Labels> known;
  if (!labels.is_none()) known = labels_from(labels);
  Counted counted = without_gil(total_length(truth.chunks()), [&] {
    return count(truth.chunks(), prediction.chunks(), weight ? weight->chunks() : Chunks{},
                 {.labels = known ? &*known : nullptr,
                  .threads = threads,
                  .max_bytes = max_bytes,
                  .pred_argument = pred_argument.c_str()});
  });
  py::object outsider = py::none();
  if (counted.n_other > 0) {
    outsider = py::make_tuple(counted.outsider.in_truth ? "y_true" : pred_argument,
                              counted.outsider.row, counted.outsider.label);
  }
  Counts state = state_of(std::move(counted), known.has_value(), weight.has_value());
  return py::make_tuple(std::make_shared<Counts>(std::move(state)), outsider);
}

py::object evaluate_groups(const py::sequence& by, const py::object& y_true,
                           const py::object& y_pred, const py::object& labels,
                           const py::bytes& spec_bytes, int threads,
                           const std::vector<std::vector<std::size_t>>& groupings) {
  std::deque<Source> sources;
  std::vector<Chunks> keys;
  for (const auto& key : by) {
    keys.push_back(sources.emplace_back(py::reinterpret_borrow<py::object>(key), "by").chunks());
  }
  const Source truth(y_true, "y_true");
  const Source prediction(y_pred, "y_pred");
  const Labels known = labels_from(labels);
  const Spec spec = spec_of(spec_bytes);
  std::optional<GroupColumns> columns = without_gil(total_length(truth.chunks()), [&] {
    return evaluate_by_keys(keys, truth.chunks(), prediction.chunks(), known, spec, threads,
                            groupings);
  });
  if (!columns) return py::none();
  return group_columns(std::move(*columns));
}

}  // namespace

void register_count(py::module_& module) {
  module.def("count", &count_labels, py::arg("y_true"), py::arg("y_pred"), py::arg("sample_weight"),
             py::arg("labels"), py::arg("threads"), py::arg("max_bytes") = std::int64_t{1} << 30,
             py::arg("pred_argument") = "y_pred");
  module.def("evaluate_groups", &evaluate_groups, py::arg("by"), py::arg("y_true"),
             py::arg("y_pred"), py::arg("labels"), py::arg("spec"), py::arg("threads"),
             py::arg("groupings"));
}

}  // namespace confmat::bind
