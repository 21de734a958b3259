// What the registries of metrics of matrices and of scores say of every metric alike.
#pragma once

#include <pybind11/stl.h>

#include <cmath>

namespace confmat::bind {

template <class Fact>
pybind11::dict row_of(const Fact& fact) {
  namespace py = pybind11;
  py::list params;
  for (const auto& param : fact.params) {
    const bool is_rest = std::isnan(param.value);  // of 1
    params.append(py::dict(
        py::arg("name") = param.name, py::arg("text") = param.text,
        py::arg("value") = is_rest ? py::object(py::none()) : py::object(py::float_(param.value))));
  }
  py::dict row;
  row["name"] = fact.name;
  row["aliases"] = fact.aliases;
  row["symbol"] = fact.symbol;
  row["formula"] = fact.formula;
  row["lo"] = fact.lo;
  row["hi"] = fact.hi;
  row["better"] = fact.better;
  row["summary"] = fact.summary;
  row["undefined"] = fact.undefined;
  row["reference"] = fact.reference;
  row["params"] = params;
  return row;
}

}  // namespace confmat::bind
