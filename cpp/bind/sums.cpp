// Sums of arrays.
#include <pybind11/numpy.h>

#include <cstddef>
#include <span>

#include "bind/long_call.hpp"
#include "bind/module.hpp"
#include "confmat/base/exact_sum.hpp"

namespace py = pybind11;

namespace confmat::bind {

void register_sums(py::module_& module) {
  module.def(
      "exact_sum",
      [](const py::array_t<double, py::array::c_style | py::array::forcecast>& values) {
        const std::span all(values.data(), static_cast<std::size_t>(values.size()));
        return without_gil(values.size(), [all] { return exact_sum(all); });
      },
      py::arg("values"));
}

}  // namespace confmat::bind
