// `_core.count` and its kin: label columns in, states or tables of counts out.
#include "confmat/tally/count.hpp"

#include <pybind11/stl.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "bind/arrow.hpp"
#include "bind/from_python.hpp"
#include "bind/key_values.hpp"
#include "bind/long_call.hpp"
#include "bind/module.hpp"
#include "bind/states.hpp"
#include "bind/to_python.hpp"
#include "confmat/arrow/number_columns.hpp"
#include "confmat/base/error.hpp"
#include "confmat/batch/cursor.hpp"
#include "confmat/evaluate/groups_by_key.hpp"
#include "confmat/kernels/validity.hpp"

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

// The totals, and the metrics.
py::object numbers_of(const std::shared_ptr<const GroupColumns>& columns) {
  std::vector<NumberColumn> out;
  for (const auto* const totals : {&columns->n, &columns->n_dropped, &columns->n_other}) {
    out.push_back({.format = "L", .values = totals->data()});
  }
  const std::size_t groups = columns->n.size();
  for (std::size_t m = 0; m < columns->valid.size(); ++m) {
    const Pages<std::uint8_t>& valid = columns->valid[m];
    out.push_back({.format = "g",
                   .values = columns->values.data() + m * groups,
                   .validity = valid.data(),
                   .nulls = static_cast<std::int64_t>(groups) - count_bits(valid.span())});
  }
  return arrow_object(arrow_struct(columns, static_cast<std::int64_t>(groups), out));
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
  const auto message = static_cast<std::string_view>(spec_bytes);
  const Spec spec =
      parse_spec({reinterpret_cast<const std::uint8_t*>(message.data()), message.size()});
  std::optional<GroupColumns> columns = without_gil(total_length(truth.chunks()), [&] {
    return evaluate_by_keys(keys, truth.chunks(), prediction.chunks(), known, spec, threads,
                            groupings);
  });
  if (!columns) return py::none();
  const auto groups = static_cast<py::ssize_t>(columns->n.size());
  py::list values_of_keys;
  for (GroupKeyColumn& key : columns->keys) {
    values_of_keys.append(key_values(std::move(key)));
  }
  // Texts, and for each metric and group the position of its own, or -1.
  py::object reasons = py::none();
  if (columns->reasons) {
    const auto asks = static_cast<py::ssize_t>(spec.asks.size());
    py::array_t<std::int32_t> positions({asks, groups});
    for (py::ssize_t i = 0; i < asks; ++i) {
      std::ranges::copy(columns->reasons->of(static_cast<std::size_t>(i)),
                        positions.mutable_data() + i * groups);
    }
    reasons = py::make_tuple(columns->reasons->texts(), positions);
  }
  py::object sizes = py::cast(columns->sizes);
  return py::make_tuple(std::move(values_of_keys), std::move(sizes),
                        numbers_of(std::make_shared<GroupColumns>(std::move(*columns))),
                        std::move(reasons));
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
