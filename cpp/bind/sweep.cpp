// `_core.sweep` and `_core.sweep_binned`: columns of labels and scores in, states out.
#include "confmat/tally/sweep.hpp"

#include <pybind11/stl.h>

#include <optional>
#include <string>
#include <vector>

#include "bind/from_python.hpp"
#include "bind/long_call.hpp"
#include "bind/module.hpp"
#include "bind/shared_arrays.hpp"
#include "bind/states.hpp"
#include "confmat/base/error.hpp"
#include "confmat/batch/cursor.hpp"
#include "confmat/tally/sweep_binned.hpp"

namespace py = pybind11;

namespace confmat::bind {
namespace {

// The columns and the positive label of a call; needs the GIL to be made and destroyed.
struct SweepCall {
  SweepCall(const py::object& y_true, const py::object& y_score, const py::object& sample_weight,
            const py::object& pos_label, bool nan_drop, int threads,
            const std::string& score_argument)
      : truth(y_true, "y_true"), score(y_score, score_argument) {
    if (!sample_weight.is_none()) weight.emplace(sample_weight, "sample_weight");
    if (!pos_label.is_none()) positive = labels_from(py::make_tuple(pos_label));
    options.pos_label = positive ? &*positive : nullptr;
    options.nan_drop = nan_drop;
    options.threads = threads;
    options.score_argument = score_argument.c_str();
  }
  [[nodiscard]] std::int64_t rows() const { return total_length(truth.chunks()); }
  [[nodiscard]] Chunks weights() const { return weight ? weight->chunks() : Chunks{}; }

  Source truth;
  Source score;
  std::optional<Source> weight;
  std::optional<Labels> positive;
  SweepOptions options;
};

SweepPtr sweep_columns(const py::object& y_true, const py::object& y_score,
                       const py::object& sample_weight, const py::object& pos_label, bool half,
                       bool nan_drop, int threads, const std::string& score_argument) {
  const SweepCall call(y_true, y_score, sample_weight, pos_label, nan_drop, threads,
                       score_argument);
  return std::make_shared<Sweep>(without_gil(call.rows(), [&] {
    return state_of(sweep(call.truth.chunks(), call.score.chunks(), call.weights(), call.options),
                    half);
  }));
}

SweepPtr sweep_bins(const py::object& y_true, const py::object& y_score,
                    const py::object& sample_weight, const py::object& pos_label,
                    const std::variant<std::uint32_t, std::string, py::array_t<double>>& bins,
                    bool half, bool nan_drop, int threads, const std::string& score_argument) {
  const SweepCall call(y_true, y_score, sample_weight, pos_label, nan_drop, threads,
                       score_argument);
  Binning binning;
  SharedArray<double> edges;
  if (const auto* count = std::get_if<std::uint32_t>(&bins)) {
    binning.map = BinMap::of_number(*count);
  } else if (const auto* name = std::get_if<std::string>(&bins)) {
    binning.map = BinMap::of_name(*name);
  } else {
    edges = edges_from(std::get<py::array_t<double>>(bins));
    binning.edges = edges.view();
  }
  return std::make_shared<Sweep>(without_gil(call.rows(), [&] {
    return state_of(sweep_binned(call.truth.chunks(), call.score.chunks(), call.weights(), binning,
                                 call.options),
                    binning.map, edges, half);
  }));
}

BinMap map_of(const std::variant<std::uint32_t, std::string>& bins) {
  const auto* count = std::get_if<std::uint32_t>(&bins);
  return count != nullptr ? BinMap::of_number(*count) : BinMap::of_name(std::get<1>(bins));
}

}  // namespace

void register_sweep(py::module_& module) {
  module.def("sweep", &sweep_columns, py::arg("y_true"), py::arg("y_score"),
             py::arg("sample_weight"), py::arg("pos_label"), py::arg("half"), py::arg("nan_drop"),
             py::arg("threads"), py::arg("score_argument") = "y_score");
  module.def("sweep_binned", &sweep_bins, py::arg("y_true"), py::arg("y_score"),
             py::arg("sample_weight"), py::arg("pos_label"), py::arg("bins"), py::arg("half"),
             py::arg("nan_drop"), py::arg("threads"), py::arg("score_argument") = "y_score");
  module.def(
      "bin_map_code",
      [](const std::variant<std::uint32_t, std::string>& bins) { return map_of(bins).code(); },
      py::arg("bins"));
  module.def(
      "bin_map_lower",
      [](const std::variant<std::uint32_t, std::string>& bins) {
        return array_of(SharedArray<double>(map_of(bins).lower()));
      },
      py::arg("bins"));
  module.attr("MAX_BINS") = kMostBins;
  module.attr("MAX_LEVEL") = kMostUnitLevel;
  py::list sizes;
  for (unsigned level = 0; level <= kMostUnitLevel; ++level) sizes.append(unit_level(level).size);
  module.attr("UNIT_BINS") = py::tuple(sizes);
}

}  // namespace confmat::bind
