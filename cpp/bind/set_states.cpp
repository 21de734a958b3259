// The states of sets of labels as Python holds them: counted, added, taken away, saved.
#include <pybind11/numpy.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bind/from_python.hpp"
#include "bind/long_call.hpp"
#include "bind/module.hpp"
#include "bind/shared_arrays.hpp"
#include "bind/state_class.hpp"
#include "bind/states.hpp"
#include "bind/to_python.hpp"
#include "confmat/base/error.hpp"
#include "confmat/state/merge_tree.hpp"
#include "confmat/tally/count_sets.hpp"

namespace py = pybind11;

namespace confmat::bind {
namespace {

// A table of Booleans or of bits, or the labels of all rows and where those of each end, kept
// alive.
struct Side {
  explicit Side(const py::object& side) {
    if (py::isinstance<py::tuple>(side)) {
      const auto [of_labels, of_ends] = side.cast<std::pair<py::object, py::object>>();
      labels = shared<std::uint32_t>(of_labels);
      ends = shared<std::int64_t>(of_ends);
      rows = static_cast<std::int64_t>(ends.size());
      set = SetLists{labels.view(), ends.view()};
      return;
    }
    const py::array table = side;
    const bool packed = py::isinstance<py::array_t<std::uint8_t>>(table);
    if (table.ndim() != 2 || (!packed && table.dtype().kind() != 'b')) {
      throw InputError("a table of sets is not a table of Booleans");
    }
    rows = table.shape(0);
    width = table.shape(1);
    set = BoolTable{static_cast<const std::byte*>(table.data()), table.strides(0), table.strides(1),
                    packed};
  }

  [[nodiscard]] bool has_width(std::int64_t n_labels) const noexcept {
    const auto* const table = std::get_if<BoolTable>(&set);
    return table == nullptr || width == (table->packed ? (n_labels + 7) / 8 : n_labels);
  }

  SharedArray<std::uint32_t> labels;
  SharedArray<std::int64_t> ends;
  SetSide set;
  std::int64_t rows = 0;
  std::int64_t width = 0;
};

// Of sides and weights that Python has checked.
SetsPtr counted(const py::object& y_true, const py::object& y_pred, const py::object& sample_weight,
                const py::sequence& labels, int origin, std::int64_t n_dropped, int threads) {
  const Side truth(y_true), prediction(y_pred);
  auto known = std::make_shared<const LabelSet>(
      LabelSet{labels_from(labels), static_cast<Origin>(origin), 0});
  const std::int64_t rows = truth.rows;
  const auto n_labels = static_cast<std::int64_t>(known->size());
  if (prediction.rows != rows || !truth.has_width(n_labels) || !prediction.has_width(n_labels)) {
    throw InputError("tables of sets differ in shape, or have other labels");
  }
  SetWeights weights;
  SharedArray<std::int64_t> integers;
  SharedArray<double> floats;
  if (!sample_weight.is_none()) {
    const py::array array = sample_weight;
    const bool are_floats = array.dtype().kind() == 'f';
    weights.kind = are_floats ? SetWeights::Kind::kFloats : SetWeights::Kind::kIntegers;
    if (are_floats) {
      floats = shared<double>(array);
    } else {
      integers = shared<std::int64_t>(array);
    }
    weights.floats = floats.view();
    weights.integers = integers.view();
    if (array.size() != rows) throw InputError("weights and rows differ in number");
  }
  const auto work = rows + static_cast<std::int64_t>(known->size());
  SetCounts out = without_gil(work, [&] {
    return count_sets(truth.set, prediction.set, rows, std::move(known), weights, threads);
  });
  out.rows.dropped = n_dropped;
  return std::make_shared<SetCounts>(std::move(out));
}

py::object entries_of(const EntrySums& sums, std::vector<py::ssize_t> shape) {
  return sums.has_floats ? array_of(sums.weights.leads, std::move(shape))
                         : array_of(sums.counts, std::move(shape));
}

std::vector<py::ssize_t> tables_shape(const SetCounts& of) {
  return {static_cast<py::ssize_t>(of.labels->size()), 2, 2};
}

py::object squares_of_sets(const SetCounts& of) {
  if (!of.cells.has_squares) return py::none();
  return array_of(of.cells.squares.leads, tables_shape(of));
}

py::tuple sizes_of(const SetCounts& of) {
  const auto n = static_cast<py::ssize_t>(of.of_sizes.size());
  return py::make_tuple(array_of(of.sizes, {n, 3}), entries_of(of.of_sizes, {n}));
}

py::object size_squares_of(const SetCounts& of) {
  if (!of.of_sizes.has_squares) return py::none();
  return array_of(of.of_sizes.squares.leads, {static_cast<py::ssize_t>(of.of_sizes.size())});
}

std::int64_t work_of_sets(const SetCounts& of) {
  return static_cast<std::int64_t>(of.sets.memory() + of.cells.size());
}

// The labels of the sets one after the other, where those of each end, and their entries.
py::tuple sets_of(const SetCounts& of) {
  LabelSets listed = without_gil(work_of_sets(of), [&] { return of.sets.in_form(true, 0); });
  const auto n = static_cast<py::ssize_t>(listed.size());
  return py::make_tuple(array_of(listed.all_members()), array_of(listed.ends()),
                        entries_of(of.of_sets, {n, 3}));
}

py::object order_of(const SetCounts& of) {
  return to_array(without_gil(work_of_sets(of), [&] { return by_first_labels(of.sets); }));
}

py::object total(const SetCounts& of) {
  const EntrySums sum = total_of(of.of_sizes);
  if (sum.has_floats) return py::float_(sum.weights.leads[0]);
  return py::int_(sum.counts[0]);
}

}  // namespace

void register_set_states(py::module_& module) {
  py::class_<SetCounts, SetsPtr> cls(module, "SetCounts");
  cls.def_property_readonly(
         "labels", [](const SetCounts& of) { return py::tuple(labels_to(of.labels->labels)); })
      .def_property_readonly(
          "cells", [](const SetCounts& of) { return entries_of(of.cells, tables_shape(of)); })
      .def_property_readonly("squares", &squares_of_sets)
      .def_property_readonly("sizes", &sizes_of)
      .def_property_readonly("size_squares", &size_squares_of)
      .def_property_readonly("sets", &sets_of)
      .def_property_readonly("sets_by_first_labels", &order_of)
      .def_property_readonly("total", &total)
      .def_property_readonly("rows", [](const SetCounts& of) { return of.rows.counted; })
      .def_property_readonly("n_dropped", [](const SetCounts& of) { return of.rows.dropped; });
  def_state<MergeTree<SetCounts>>(module, cls, "merge_set_counts", &decode_set_counts,
                                  &work_of_sets);
  module.def("count_sets", &counted, py::arg("y_true"), py::arg("y_pred"), py::arg("sample_weight"),
             py::arg("labels"), py::arg("origin"), py::arg("n_dropped"), py::arg("threads"));
}

}  // namespace confmat::bind
