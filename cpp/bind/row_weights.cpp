// Weights of rows, checked, as arrays.
#include "confmat/tally/row_weights.hpp"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <optional>
#include <utility>

#include "bind/from_python.hpp"
#include "bind/long_call.hpp"
#include "bind/module.hpp"
#include "bind/to_python.hpp"
#include "confmat/base/error.hpp"

namespace py = pybind11;

namespace confmat::bind {
namespace {

using Mask = py::array_t<bool, py::array::c_style | py::array::forcecast>;

py::tuple row_weights_of(const py::object& sample_weight, std::int64_t rows,
                         const std::optional<Mask>& passed_over, bool as_floats, int threads) {
  const Source source(sample_weight, "sample_weight");
  RowWeightOptions options{.passed_over = {}, .as_floats = as_floats, .threads = threads};
  if (passed_over) {
    if (passed_over->size() != rows) throw InputError("rows and their mask differ in number");
    options.passed_over = {reinterpret_cast<const std::uint8_t*>(passed_over->data()),
                           static_cast<std::size_t>(rows)};
  }
  RowWeights found = without_gil(rows, [&] { return row_weights(source.chunks(), rows, options); });
  py::object weights = found.are_integers ? to_array(std::move(found.integers)).view("int64")
                                          : py::object(to_array(std::move(found.floats)));
  py::object missing = py::none();
  if (!found.missing.empty()) missing = to_array(std::move(found.missing)).view("bool");
  return py::make_tuple(std::move(weights), std::move(missing));
}

}  // namespace

void register_row_weights(py::module_& module) {
  module.def("row_weights", &row_weights_of, py::arg("sample_weight"), py::arg("rows"),
             py::arg("passed_over"), py::arg("as_floats"), py::arg("threads"));
}

}  // namespace confmat::bind
