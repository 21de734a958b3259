// The joint counts of two models as Python holds them: counted, added, taken away, saved.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "bind/from_python.hpp"
#include "bind/long_call.hpp"
#include "bind/module.hpp"
#include "bind/shared_arrays.hpp"
#include "bind/spans.hpp"
#include "bind/state_class.hpp"
#include "bind/states.hpp"
#include "confmat/base/error.hpp"
#include "confmat/state/merge_tree.hpp"
#include "confmat/tally/joint_groups.hpp"

namespace py = pybind11;

namespace confmat::bind {
namespace {

SharedLabels labels_of(const py::sequence& labels, int origin) {
  return std::make_shared<const LabelSet>(
      LabelSet{labels_from(labels), static_cast<Origin>(origin), 0});
}

// Of arrays that Python has made.
py::list states_of(const ArrayOf<std::int32_t>& truth, const ArrayOf<std::int32_t>& a,
                   const ArrayOf<std::int32_t>& b, const ArrayOf<std::int64_t>& n,
                   const ArrayOf<std::int64_t>& starts, const py::sequence& labels, int origin,
                   int threads) {
  const JointTriples triples{span_of(truth), span_of(a), span_of(b), span_of(n)};
  const SharedLabels known = labels_of(labels, origin);
  const auto states =
      without_gil(n.size(), [&] { return joint_states(triples, span_of(starts), known, threads); });
  py::list out(states.size());
  for (std::size_t i = 0; i < states.size(); ++i) out[i] = to_python(states[i]);
  return out;
}

JointPtr of_pairs(const Counts& pairs, const py::sequence& labels, int origin,
                  std::int64_t n_other) {
  const SharedLabels known = labels_of(labels, origin);
  return std::make_shared<Joint>(without_gil(static_cast<std::int64_t>(pairs.held()), [&] {
    return joint_of_pairs(pairs, known, n_other);
  }));
}

std::vector<py::ssize_t> shape_of(const Joint& of) {
  return {static_cast<py::ssize_t>(of.cells.size())};
}

std::int64_t work_of_joint(const Joint& of) { return static_cast<std::int64_t>(of.cells.size()); }

}  // namespace

void register_joint_states(py::module_& module) {
  py::class_<Joint, JointPtr> cls(module, "Joint");
  cls.def_property_readonly("labels",
                            [](const Joint& of) { return py::tuple(labels_to(of.labels->labels)); })
      .def_property_readonly("origin",
                             [](const Joint& of) { return static_cast<int>(of.labels->origin); })
      .def_property_readonly("places", [](const Joint& of) { return array_of(of.places); })
      .def_property_readonly("cells",
                             [](const Joint& of) {
                               return of.cells.has_floats
                                          ? array_of(of.cells.weights.leads, shape_of(of))
                                          : array_of(of.cells.counts, shape_of(of));
                             })
      .def_property_readonly("squares",
                             [](const Joint& of) -> py::object {
                               if (!of.cells.has_squares) return py::none();
                               return array_of(of.cells.squares.leads, shape_of(of));
                             })
      .def_property_readonly("rows", [](const Joint& of) { return of.rows.counted; })
      .def_property_readonly("n_dropped", [](const Joint& of) { return of.rows.dropped; })
      .def_property_readonly("n_other", [](const Joint& of) { return of.rows.other; })
      .def(
          "matrix",
          [](const Joint& of, bool of_b) {
            return std::make_shared<Counts>(without_gil(
                work_of_joint(of), [&] { return matrix_of(of, of_b ? Model::kB : Model::kA); }));
          },
          py::arg("of_b"));
  def_state<MergeTree<Joint>>(module, cls, "merge_joints", &decode_joint, &work_of_joint);
  module.def("joint_states", &states_of, py::arg("truth"), py::arg("a"), py::arg("b"), py::arg("n"),
             py::arg("starts"), py::arg("labels"), py::arg("origin"), py::arg("threads") = 0);
  module.def("joint_of_pairs", &of_pairs, py::arg("pairs"), py::arg("labels"), py::arg("origin"),
             py::arg("n_other"));
}

}  // namespace confmat::bind
