// `_core.SliceBins`: scores of many slices, batch after batch.
#include "confmat/tally/slice_bins.hpp"

#include <pybind11/stl.h>

#include <memory>
#include <utility>
#include <vector>

#include "bind/arrow.hpp"
#include "bind/from_python.hpp"
#include "bind/long_call.hpp"
#include "bind/module.hpp"
#include "confmat/arrow/binary_views.hpp"
#include "confmat/base/error.hpp"

namespace py = pybind11;

namespace confmat::bind {
namespace {

std::unique_ptr<SliceBins> made(std::size_t max_bytes, const py::object& pos_label, bool nan_drop,
                                int threads, std::string limit) {
  SliceBinsOptions options;
  options.max_bytes = max_bytes;
  if (!pos_label.is_none()) options.pos_label = labels_from(py::make_tuple(pos_label));
  options.nan_drop = nan_drop;
  options.threads = threads;
  options.limit = std::move(limit);
  return std::make_unique<SliceBins>(std::move(options));
}

// Always without the GIL: who waits for another call must not hold what that may ask for.
void add(SliceBins& bins, const py::object& slices, const py::object& y_true,
         const py::object& y_score, std::size_t n_slices, bool half, std::int64_t rows_before) {
  const Source of(slices, "slices");
  const Source truth(y_true, "y_true");
  const Source score(y_score, "y_score");
  const SliceBatch batch{of.chunks(), truth.chunks(), score.chunks(), n_slices, half, rows_before};
  run_without_gil(false, [&] { bins.add(batch); });
}

py::object states(SliceBins& bins) {
  std::shared_ptr<const ArrowData> out;
  run_without_gil(false, [&] { out = arrow_data_of(bins.states()); });
  return arrow_object(std::move(out));
}

unsigned level_of(const std::vector<std::uint64_t>& negatives,
                  const std::vector<std::uint64_t>& positives, bool are_doubles,
                  std::size_t max_bytes) {
  if (negatives.size() != positives.size()) {
    throw InputError("`negatives` and `positives` differ in length");
  }
  return SliceBins::level_of(negatives, positives, are_doubles, max_bytes);
}

template <class Get>
auto locked(Get get) {
  return [get](SliceBins& bins) {
    const py::gil_scoped_release release;
    return (bins.*get)();
  };
}

}  // namespace

void register_slice_bins(py::module_& module) {
  py::class_<SliceBins>(module, "SliceBins")
      .def(py::init(&made), py::arg("max_bytes"), py::arg("pos_label") = py::none(),
           py::arg("nan_drop") = false, py::arg("threads") = 0, py::arg("limit") = "`max_bytes`")
      .def("add", &add, py::arg("slices"), py::arg("y_true"), py::arg("y_score"),
           py::arg("n_slices"), py::arg("half") = false, py::arg("rows_before") = 0)
      .def("states", &states)
      .def_static("level_of", &level_of, py::arg("negatives"), py::arg("positives"),
                  py::arg("are_doubles"), py::arg("max_bytes"))
      .def_property_readonly("n_slices", locked(&SliceBins::n_slices))
      .def_property_readonly("level", locked(&SliceBins::level))
      .def_property_readonly("bytes", locked(&SliceBins::bytes));
}

}  // namespace confmat::bind
