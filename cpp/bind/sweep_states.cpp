// The states of sweeps as Python holds them: read, renamed, added, taken away, saved.
#include <pybind11/stl.h>

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "bind/from_python.hpp"
#include "bind/long_call.hpp"
#include "bind/module.hpp"
#include "bind/shared_arrays.hpp"
#include "bind/state_class.hpp"
#include "bind/states.hpp"
#include "confmat/base/error.hpp"
#include "confmat/state/sweep_sum.hpp"

namespace confmat::bind {
namespace {

constexpr std::array kTypes{"float16", "float32", "float64"};

std::int64_t size_of(const Sweep& sweep) { return static_cast<std::int64_t>(sweep.size()); }

py::object scores_of(const Sweep& sweep) {
  if (!sweep.is_exact) return py::none();
  return std::visit([](const auto& scores) { return array_of(scores); }, sweep.scores);
}

// Where the bins begin, or with 1 where they end.
py::object bounds_of(const Sweep& sweep, std::uint32_t after) {
  if (sweep.grid.kind == Grid::Kind::kScores) return py::none();
  return array_of(SharedArray<double>(sweep.grid.lower(sweep.bins.view(), after)));
}

py::object bins_of(const Sweep& sweep) {
  if (sweep.grid.kind == Grid::Kind::kScores) return py::none();
  if (sweep.grid.kind == Grid::Kind::kEdges) return array_of(sweep.grid.edges);
  const std::string name = sweep.grid.map.name();
  if (name.front() >= '0' && name.front() <= '9') return py::int_(std::stoul(name));
  return py::str(name);
}

py::object amounts_of(const AmountArray& amounts) {
  return std::visit(
      []<class Array>(const Array& of) {
        if constexpr (std::is_same_v<Array, ExactSums>) {
          return array_of(of.leads);
        } else {
          return array_of(of);
        }
      },
      amounts);
}

// Of positives and of negatives; None: they are not kept.
py::object squares_of_sweep(const Sweep& sweep) {
  if (!sweep.squares) return py::none();
  return py::make_tuple(array_of(sweep.squares->positives.leads),
                        array_of(sweep.squares->negatives.leads));
}

py::object label_of(const std::optional<Labels>& label) {
  if (!label) return py::none();
  return labels_to(*label)[0];
}

SweepPtr with_labels(const SweepPtr& sweep, const py::object& negative,
                     const py::object& positive) {
  auto out = std::make_shared<Sweep>(*sweep);
  std::optional<Labels> other;
  if (!negative.is_none()) other = labels_from(py::make_tuple(negative));
  out->labels = sweep_labels(other, labels_from(py::make_tuple(positive)));
  return out;
}

// For weights that are no rows' own.
SweepPtr without_squares(const SweepPtr& sweep) {
  auto out = std::make_shared<Sweep>(*sweep);
  out->squares.reset();
  return out;
}

// Of scores that had another type before they were read as what they are.
SweepPtr with_type(const SweepPtr& sweep, const std::string& type) {
  auto out = std::make_shared<Sweep>(*sweep);
  for (std::size_t i = 0; i < kTypes.size(); ++i) {
    if (type == kTypes[i]) out->type = static_cast<ScoreType>(i);
  }
  if (sweep->size() == 0) return sweep;
  if ((out->type == ScoreType::kFloat64) != (sweep->type == ScoreType::kFloat64)) {
    throw InputError("scores of " + std::string(kTypes[static_cast<std::size_t>(sweep->type)]) +
                     " are not those of " + type);
  }
  return out;
}

}  // namespace

void register_sweep_states(py::module_& module) {
  py::class_<Sweep, SweepPtr> cls(module, "SweepState");
  cls.def_property_readonly("scores", &scores_of)
      .def_property_readonly("lower", [](const Sweep& of) { return bounds_of(of, 0); })
      .def_property_readonly("upper", [](const Sweep& of) { return bounds_of(of, 1); })
      .def_property_readonly("bins", &bins_of)
      .def_property_readonly("positives", [](const Sweep& of) { return amounts_of(of.positives); })
      .def_property_readonly("negatives", [](const Sweep& of) { return amounts_of(of.negatives); })
      .def_property_readonly("squares", &squares_of_sweep)
      .def_property_readonly("positive",
                             [](const Sweep& of) { return label_of(positive_of(*of.labels)); })
      .def_property_readonly("negative",
                             [](const Sweep& of) { return label_of(negative_of(*of.labels)); })
      .def_property_readonly("rows", [](const Sweep& of) { return of.rows.counted; })
      .def_property_readonly("n_dropped", [](const Sweep& of) { return of.rows.dropped; })
      .def_property_readonly("n_nan", [](const Sweep& of) { return of.rows.nan; })
      .def_property_readonly(
          "score_type", [](const Sweep& of) { return kTypes[static_cast<std::size_t>(of.type)]; })
      .def("with_labels", &with_labels, py::arg("negative"), py::arg("positive"))
      .def("with_type", &with_type, py::arg("score_type"))
      .def("without_squares", &without_squares)
      .def(
          "regrouped",
          [](const Sweep& of, const py::array_t<double>& edges) {
            return std::make_shared<Sweep>(regrouped(of, edges_from(edges)));
          },
          py::arg("edges"))
      .def(
          "coarser",
          [](const Sweep& of, unsigned level) {
            return std::make_shared<Sweep>(
                without_gil(size_of(of), [&] { return coarser(of, level); }));
          },
          py::arg("level"))
      .def_property_readonly("level", [](const Sweep& of) { return unit_level_of(of.grid); });
  def_state<SweepSum>(module, cls, "merge_sweeps", &decode_sweep, &size_of);
}

}  // namespace confmat::bind
