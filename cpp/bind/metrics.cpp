// The registries as Python sees them: facts, names, values and reasons of asks.
#include <pybind11/stl.h>

#include "bind/asks.hpp"
#include "bind/cells.hpp"
#include "bind/facts.hpp"
#include "bind/long_call.hpp"
#include "bind/module.hpp"
#include "confmat/metrics/absent_average.hpp"
#include "confmat/metrics/elsewhere.hpp"
#include "confmat/metrics/expected_information.hpp"
#include "confmat/metrics/nearest.hpp"
#include "confmat/metrics/pycm_names.hpp"
#include "confmat/metrics/registry.hpp"
#include "confmat/metrics/suffixes.hpp"

namespace confmat::bind {
namespace {

py::list listed(const std::vector<metrics::Fact>& facts) {
  py::list out;
  for (const auto& fact : facts) {
    py::dict row = row_of(fact);
    row["level"] = fact.level;
    row["base"] = fact.base;
    row["average"] = fact.average;
    row["of_many"] = fact.of_many;
    row["transpose_invariant"] = fact.transpose_invariant;
    row["transpose_partner"] = fact.transpose_partner;
    row["swap_partner"] = fact.swap_partner;
    row["relabel_invariant"] = fact.relabel_invariant;
    row["perfect_is_best"] = fact.perfect_is_best;
    row["scale_invariant"] = fact.scale_invariant;
    row["shape"] = fact.shape;
    row["edges"] = fact.edges;
    row["since"] = fact.since;
    out.append(row);
  }
  return out;
}

py::list averages() {
  py::list out;
  for (const metrics::Suffix& suffix : metrics::suffixes()) {
    out.append(py::dict(py::arg("name") = suffix.text, py::arg("listed") = suffix.listed,
                        py::arg("before") = suffix.before, py::arg("after") = suffix.after,
                        py::arg("words") = suffix.words, py::arg("mean") = suffix.mean,
                        py::arg("exponent") = suffix.exponent));
  }
  return out;
}

py::dict levels() {
  py::dict out;
  for (const auto& [name, level] : metrics::levels()) out[py::str(name)] = level;
  return out;
}

py::dict elsewhere() {
  py::dict out;
  for (const auto& [name, _] : metrics::elsewhere()) {
    out[py::str(name)] = metrics::told_elsewhere(name);
  }
  return out;
}

py::dict pycm_names() {
  py::dict out;
  for (const auto& [key, name] : metrics::pycm_names()) out[py::str(key)] = name;
  return out;
}

template <class T>
py::array_t<T> vector_of(const std::vector<T>& values) {
  return py::array_t<T>(static_cast<py::ssize_t>(values.size()), values.data());
}

}  // namespace

void register_metrics(py::module_& module) {
  const auto usual = py::arg("options") = py::tuple();
  py::class_<Asks>(module, "Asks")
      .def(py::init<const std::vector<std::string>&>(), py::arg("names"))
      .def_property_readonly("names", &Asks::names)
      .def_property_readonly("needs_positive", &Asks::needs_positive)
      .def_property_readonly("may_leave_out", &Asks::may_leave_out)
      .def("value", &Asks::value, py::arg("cells"), py::arg("labels"), py::arg("options"))
      .def("values", &Asks::values, py::arg("cells"), py::arg("labels"), usual)
      .def("per_class", &Asks::per_class, py::arg("cells"), usual)
      .def("reasons", &Asks::reasons, py::arg("cells"), py::arg("labels"), usual)
      .def("explained", &Asks::explained, py::arg("cells"), py::arg("labels"), usual)
      .def("n_used", &Asks::n_used, py::arg("cells"), usual)
      .def("refused", &Asks::refused, py::arg("cells"), usual)
      .def("left_out", &Asks::left_out, py::arg("cells"), usual);
  module.def("facts", [] { return listed(metrics::facts()); });
  module.def(
      "own_facts",
      [](const std::string& definition) { return listed(metrics::own_facts(definition)); },
      py::arg("definition"));
  module.def(
      "params", [](const std::string& name) { return params_of(metrics::params_of_name(name)); },
      py::arg("name"));
  module.def("averages", &averages);
  module.def(
      "fixed_params",
      [](const std::string& name) {
        py::dict out;
        for (const auto& [param, value] : metrics::fixed_params(name)) out[py::str(param)] = value;
        return out;
      },
      py::arg("name"));
  module.def("other_way_round", &metrics::other_way_round, py::arg("name"));
  module.def("absent_average", &metrics::absent_average, py::arg("name"));
  module.def("levels", &levels);
  module.def("pycm_names", &pycm_names);
  module.def("elsewhere", &elsewhere);
  module.def(
      "eve_eigenvalues",
      [](const py::object& array) {
        const Cells cells(array);
        return vector_of(cells.first(cells.rounds(), metrics::eve_eigenvalues));
      },
      py::arg("cells"));
  module.def(
      "eve_bounds",
      [](const py::object& array) { return Cells(array).first(1, metrics::eve_bounds); },
      py::arg("cells"));
  module.def(
      "singular_values",
      [](const py::object& array) {
        const Cells cells(array);
        return vector_of(cells.first(cells.rounds(), metrics::singular_values));
      },
      py::arg("cells"));
  module.def(
      "balanced",
      [](const py::object& array) {
        const Cells cells(array);
        return cells.shaped(cells.first(1, metrics::balanced));
      },
      py::arg("cells"));
  module.def(
      "bistochastic",
      [](const py::object& array) {
        const Cells cells(array);
        constexpr std::int64_t kRounds = 1024;
        const auto shares = cells.first(kRounds, metrics::bistochastic);
        return py::array_t<double>({py::ssize_t{cells.k()}, py::ssize_t{cells.k()}}, shares.data());
      },
      py::arg("cells"));
  module.def(
      "pair_counts",
      [](const py::object& array) {
        return vector_of(Cells(array).first(1, metrics::pair_counts));
      },
      py::arg("cells"));
  using Margins = py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>;
  module.def(
      "expected_information",
      [](const Margins& rows, const Margins& cols) {
        const std::span of_rows(rows.data(), static_cast<std::size_t>(rows.size()));
        const std::span of_cols(cols.data(), static_cast<std::size_t>(cols.size()));
        return without_gil(rows.size() * cols.size(),
                           [&] { return metrics::expected_information(of_rows, of_cols); });
      },
      py::arg("rows"), py::arg("cols"));
}

}  // namespace confmat::bind
