// The states of two scores of the same rows as Python holds them: put together, added, taken away,
// saved; and the bins of scores.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "bind/long_call.hpp"
#include "bind/module.hpp"
#include "bind/state_class.hpp"
#include "bind/states.hpp"
#include "confmat/base/error.hpp"
#include "confmat/scores/unit_bins.hpp"
#include "confmat/state/merge_tree.hpp"

namespace py = pybind11;

namespace confmat::bind {
namespace {

template <class T>
using OfRows = py::array_t<T, py::array::c_style>;

template <class T>
std::span<const T> span_of_rows(const OfRows<T>& array) {
  return {array.data(), static_cast<std::size_t>(array.size())};
}

std::int64_t work_of_joint_scores(const JointScores& of) {
  return static_cast<std::int64_t>(of.a.size() + of.b.size() + of.bins.places.size());
}

// Whole numbers of rows, or float weights with their squares.
EntrySums sums_of(const std::variant<OfRows<std::int64_t>, OfRows<double>>& amounts) {
  EntrySums out;
  if (const auto* const counts = std::get_if<0>(&amounts)) {
    const auto of = span_of_rows(*counts);
    out.counts = std::vector(of.begin(), of.end());
    return out;
  }
  out.has_floats = out.has_squares = true;
  ExactSumsBuilder weights, squares;
  for (const double weight : span_of_rows(std::get<1>(amounts))) {
    weights.add(weight);
    squares.add(weight * weight);
  }
  out.weights = weights.take();
  out.squares = squares.take();
  return out;
}

// Of parts that Python has made; bins are those of unit_bins().
JointScoresPtr joint_scores_from_parts(
    const Sweep& a, const Sweep& b, const OfRows<std::int32_t>& positive,
    const OfRows<std::uint32_t>& bins_a, const OfRows<std::uint32_t>& bins_b,
    const std::variant<OfRows<std::int64_t>, OfRows<double>>& amounts, std::int64_t n_dropped,
    std::int64_t n_nan) {
  const RowTotals rows{.counted = a.rows.counted, .dropped = n_dropped, .nan = n_nan};
  const EntrySums sums = sums_of(amounts);
  const JointCells cells{span_of_rows(positive), span_of_rows(bins_a), span_of_rows(bins_b), sums};
  const std::size_t n = cells.positive.size();
  const auto is_bin = [](std::uint32_t bin) { return bin < unit_size(); };
  const auto is_class = [](std::int32_t code) { return code == 0 || code == 1; };
  const auto is_amount = [](auto amount) {
    return amount > 0 && static_cast<double>(amount) <= std::numeric_limits<double>::max();
  };
  if (cells.a.size() != n || cells.b.size() != n || sums.size() != n ||
      !std::ranges::all_of(cells.a, is_bin) || !std::ranges::all_of(cells.b, is_bin) ||
      !std::ranges::all_of(cells.positive, is_class) || n_dropped < 0 || n_nan < 0 ||
      !std::visit([&](const auto& of) { return std::ranges::all_of(span_of_rows(of), is_amount); },
                  amounts)) {
    throw InputError("bins, classes and amounts of rows do not go together");
  }
  return std::make_shared<JointScores>(without_gil(
      static_cast<std::int64_t>(n), [&] { return joint_scores_of(rows, a, b, cells); }));
}

OfRows<std::uint32_t> unit_bins_of(const OfRows<double>& scores, unsigned level) {
  if (level > kMostUnitLevel) throw InputError("there is no such level of bins");
  OfRows<std::uint32_t> out(scores.size());
  const auto from = span_of_rows(scores);
  const std::span<std::uint32_t> to(out.mutable_data(), from.size());
  without_gil(scores.size(), [&] { unit_bins(from, level, to); });
  return out;
}

}  // namespace

void register_joint_score_states(py::module_& module) {
  py::class_<JointScores, JointScoresPtr> cls(module, "JointScores");
  cls.def(py::init(&joint_scores_from_parts), py::arg("a"), py::arg("b"), py::arg("positive"),
          py::arg("bins_a"), py::arg("bins_b"), py::arg("amounts"), py::arg("n_dropped"),
          py::arg("n_nan"))
      .def(
          "sweep",
          [](const JointScores& of, bool of_b) {
            return std::make_shared<Sweep>(of_b ? of.b : of.a);
          },
          py::arg("of_b"))
      .def_property_readonly("bins",
                             [](const JointScores& of) { return std::make_shared<Joint>(of.bins); })
      .def_property_readonly("level", [](const JointScores& of) { return of.level; })
      .def_property_readonly("rows", [](const JointScores& of) { return of.rows.counted; })
      .def_property_readonly("n_dropped", [](const JointScores& of) { return of.rows.dropped; })
      .def_property_readonly("n_nan", [](const JointScores& of) { return of.rows.nan; });
  def_state<MergeTree<JointScores>>(module, cls, "merge_joint_scores", &decode_joint_scores,
                                    &work_of_joint_scores);
  module.def("unit_bins", &unit_bins_of, py::arg("scores"), py::arg("level") = 0);
}

}  // namespace confmat::bind
