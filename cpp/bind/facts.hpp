// What the registries of metrics of matrices, scores and numbers say of every metric alike.
#pragma once

#include <pybind11/stl.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "confmat/metrics/fact.hpp"

namespace confmat::bind {

inline pybind11::list params_of(const std::vector<metrics::ParamFact>& params) {
  namespace py = pybind11;
  py::list out;
  for (const metrics::ParamFact& param : params) {
    py::object value = py::float_(param.value);
    if (param.whole) value = py::int_(static_cast<std::int64_t>(param.value));
    if (std::isnan(param.value)) value = py::none();
    out.append(py::dict(py::arg("name") = param.name, py::arg("value") = value,
                        py::arg("text") = param.text, py::arg("exponent") = param.exponent));
  }
  return out;
}

inline pybind11::dict row_of(const metrics::CommonFact& fact) {
  namespace py = pybind11;
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
  row["params"] = params_of(fact.params);
  return row;
}

}  // namespace confmat::bind
