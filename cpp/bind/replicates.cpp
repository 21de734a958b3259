// Bootstrap replicates of metrics, of tables and of sweeps, as Python asks for them.
#include "confmat/metrics/replicates.hpp"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bind/cells.hpp"
#include "bind/long_call.hpp"
#include "bind/module.hpp"
#include "bind/sweep_arrays.hpp"
#include "confmat/base/error.hpp"
#include "confmat/metrics/score_replicates.hpp"

namespace py = pybind11;

namespace confmat::bind {
namespace {

using Doubles = py::array_t<double, py::array::c_style | py::array::forcecast>;

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

py::array_t<double> replicates(const std::vector<std::string>& names, const py::object& array,
                               const std::vector<std::string>& labels,
                               const std::optional<Doubles>& squares, std::int64_t count,
                               std::uint64_t seed, int threads, std::int64_t pos,
                               std::optional<double> undefined, double smoothing, bool keep_empty,
                               bool implied, std::optional<std::vector<std::int64_t>> classes) {
  std::vector<metrics::Ask> asks;
  asks.reserve(names.size());
  for (const auto& name : names) asks.push_back(metrics::parse(name));
  const Cells cells(array);
  metrics::Table table = cells.table(0);
  if (cells.stacked()) throw InputError("`cells` are several tables; wanted one");
  if (static_cast<std::int64_t>(labels.size()) != cells.k()) {
    throw InputError("`labels` has " + std::to_string(labels.size()) + " labels for " +
                     std::to_string(cells.k()) + " classes");
  }
  if (pos < -1 || pos >= cells.k()) throw InputError("`pos` is not a class");
  for (const std::int64_t at : classes.value_or(std::vector<std::int64_t>())) {
    if (at < 0 || at >= cells.k()) throw InputError("`classes` holds a position of no class");
  }
  Doubles weights;
  if (squares) {  // Whole weights, which `cells` takes as counts, are weights then.
    const bool is_sparse = py::isinstance<py::tuple>(array);
    weights = Doubles(is_sparse ? py::object(py::tuple(array)[2]) : array);
    if (squares->size() != weights.size()) {
      throw InputError("`squares` has " + std::to_string(squares->size()) + " numbers for " +
                       std::to_string(weights.size()) + " cells");
    }
    table.counts = nullptr;
    table.weights = weights.data();
  }
  const metrics::Options options{.pos = pos,
                                 .undefined = undefined,
                                 .smoothing = smoothing,
                                 .keep_empty = keep_empty,
                                 .implied = implied,
                                 .classes = std::move(classes)};
  for (const auto& ask : asks) metrics::check(ask, cells.k(), options, labels);
  const metrics::Resampling resampling{count, seed, threads};
  return filled(resampling, asks.size(), cells.size(),
                [&, of = squares ? squares->data() : nullptr](double* out) {
                  metrics::replicates(asks, table, of, options, resampling, out);
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
  module.def("replicates", &replicates, py::arg("names"), py::arg("cells"), py::arg("labels"),
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
