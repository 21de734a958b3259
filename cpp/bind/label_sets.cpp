// Sets of labels as tables of Booleans.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <deque>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bind/from_python.hpp"
#include "bind/long_call.hpp"
#include "bind/module.hpp"
#include "bind/to_python.hpp"
#include "confmat/base/error.hpp"
#include "confmat/batch/cursor.hpp"
#include "confmat/tally/indicators.hpp"

namespace py = pybind11;

namespace confmat::bind {
namespace {

py::tuple indicators(const py::sequence& columns, std::int64_t width, const std::string& argument,
                     int threads) {
  std::deque<Source> sources;
  std::vector<Chunks> chunks;
  for (const auto& column : columns) {
    sources.emplace_back(py::reinterpret_borrow<py::object>(column), argument);
    chunks.push_back(sources.back().chunks());
  }
  const std::int64_t values = chunks.empty() ? 0 : total_length(chunks[0]);
  for (const Chunks& column : chunks) {
    if (total_length(column) != values) throw InputError("columns differ in length");
  }
  if (width < 1 || values % width != 0) throw InputError("values make no whole rows");
  const auto n_columns = static_cast<py::ssize_t>(chunks.size());
  py::array_t<bool> table({n_columns, py::ssize_t{values}});
  auto* const out = reinterpret_cast<std::byte*>(table.mutable_data());
  Indicators found =
      without_gil(values * n_columns, [&] { return read_indicators(chunks, width, threads, out); });
  py::object missing = py::none();
  if (!found.missing.empty()) missing = to_array(std::move(found.missing)).view("bool");
  py::object refused = py::none();
  if (found.refused) refused = py::make_tuple(found.refused->row, found.refused->column);
  return py::make_tuple(std::move(table), std::move(missing), std::move(refused));
}

py::array_t<bool> named_sets(const py::array_t<std::uint32_t, py::array::c_style>& codes,
                             const py::array_t<std::uint32_t, py::array::c_style>& lengths,
                             std::int64_t labels, int threads) {
  py::array_t<bool> table({lengths.size(), py::ssize_t{labels}});
  auto* const out = reinterpret_cast<std::byte*>(table.mutable_data());
  const std::span all(codes.data(), static_cast<std::size_t>(codes.size()));
  const std::span of_rows(lengths.data(), static_cast<std::size_t>(lengths.size()));
  without_gil(codes.size() + lengths.size(),
              [&] { fill_sets(all, of_rows, labels, threads, out); });
  return table;
}

}  // namespace

void register_label_sets(py::module_& module) {
  module.def("named_sets", &named_sets, py::arg("codes"), py::arg("lengths"), py::arg("labels"),
             py::arg("threads"));
  module.def("indicators", &indicators, py::arg("columns"), py::arg("width"), py::arg("argument"),
             py::arg("threads"));
}

}  // namespace confmat::bind
