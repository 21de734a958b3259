#include "confmat/tally/sweep.hpp"

#include <pybind11/stl.h>

#include <optional>
#include <string>
#include <vector>

#include "bind/from_python.hpp"
#include "bind/long_call.hpp"
#include "bind/module.hpp"
#include "bind/to_python.hpp"
#include "confmat/base/error.hpp"
#include "confmat/batch/cursor.hpp"
#include "confmat/tally/sweep_binned.hpp"

namespace py = pybind11;

namespace confmat::bind {
namespace {

// The columns and the positive label of a call; needs the GIL to be made and destroyed.
struct SweepCall {
  SweepCall(const py::object& y_true, const py::object& y_score, const py::object& sample_weight,
            const py::object& pos_label, bool nan_drop, int threads)
      : truth(y_true, "y_true"), score(y_score, "y_score") {
    if (!sample_weight.is_none()) weight.emplace(sample_weight, "sample_weight");
    if (!pos_label.is_none()) positive = labels_from(py::make_tuple(pos_label));
    options.pos_label = positive ? &*positive : nullptr;
    options.nan_drop = nan_drop;
    options.threads = threads;
  }
  [[nodiscard]] std::int64_t rows() const { return total_length(truth.chunks()); }
  [[nodiscard]] Chunks weights() const { return weight ? weight->chunks() : Chunks{}; }

  Source truth;
  Source score;
  std::optional<Source> weight;
  std::optional<Labels> positive;
  SweepOptions options;
};

// Negative, positive.
py::tuple labels_of(const SweptRows& rows) {
  py::object negative = py::none();
  if (rows.negative) negative = labels_to(*rows.negative)[0];
  return py::make_tuple(negative, labels_to(rows.positive)[0]);
}

py::tuple sweep_columns(const py::object& y_true, const py::object& y_score,
                        const py::object& sample_weight, const py::object& pos_label, bool nan_drop,
                        int threads) {
  const SweepCall call(y_true, y_score, sample_weight, pos_label, nan_drop, threads);
  Swept swept = without_gil(call.rows(), [&] {
    return sweep(call.truth.chunks(), call.score.chunks(), call.weights(), call.options);
  });
  return py::make_tuple(array_of(std::move(swept.state.scores)),
                        array_of(std::move(swept.state.positives)),
                        array_of(std::move(swept.state.negatives)), labels_of(swept.rows),
                        swept.rows.n_rows, swept.rows.n_dropped, swept.rows.n_nan);
}

py::tuple sweep_bins(const py::object& y_true, const py::object& y_score,
                     const py::object& sample_weight, const py::object& pos_label,
                     const std::variant<std::uint32_t, std::string, py::array_t<double>>& bins,
                     bool nan_drop, int threads) {
  const SweepCall call(y_true, y_score, sample_weight, pos_label, nan_drop, threads);
  Binning binning;
  if (const auto* count = std::get_if<std::uint32_t>(&bins)) {
    binning.map = BinMap::of_number(*count);
  } else if (const auto* name = std::get_if<std::string>(&bins)) {
    binning.map = BinMap::of_name(*name);
  } else {
    const auto& edges = std::get<py::array_t<double>>(bins);
    const bool whole = edges.ndim() == 1 && (edges.flags() & py::array::c_style) != 0;
    if (!whole || edges.size() == 0) {
      throw InputError("`bins` is no contiguous array of one or more edges");
    }
    binning.edges = {edges.data(), static_cast<std::size_t>(edges.size())};
  }
  SweptBins swept = without_gil(call.rows(), [&] {
    return sweep_binned(call.truth.chunks(), call.score.chunks(), call.weights(), binning,
                        call.options);
  });
  BinnedState& state = swept.state;
  py::object scores = py::none();
  if (state.scores) scores = array_of(std::move(*state.scores));
  return py::make_tuple(array_of(std::move(state.lower)), array_of(std::move(state.upper)),
                        array_of(std::move(state.positives)), array_of(std::move(state.negatives)),
                        scores, labels_of(swept.rows), swept.rows.n_rows, swept.rows.n_dropped,
                        swept.rows.n_nan);
}

BinMap map_of(const std::variant<std::uint32_t, std::string>& bins) {
  const auto* count = std::get_if<std::uint32_t>(&bins);
  return count != nullptr ? BinMap::of_number(*count) : BinMap::of_name(std::get<1>(bins));
}

// A contiguous array of one of the types; its memory outlives the call.
template <class... T>
std::variant<std::span<const T>...> span_of(const py::handle& object, const char* argument) {
  std::variant<std::span<const T>...> found;
  const auto take = [&]<class One>(One) {
    if (!py::isinstance<py::array_t<One>>(object)) return false;
    const auto array = py::reinterpret_borrow<py::array>(object);
    const bool whole = array.ndim() == 1 && (array.flags() & py::array::c_style) != 0;
    if (!whole || reinterpret_cast<std::uintptr_t>(array.data()) % alignof(One) != 0) return false;
    found = std::span<const One>(static_cast<const One*>(array.data()),
                                 static_cast<std::size_t>(array.size()));
    return true;
  };
  if ((take(T{}) || ...)) return found;
  throw InputError(std::string("`") + argument + "` of a state is no contiguous array of its type");
}

py::tuple merge_states(const py::list& states) {
  std::vector<SweepView> views;
  std::int64_t size = 0;
  for (const py::handle& state : states) {
    const auto parts = py::cast<py::tuple>(state);
    if (parts.size() != 3) throw InputError("a state is (scores, positives, negatives)");
    SweepView& view = views.emplace_back();
    view.scores = span_of<float, double>(parts[0], "scores");
    view.positives = span_of<std::uint32_t, std::uint64_t, double>(parts[1], "positives");
    view.negatives = span_of<std::uint32_t, std::uint64_t, double>(parts[2], "negatives");
    size += static_cast<std::int64_t>(py::len(parts[0]));
  }
  SweepState merged = without_gil(size, [&] { return merge_sweeps(views); });
  return py::make_tuple(array_of(std::move(merged.scores)), array_of(std::move(merged.positives)),
                        array_of(std::move(merged.negatives)));
}

}  // namespace

void register_sweep(py::module_& module) {
  module.def("sweep", &sweep_columns, py::arg("y_true"), py::arg("y_score"),
             py::arg("sample_weight"), py::arg("pos_label"), py::arg("nan_drop"),
             py::arg("threads"));
  module.def("sweep_binned", &sweep_bins, py::arg("y_true"), py::arg("y_score"),
             py::arg("sample_weight"), py::arg("pos_label"), py::arg("bins"), py::arg("nan_drop"),
             py::arg("threads"));
  module.def(
      "bin_map_code",
      [](const std::variant<std::uint32_t, std::string>& bins) { return map_of(bins).code(); },
      py::arg("bins"));
  module.def(
      "bin_map_lower",
      [](const std::variant<std::uint32_t, std::string>& bins) {
        return to_array(map_of(bins).lower());
      },
      py::arg("bins"));
  module.attr("MAX_BINS") = kMostBins;
  module.def("sweep_merge", &merge_states, py::arg("states"));
}

}  // namespace confmat::bind
