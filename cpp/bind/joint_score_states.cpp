// The states of two scores of the same rows as Python holds them: put together, added, taken away,
// saved; and the bins of scores.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <memory>
#include <span>
#include <variant>

#include "bind/long_call.hpp"
#include "bind/module.hpp"
#include "bind/spans.hpp"
#include "bind/state_class.hpp"
#include "bind/states.hpp"
#include "confmat/base/error.hpp"
#include "confmat/scores/unit_bins.hpp"
#include "confmat/state/merge_tree.hpp"

namespace py = pybind11;

namespace confmat::bind {
namespace {

std::int64_t work_of_joint_scores(const JointScores& of) {
  return static_cast<std::int64_t>(of.a.size() + of.b.size() + of.bins.places.size());
}

// Of parts that Python has made; bins are those of unit_bins().
JointScoresPtr joint_scores_from_parts(
    const Sweep& a, const Sweep& b, const ArrayOf<std::int32_t>& positive,
    const ArrayOf<std::uint32_t>& bins_a, const ArrayOf<std::uint32_t>& bins_b,
    const std::variant<ArrayOf<std::int64_t>, ArrayOf<double>>& amounts, std::int64_t n_dropped,
    std::int64_t n_nan) {
  const RowTotals rows{.counted = a.rows.counted, .dropped = n_dropped, .nan = n_nan};
  const JointCells cells{
      span_of(positive), span_of(bins_a), span_of(bins_b),
      std::visit([](const auto& of) -> decltype(JointCells::amounts) { return span_of(of); },
                 amounts)};
  return std::make_shared<JointScores>(
      without_gil(positive.size(), [&] { return joint_scores_of(rows, a, b, cells); }));
}

ArrayOf<std::uint32_t> unit_bins_of(const ArrayOf<double>& scores, unsigned level) {
  if (level > kMostUnitLevel) throw InputError("there is no such level of bins");
  ArrayOf<std::uint32_t> out(scores.size());
  const auto from = span_of(scores);
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
