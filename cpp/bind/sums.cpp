// Sums of arrays.
#include <pybind11/numpy.h>

#include <cmath>
#include <cstddef>

#include "bind/long_call.hpp"
#include "bind/module.hpp"
#include "confmat/base/exact_sum.hpp"
#include "confmat/base/interrupt.hpp"

namespace py = pybind11;

namespace confmat::bind {
namespace {

// Rounded once; what is not finite makes it so.
double exact_sum(const py::array_t<double, py::array::c_style | py::array::forcecast>& values) {
  const auto n = static_cast<std::size_t>(values.size());
  return without_gil(values.size(), [n, of = values.data()] {
    ExactSum sum;
    double beyond = 0.0;
    for (const auto [first, last] : Strides(n)) {
      for (std::size_t i = first; i < last; ++i) {
        if (std::isfinite(of[i])) {
          sum.add(of[i]);
        } else {
          beyond += of[i];
        }
      }
    }
    return beyond == 0.0 ? sum.value() : beyond;
  });
}

}  // namespace

void register_sums(py::module_& module) { module.def("exact_sum", &exact_sum, py::arg("values")); }

}  // namespace confmat::bind
