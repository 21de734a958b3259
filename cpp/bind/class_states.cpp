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
#include "bind/module.hpp"
#include "bind/shared_arrays.hpp"
#include "bind/state_class.hpp"
#include "bind/states.hpp"
#include "confmat/base/error.hpp"
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
ClassesPtr class_scores_from_parts(const StatePtr& argmax, const std::vector<SweepPtr>& sweeps,
                                   const SweepPtr& top, const py::array& ranks,
                                   const std::optional<Parts>& losses, std::int64_t n_clipped,
                                   bool has_pairs) {
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

std::int64_t work_of_classes(const ClassScores& of) {
  std::size_t size = of.argmax.held();
  for (const Sweep& sweep : of.sweeps) size += sweep.size();
  return static_cast<std::int64_t>(size);
}

}  // namespace

void register_class_states(py::module_& module) {
  py::class_<ClassScores, ClassesPtr> cls(module, "ClassScores");
  cls.def(py::init(&class_scores_from_parts), py::arg("argmax"), py::arg("sweeps"), py::arg("top"),
          py::arg("ranks"), py::arg("losses"), py::arg("n_clipped"), py::arg("has_pairs"))
      .def_property_readonly(
          "argmax", [](const ClassScores& of) { return std::make_shared<Counts>(of.argmax); })
      .def_property_readonly("sweeps", &sweeps_of)
      .def_property_readonly("top",
                             [](const ClassScores& of) { return std::make_shared<Sweep>(of.top); })
      .def_property_readonly("ranks", &ranks_of)
      .def_property_readonly("losses", &losses)
      .def_property_readonly("n_clipped", [](const ClassScores& of) { return of.n_clipped; })
      .def_property_readonly("has_pairs", [](const ClassScores& of) { return of.has_pairs; });
  def_state<ManySweepsSum<ClassScores>>(module, cls, "merge_class_scores", &decode_class_scores,
                                        &work_of_classes);
}

}  // namespace confmat::bind
