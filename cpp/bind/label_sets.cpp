// Sets of labels as tables of Booleans, and lists of labels as codes.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <deque>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bind/from_python.hpp"
#include "bind/long_call.hpp"
#include "bind/module.hpp"
#include "bind/to_python.hpp"
#include "confmat/base/error.hpp"
#include "confmat/batch/cursor.hpp"
#include "confmat/tally/indicators.hpp"
#include "confmat/tally/label_codes.hpp"

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

using ListEnds = py::array_t<std::int64_t, py::array::c_style>;

// Columns of labels, where the lists of the rows end in them, and what errors call them.
py::tuple codes_of_labels(const std::vector<std::tuple<py::object, ListEnds, std::string>>& columns,
                          const std::optional<py::sequence>& labels, int threads) {
  std::deque<Source> sources;
  std::vector<ListedLabels> listed;
  std::int64_t work = 0;
  for (const auto& [items, ends, argument] : columns) {
    const Source& source = sources.emplace_back(items, argument);
    const std::span of_rows(ends.data(), static_cast<std::size_t>(ends.size()));
    const std::int64_t n = total_length(source.chunks());
    if (n != (of_rows.empty() ? 0 : of_rows.back())) {
      throw InputError("lists of other sizes than their labels");
    }
    listed.push_back({source.chunks(), of_rows, argument.c_str()});
    work += n;
  }
  if (listed.empty() || listed.size() > 2) throw InputError("no one or two columns of labels");
  std::optional<Labels> known;
  if (labels) known = labels_from(*labels);
  LabelCodes found =
      without_gil(work, [&] { return label_codes(listed, known ? &*known : nullptr, threads); });
  py::list codes;
  for (auto& of_column : found.codes) codes.append(to_array(std::move(of_column)));
  py::object all = py::none();
  if (!labels) all = labels_to(found.labels);
  return py::make_tuple(std::move(codes), std::move(all));
}

}  // namespace

void register_label_sets(py::module_& module) {
  module.def("label_codes", &codes_of_labels, py::arg("columns"), py::arg("labels"),
             py::arg("threads"));
  module.def("indicators", &indicators, py::arg("columns"), py::arg("width"), py::arg("argument"),
             py::arg("threads"));
}

}  // namespace confmat::bind
