// The states of scores for sets of labels as Python holds them: put together, added, taken away,
// saved.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <memory>
#include <utility>
#include <vector>

#include "bind/from_python.hpp"
#include "bind/long_call.hpp"
#include "bind/module.hpp"
#include "bind/shared_arrays.hpp"
#include "bind/state_class.hpp"
#include "bind/states.hpp"
#include "confmat/base/error.hpp"
#include "confmat/state/many_sweeps_sum.hpp"

namespace py = pybind11;

namespace confmat::bind {
namespace {

using Terms = py::array_t<double, py::array::c_style>;

// Of parts that Python has made of the same rows. `terms`: what each row adds to the sums.
SetScoresPtr set_scores_from_parts(const py::sequence& labels, const std::vector<SweepPtr>& sweeps,
                                   const std::vector<Terms>& terms, std::int64_t n_rows,
                                   std::int64_t n_dropped, std::int64_t n_nan) {
  auto out = std::make_shared<SetScores>();
  out->labels = std::make_shared<const LabelSet>(LabelSet{labels_from(labels), Origin::kGiven, 0});
  out->rows = {.counted = n_rows, .dropped = n_dropped, .nan = n_nan};
  for (const SweepPtr& sweep : sweeps) out->sweeps.push_back(*sweep);
  if (sweeps.size() != out->labels->size() || terms.size() != kOrderSums) {
    throw InputError("sweeps, sums and labels differ in number");
  }
  out->order = without_gil(n_rows, [&] {
    ExactSumsBuilder sums;
    for (const Terms& of : terms) {
      ExactSum sum;
      for (py::ssize_t i = 0; i < of.size(); ++i) sum.add(of.data()[i]);
      sums.add(sum);
    }
    return sums.take();
  });
  return out;
}

std::vector<SweepPtr> sweeps_of(const SetScores& of) {
  std::vector<SweepPtr> out;
  out.reserve(of.sweeps.size());
  for (const Sweep& sweep : of.sweeps) out.push_back(std::make_shared<Sweep>(sweep));
  return out;
}

std::int64_t work_of_set_scores(const SetScores& of) {
  std::size_t size = 0;
  for (const Sweep& sweep : of.sweeps) size += sweep.size();
  return static_cast<std::int64_t>(size);
}

}  // namespace

void register_set_score_states(py::module_& module) {
  py::class_<SetScores, SetScoresPtr> cls(module, "SetScores");
  cls.def(py::init(&set_scores_from_parts), py::arg("labels"), py::arg("sweeps"), py::arg("terms"),
          py::arg("n_rows"), py::arg("n_dropped"), py::arg("n_nan"))
      .def_property_readonly(
          "labels", [](const SetScores& of) { return py::tuple(labels_to(of.labels->labels)); })
      .def_property_readonly("sweeps", &sweeps_of)
      .def_property_readonly("order",
                             [](const SetScores& of) {
                               return array_of(of.order.leads,
                                               {static_cast<py::ssize_t>(kOrderSums)});
                             })
      .def_property_readonly("rows", [](const SetScores& of) { return of.rows.counted; })
      .def_property_readonly("n_dropped", [](const SetScores& of) { return of.rows.dropped; })
      .def_property_readonly("n_nan", [](const SetScores& of) { return of.rows.nan; });
  def_state<ManySweepsSum<SetScores>>(module, cls, "merge_set_scores", &decode_set_scores,
                                      &work_of_set_scores);
}

}  // namespace confmat::bind
