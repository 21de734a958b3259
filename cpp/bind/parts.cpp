// Entries of many saved states, at their places in the sum, as arrays.
#include "confmat/state/parts.hpp"

#include <cstdint>
#include <utility>
#include <vector>

#include "bind/long_call.hpp"
#include "bind/module.hpp"
#include "bind/shared_arrays.hpp"
#include "bind/states.hpp"
#include "bind/to_python.hpp"

namespace confmat::bind {
namespace {

// Of a tuple, which nobody changes.
std::pair<std::vector<Bytes>, std::int64_t> bytes_in(const py::tuple& states) {
  std::vector<Bytes> parts;
  parts.reserve(states.size());
  std::int64_t size = 0;
  for (const auto& state : states) {
    parts.push_back(bytes_of(state));
    size += static_cast<std::int64_t>(parts.back().size());
  }
  return {std::move(parts), size};
}

py::tuple cells(const Counts& whole, const py::list& states) {
  const py::tuple kept(states);
  const auto [parts, size] = bytes_in(kept);
  const auto& bytes = parts;
  PartCells found = without_gil(size, [&] { return cells_of_parts(whole, bytes); });
  return py::make_tuple(to_array(std::move(found.parts)), to_array(std::move(found.places)),
                        to_array(std::move(found.cells)));
}

py::tuple scores(const Sweep& whole, const py::list& states) {
  const py::tuple kept(states);
  const auto [parts, size] = bytes_in(kept);
  const auto& bytes = parts;
  PartScores found = without_gil(size, [&] { return scores_of_parts(whole, bytes); });
  return py::make_tuple(to_array(std::move(found.parts)), to_array(std::move(found.places)),
                        to_array(std::move(found.positives)), to_array(std::move(found.negatives)));
}

}  // namespace

void register_parts(py::module_& module) {
  module.def("cells_of_parts", &cells, py::arg("whole"), py::arg("states"));
  module.def("scores_of_parts", &scores, py::arg("whole"), py::arg("states"));
}

}  // namespace confmat::bind
