// The states of scores of many classes as Python holds them: put together, added, taken away,
// saved.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <array>
#include <memory>
#include <optional>
#include <string>
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

using Parts = std::array<std::vector<double>, 2>;  // of the sums of both losses

EntrySums losses_of(const Parts& parts) {
  ExactSumsBuilder sums;
  for (const std::vector<double>& of : parts) {
    ExactSum sum;
    for (const double part : of) sum.add(part);
    sums.add(sum);
  }
  EntrySums out;
  out.has_floats = true;
  out.weights = sums.take();
  return out;
}

// Of parts that Python has made of the same rows.
ClassesPtr from_parts(const StatePtr& argmax, const std::vector<SweepPtr>& sweeps,
                      const SweepPtr& top, const py::array& ranks,
                      const std::optional<Parts>& losses, std::int64_t n_clipped, bool has_pairs) {
  auto out = std::make_shared<ClassScores>();
  out->argmax = *argmax;
  out->has_pairs = has_pairs;
  for (const SweepPtr& sweep : sweeps) out->sweeps.push_back(*sweep);
  out->top = *top;
  out->ranks.has_floats = ranks.dtype().kind() == 'f';
  if (out->ranks.has_floats) {
    out->ranks.weights.leads = shared<double>(ranks);
  } else {
    out->ranks.counts = shared<std::int64_t>(ranks);
  }
  out->are_probabilities = losses.has_value();
  out->losses.has_floats = out->are_probabilities;
  if (losses) {
    out->losses = losses_of(*losses);
    out->n_clipped = n_clipped;
  }
  if (out->sweeps.size() != out->n_sweeps() || out->ranks.size() != kTieRules * out->k() ||
      out->ranks.has_floats != out->argmax.has_floats) {
    throw InputError("sweeps, ranks and classes differ in number");
  }
  return out;
}

std::vector<SweepPtr> sweeps_of(const ClassScores& of) {
  std::vector<SweepPtr> out;
  out.reserve(of.sweeps.size());
  for (const Sweep& sweep : of.sweeps) out.push_back(std::make_shared<Sweep>(sweep));
  return out;
}

py::object ranks_of(const ClassScores& of) {
  const std::vector<py::ssize_t> shape{static_cast<py::ssize_t>(kTieRules),
                                       static_cast<py::ssize_t>(of.k())};
  return of.ranks.has_floats ? array_of(of.ranks.weights.leads, shape)
                             : array_of(of.ranks.counts, shape);
}

py::object losses(const ClassScores& of) {
  if (!of.are_probabilities) return py::none();
  return array_of(of.losses.weights.leads, {2});
}

std::int64_t work_of(const ClassScores& of) {
  std::size_t size = of.argmax.held();
  for (const Sweep& sweep : of.sweeps) size += sweep.size();
  return static_cast<std::int64_t>(size);
}

ClassesPtr merged(const ClassesPtr& one, const ClassesPtr& other,
                  ClassScores (*operation)(const ClassScores&, const ClassScores&)) {
  return std::make_shared<ClassScores>(
      without_gil(work_of(*one) + work_of(*other), [&] { return operation(*one, *other); }));
}

ClassesPtr from_bytes(const py::bytes& data) {
  const Bytes bytes = bytes_of(data);
  return std::make_shared<ClassScores>(without_gil(static_cast<std::int64_t>(bytes.size()),
                                                   [&] { return decode_class_scores(bytes); }));
}

// Of saved states and of those in memory.
ClassesPtr merge_all(const py::list& states) {
  auto out = std::make_shared<ClassScores>();
  with_gil([&] {
    ManySweepsSum<ClassScores> sum;
    const StopSign sign;
    for (const auto& state : states) {
      sign.obey();
      sum.add(py::isinstance<py::bytes>(state) ? decode_class_scores(bytes_of(state))
                                               : *py::cast<ClassesPtr>(state));
    }
    *out = sum.take();
  });
  return out;
}

}  // namespace

void register_class_states(py::module_& module) {
  py::class_<ClassScores, ClassesPtr>(module, "ClassScores")
      .def(py::init(&from_parts), py::arg("argmax"), py::arg("sweeps"), py::arg("top"),
           py::arg("ranks"), py::arg("losses"), py::arg("n_clipped"), py::arg("has_pairs"))
      .def_property_readonly(
          "argmax", [](const ClassScores& of) { return std::make_shared<Counts>(of.argmax); })
      .def_property_readonly("sweeps", &sweeps_of)
      .def_property_readonly("top",
                             [](const ClassScores& of) { return std::make_shared<Sweep>(of.top); })
      .def_property_readonly("ranks", &ranks_of)
      .def_property_readonly("losses", &losses)
      .def_property_readonly("n_clipped", [](const ClassScores& of) { return of.n_clipped; })
      .def_property_readonly("has_pairs", [](const ClassScores& of) { return of.has_pairs; })
      .def("added", [](const ClassesPtr& one,
                       const ClassesPtr& other) { return merged(one, other, &added); })
      .def("taken_away", [](const ClassesPtr& one,
                            const ClassesPtr& other) { return merged(one, other, &taken_away); })
      .def("same",
           [](const ClassScores& one, const ClassScores& other) {
             return without_gil(work_of(one), [&] { return are_same(one, other); });
           })
      .def("to_bytes",
           [](const ClassScores& of) {
             return to_python(without_gil(work_of(of), [&] { return encode(of); }));
           })
      .def_static("from_bytes", &from_bytes, py::arg("data"));
  module.def("merge_class_scores", &merge_all, py::arg("states"));
}

}  // namespace confmat::bind
