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
#include "bind/states.hpp"
#include "confmat/base/error.hpp"
#include "confmat/base/interrupt.hpp"
#include "confmat/state/many_sweeps_sum.hpp"

namespace py = pybind11;

namespace confmat::bind {
namespace {

using Terms = py::array_t<double, py::array::c_style>;

// Of parts that Python has made of the same rows. `terms`: what each row adds to the sums.
SetScoresPtr from_parts(const py::sequence& labels, const std::vector<SweepPtr>& sweeps,
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

std::int64_t work_of(const SetScores& of) {
  std::size_t size = 0;
  for (const Sweep& sweep : of.sweeps) size += sweep.size();
  return static_cast<std::int64_t>(size);
}

SetScoresPtr merged(const SetScoresPtr& one, const SetScoresPtr& other,
                    SetScores (*operation)(const SetScores&, const SetScores&)) {
  return std::make_shared<SetScores>(
      without_gil(work_of(*one) + work_of(*other), [&] { return operation(*one, *other); }));
}

SetScoresPtr from_bytes(const py::bytes& data) {
  const Bytes bytes = bytes_of(data);
  return std::make_shared<SetScores>(without_gil(static_cast<std::int64_t>(bytes.size()),
                                                 [&] { return decode_set_scores(bytes); }));
}

// Of saved states and of those in memory.
SetScoresPtr merge_all(const py::list& states) {
  auto out = std::make_shared<SetScores>();
  with_gil([&] {
    ManySweepsSum<SetScores> sum;
    const StopSign sign;
    for (const auto& state : states) {
      sign.obey();
      sum.add(py::isinstance<py::bytes>(state) ? decode_set_scores(bytes_of(state))
                                               : *py::cast<SetScoresPtr>(state));
    }
    *out = sum.take();
  });
  return out;
}

}  // namespace

void register_set_score_states(py::module_& module) {
  py::class_<SetScores, SetScoresPtr>(module, "SetScores")
      .def(py::init(&from_parts), py::arg("labels"), py::arg("sweeps"), py::arg("terms"),
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
      .def_property_readonly("n_nan", [](const SetScores& of) { return of.rows.nan; })
      .def("added", [](const SetScoresPtr& one,
                       const SetScoresPtr& other) { return merged(one, other, &added); })
      .def("taken_away", [](const SetScoresPtr& one,
                            const SetScoresPtr& other) { return merged(one, other, &taken_away); })
      .def("same",
           [](const SetScores& one, const SetScores& other) {
             return without_gil(work_of(one), [&] { return are_same(one, other); });
           })
      .def("to_bytes",
           [](const SetScores& of) {
             return to_python(without_gil(work_of(of), [&] { return encode(of); }));
           })
      .def_static("from_bytes", &from_bytes, py::arg("data"));
  module.def("merge_set_scores", &merge_all, py::arg("states"));
}

}  // namespace confmat::bind
