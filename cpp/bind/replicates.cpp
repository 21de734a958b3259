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
#include "confmat/metrics/paired_replicates.hpp"
#include "confmat/metrics/score_replicates.hpp"

namespace confmat::bind {
namespace {

using Doubles = py::array_t<double, py::array::c_style | py::array::forcecast>;
using Places = py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>;

constexpr std::int64_t kMostClasses = std::int64_t{1} << 14;

template <class T, int Flags>
std::span<const T> span_of(const py::array_t<T, Flags>& array) {
  return {array.data(), static_cast<std::size_t>(array.size())};
}

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
Doubles weights_of(const py::object& array, const Doubles& squares) {
  const bool is_sparse = py::isinstance<py::tuple>(array);
  Doubles weights(is_sparse ? py::object(py::tuple(array)[2]) : array);
  if (squares.size() != weights.size()) {
    throw InputError("`squares` has another size than the cells");
  }
  return weights;
}

py::array_t<double> replicates(const Asks& asks, const py::object& array,
                               const py::sequence& labels, const metrics::Options& options,
                               const std::optional<Doubles>& squares, std::int64_t count,
                               std::uint64_t seed, int threads) {
  const Cells cells(array);
  if (cells.stacked()) throw InputError("`cells` are several tables: wanted one");
  asks.check(cells, labels, options);
  metrics::Table table = cells.table(0);
  Doubles weights;
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

// Of arrays that Python has made: (replicates, 2, names).
py::array_t<double> paired_replicates(const Asks& asks, std::int64_t k, const py::sequence& labels,
                                      const metrics::Options& options, const Doubles& draws,
                                      const Places& starts, const Places& at_a, const Places& at_b,
                                      const Doubles& amounts, std::int64_t count,
                                      std::uint64_t seed, int threads) {
  if (k < 0 || k > kMostClasses) throw InputError("`k` is no number of classes of tables");
  py::array_t<double> nothing({py::ssize_t{k}, py::ssize_t{k}});
  std::fill_n(nothing.mutable_data(), nothing.size(), 0.0);
  const Cells cells(nothing);
  asks.check(cells, labels, options);
  const metrics::PairedUnits units{
      k, span_of(draws), span_of(starts), span_of(at_a), span_of(at_b), span_of(amounts)};
  const metrics::Resampling resampling{count, seed, threads};
  auto out = filled(resampling, 2 * asks.asks().size(), amounts.size(), [&](double* to) {
    metrics::paired_replicates(asks.asks(), units, options, resampling, to);
  });
  return out.reshape({py::ssize_t{count}, py::ssize_t{2}, py::ssize_t{-1}});
}

py::array_t<double> score_replicates(const std::vector<std::string>& names, const py::array& scores,
                                     const py::array& positives, const py::array& negatives,
                                     std::int64_t count, std::uint64_t seed, int threads,
                                     bool stratified, double clip, const py::object& squares) {
  const auto asks = asks_of(names);
  SweepArrays sweep(scores, positives, negatives);
  sweep.set_clip(clip);
  if (!squares.is_none()) {
    const auto both = squares.cast<std::pair<py::array, py::array>>();
    sweep.set_squares(both.first, both.second);
  }
  const metrics::Resampling resampling{count, seed, threads};
  return filled(resampling, asks.size(), sweep.size(), [&](double* out) {
    metrics::score_replicates(asks, sweep.view(), stratified, resampling, out);
  });
}

}  // namespace

void register_replicates(py::module_& module) {
  module.def("paired_replicates", &paired_replicates, py::arg("asks"), py::arg("k"),
             py::arg("labels"), py::arg("options"), py::kw_only(), py::arg("draws"),
             py::arg("starts"), py::arg("at_a"), py::arg("at_b"), py::arg("amounts"),
             py::arg("replicates"), py::arg("seed"), py::arg("threads") = 0);
  module.def("replicates", &replicates, py::arg("asks"), py::arg("cells"), py::arg("labels"),
             py::arg("options") = py::tuple(), py::kw_only(), py::arg("squares"),
             py::arg("replicates"), py::arg("seed"), py::arg("threads") = 0);
  module.def("score_replicates", &score_replicates, py::arg("names"), py::arg("scores"),
             py::arg("positives"), py::arg("negatives"), py::kw_only(), py::arg("replicates"),
             py::arg("seed"), py::arg("threads") = 0, py::arg("stratified") = true,
             py::arg("clip") = 0.0, py::arg("squares") = py::none());
}

}  // namespace confmat::bind
