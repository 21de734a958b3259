// The states of matrices as Python holds them: made of arrays or of bytes, added, taken away,
// saved.
#include "bind/states.hpp"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "bind/from_python.hpp"
#include "bind/module.hpp"
#include "bind/shared_arrays.hpp"
#include "bind/state_class.hpp"
#include "confmat/base/error.hpp"
#include "confmat/evaluate/count_state.hpp"

namespace py = pybind11;

namespace confmat::bind {
namespace {

std::vector<py::ssize_t> shape_of(const Counts& counts) {
  const auto k = static_cast<py::ssize_t>(counts.k());
  if (!counts.is_sparse) return {k, k};
  return {static_cast<py::ssize_t>(counts.held())};
}

py::object cells_of(const Counts& counts) {
  const auto shape = shape_of(counts);
  py::object cells =
      counts.has_floats ? array_of(counts.weights.leads, shape) : array_of(counts.cells, shape);
  if (!counts.is_sparse) return cells;
  return py::make_tuple(array_of(counts.places, shape), cells);
}

py::object squares_of_counts(const Counts& counts) {
  if (!counts.has_squares) return py::none();
  return array_of(counts.squares.leads, shape_of(counts));
}

py::object positive_of(const Counts& counts) {
  const LabelSet& set = *counts.labels;
  if (set.positive == 0) return py::none();
  Labels one{set.labels.kind, {}, {}};
  one.add(set.labels, set.positive - 1);
  return labels_to(one)[0];
}

// Of labels and cells that Python has checked: an array of K x K, or (places, values).
StatePtr counts_from_parts(const py::sequence& labels, int origin, const py::object& cells,
                           const py::object& squares, std::int64_t n_dropped,
                           std::int64_t n_other) {
  auto out = std::make_shared<Counts>();
  out->labels = std::make_shared<const LabelSet>(
      LabelSet{labels_from(labels), static_cast<Origin>(origin), 0});
  out->rows.dropped = n_dropped;
  out->rows.other = n_other;
  py::object values = cells;
  if (py::isinstance<py::tuple>(cells)) {
    const auto parts = py::reinterpret_borrow<py::tuple>(cells);
    out->is_sparse = true;
    out->places = shared<std::int64_t>(parts[0]);
    values = parts[1];
  }
  const py::array array = values;
  out->has_floats = array.dtype().kind() == 'f';
  if (out->has_floats) {
    out->weights.leads = shared<double>(array);
  } else {
    out->cells = shared<std::int64_t>(array);
  }
  out->has_squares = !squares.is_none();
  if (out->has_squares) out->squares.leads = shared<double>(squares);
  const std::size_t wanted = out->is_sparse ? out->places.size() : out->k() * out->k();
  if (out->held() != wanted || (out->has_squares && out->squares.leads.size() != wanted)) {
    throw InputError("cells, places or squared weights differ in number");
  }
  if (!out->has_floats && !out->has_squares) {
    out->rows.counted = 0;
    std::uint64_t total = 0;
    for (const std::int64_t cell : out->cells.view()) total += static_cast<std::uint64_t>(cell);
    out->rows.counted = static_cast<std::int64_t>(total);
  }
  return out;
}

StatePtr about(const StatePtr& state, int origin, const py::object& label) {
  auto out = std::make_shared<Counts>(*state);
  LabelSet set = *state->labels;
  set.origin = static_cast<Origin>(origin);
  set.positive = 0;
  if (!label.is_none()) {
    const Labels one = labels_from(py::make_tuple(label));
    const std::int64_t at = set.labels.place_of(one);
    if (one.kind != set.labels.kind || at < 0) {
      throw InputError("the positive class is none of the labels");
    }
    name_positive(set, at);
  }
  out->labels = std::make_shared<const LabelSet>(std::move(set));
  return out;
}

// With other names for its classes.
StatePtr renamed(const StatePtr& state, const py::sequence& labels) {
  auto out = std::make_shared<Counts>(*state);
  LabelSet set{labels_from(labels), Origin::kGiven, 0};
  if (set.labels.size() != state->labels->labels.size()) {
    throw InputError("`labels` has " + std::to_string(set.labels.size()) + " labels for " +
                     std::to_string(state->k()) + " classes");
  }
  out->labels = std::make_shared<const LabelSet>(std::move(set));
  return out;
}

}  // namespace

void register_states(py::module_& module) {
  py::class_<Counts, StatePtr> cls(module, "Counts");
  cls.def(py::init(&counts_from_parts), py::arg("labels"), py::arg("origin"), py::arg("cells"),
          py::arg("squares"), py::arg("n_dropped"), py::arg("n_other"))
      .def_property_readonly(
          "labels", [](const Counts& of) { return py::tuple(labels_to(of.labels->labels)); })
      .def_property_readonly("origin",
                             [](const Counts& of) { return static_cast<int>(of.labels->origin); })
      .def_property_readonly("positive", &positive_of)
      .def_property_readonly("cells", &cells_of)
      .def_property_readonly("squares", &squares_of_counts)
      .def_property_readonly("rows", [](const Counts& of) { return of.rows.counted; })
      .def_property_readonly("n_dropped", [](const Counts& of) { return of.rows.dropped; })
      .def_property_readonly("n_other", [](const Counts& of) { return of.rows.other; })
      .def("about", &about, py::arg("origin"), py::arg("positive"))
      .def(
          "with_positive",
          [](const Counts& of, const py::object& label) {
            return std::make_shared<Counts>(with_positive(of, labels_from(py::make_tuple(label))));
          },
          py::arg("label"))
      .def("renamed", &renamed, py::arg("labels"));
  def_state<CountsSum>(
      module, cls, "merge_counts", [](Bytes bytes) { return decode_counts(bytes); },
      [](const Counts& of) { return static_cast<std::int64_t>(of.held()); });
  module.def(
      "label_difference",
      [](const py::sequence& one, const py::sequence& other) {
        const Labels first = labels_from(one), second = labels_from(other);
        return first == second ? std::string() : label_difference(first, second);
      },
      py::arg("one"), py::arg("other"));
  module.def(
      "have_usual_positive",
      [](const py::sequence& labels) { return labels_from(labels).have_usual_positive(); },
      py::arg("labels"));
  module.def(
      "state_kind", [](const py::bytes& data) { return static_cast<int>(kind_of(bytes_of(data))); },
      py::arg("data"));
  module.def("state_kinds", [] {
    std::map<int, std::pair<const char*, std::optional<const char*>>> out;
    for (const KindRow& row : kinds())
      out[static_cast<int>(row.kind)] = {
          row.of, row.metric == nullptr ? std::nullopt : std::optional(row.metric)};
    return out;
  });
  module.def(
      "state_holds_weights", [](const py::bytes& data) { return holds_weights(bytes_of(data)); },
      py::arg("data"));
}

}  // namespace confmat::bind
