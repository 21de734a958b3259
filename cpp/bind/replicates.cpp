// Bootstrap replicates of metrics, of tables and of sweeps, as Python asks for them.
#include "confmat/metrics/replicates.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "bind/asks.hpp"
#include "bind/long_call.hpp"
#include "bind/module.hpp"
#include "bind/sweep_arrays.hpp"
#include "confmat/base/error.hpp"
#include "confmat/metrics/score_replicates.hpp"

namespace confmat::bind {
namespace {

using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;

// A row for each replicate and a column for each name, which compute() fills without the GIL.
template <class Compute>
py::array_t<double> filled(const metrics::Resampling& resampling, std::size_t names,
                           std::int64_t size, const Compute& compute) {
  constexpr std::int64_t kMost = std::int64_t{1} << 40;
  const auto columns = static_cast<std::int64_t>(names);
  if (resampling.replicates < 0 || resampling.replicates > kMost) {
    throw InputError("`replicates` is " + std::to_string(resampling.replicates) +
                     ": wanted a number from 0 to 2^40");
  }
  py::array_t<double> out({py::ssize_t{resampling.replicates}, py::ssize_t{columns}});
  constexpr std::int64_t kManyRows = std::int64_t{1} << 20;
  const std::int64_t work =
      std::min(resampling.replicates, kManyRows) * std::min(size + columns, kManyRows);
  without_gil(work, [&, to = out.mutable_data()] { compute(to); });
  return out;
}

// Whole weights, which `cells` takes as counts, are weights here.
Numbers weights_of(const py::object& array, const Numbers& squares) {
  const bool is_sparse = py::isinstance<py::tuple>(array);
  Numbers weights(is_sparse ? py::object(py::tuple(array)[2]) : array);
  if (squares.size() != weights.size()) {
    throw InputError("`squares` has another size than the cells");
  }
  return weights;
}

py::array_t<double> replicates(const Asks& asks, const py::object& array,
                               const py::sequence& labels, const std::optional<Numbers>& squares,
                               std::int64_t count, std::uint64_t seed, int threads,
                               std::int64_t pos, std::optional<double> undefined, double smoothing,
                               bool keep_empty, bool implied, Classes classes) {
  const Cells cells(array);
  if (cells.stacked()) throw InputError("`cells` are several tables: wanted one");
  const auto options =
      options_from(pos, undefined, smoothing, keep_empty, implied, std::move(classes));
  asks.check(cells, labels, options);
  metrics::Table table = cells.table(0);
  Numbers weights;
  if (squares) {
    weights = weights_of(array, *squares);
    table.counts = nullptr;
    table.weights = weights.data();
  }
  const double* const of = squares ? squares->data() : nullptr;
  const metrics::Resampling resampling{count, seed, threads};
  return filled(resampling, asks.asks().size(), cells.size(), [&](double* out) {
    metrics::replicates(asks.asks(), table, of, options, resampling, out);
  });
}

py::array_t<double> score_replicates(const std::vector<std::string>& names, const py::array& scores,
                                     const py::array& positives, const py::array& negatives,
                                     std::int64_t count, std::uint64_t seed, int threads,
                                     bool stratified, double clip) {
  const auto asks = asks_of(names);
  SweepArrays sweep(scores, positives, negatives);
  sweep.set_clip(clip);
  const metrics::Resampling resampling{count, seed, threads};
  return filled(resampling, asks.size(), sweep.size(), [&](double* out) {
    metrics::score_replicates(asks, sweep.view(), stratified, resampling, out);
  });
}

}  // namespace

void register_replicates(py::module_& module) {
  module.def("replicates", &replicates, py::arg("asks"), py::arg("cells"), py::arg("labels"),
             py::kw_only(), py::arg("squares"), py::arg("replicates"), py::arg("seed"),
             py::arg("threads") = 0, py::arg("pos") = -1, py::arg("undefined") = py::none(),
             py::arg("smoothing") = 0.0, py::arg("keep_empty") = false, py::arg("implied") = false,
             py::arg("classes") = py::none());
  module.def("score_replicates", &score_replicates, py::arg("names"), py::arg("scores"),
             py::arg("positives"), py::arg("negatives"), py::kw_only(), py::arg("replicates"),
             py::arg("seed"), py::arg("threads") = 0, py::arg("stratified") = true,
             py::arg("clip") = 0.0);
}

}  // namespace confmat::bind
