// Curves of sweeps as columns that Python hands to whoever reads Arrow data.
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "bind/arrow.hpp"
#include "bind/long_call.hpp"
#include "bind/module.hpp"
#include "bind/states.hpp"
#include "confmat/arrow/lend.hpp"
#include "confmat/metrics/curve_columns.hpp"

namespace py = pybind11;

namespace confmat::bind {
namespace {

template <class... Ts>
LentColumn lent_array(const char* name, const std::variant<SharedArray<Ts>...>& numbers) {
  return std::visit([&](const auto& of) { return lent(name, of.owner(), of.view()); }, numbers);
}

LentColumn lent_ratio(const char* name, const SharedArray<double>& ratio) {
  return lent_nullable(name, ratio.owner(), ratio.view());
}

std::int64_t size_of(const SharedArray<double>& numbers) {
  return static_cast<std::int64_t>(numbers.size());
}

py::object roc_curve(const SweepPtr& sweep) {
  return arrow_object(without_gil(static_cast<std::int64_t>(sweep->size()), [&] {
    const metrics::CurveColumns made = metrics::roc_columns(*sweep);
    std::vector<LentColumn> columns;
    columns.push_back(lent_array("threshold", made.thresholds));
    columns.push_back(lent_ratio("fpr", made.x));
    columns.push_back(lent_ratio("tpr", made.y));
    columns.push_back(lent_array("fp", made.fp));
    columns.push_back(lent_array("tp", made.tp));
    return lent_struct(std::move(columns), size_of(made.x));
  }));
}

py::object pr_curve(const SweepPtr& sweep) {
  return arrow_object(without_gil(static_cast<std::int64_t>(sweep->size()), [&] {
    const metrics::CurveColumns made = metrics::pr_columns(*sweep);
    std::vector<LentColumn> columns;
    columns.push_back(lent_array("threshold", made.thresholds));
    columns.push_back(lent_ratio("recall", made.x));
    columns.push_back(lent_ratio("precision", made.y));
    columns.push_back(lent_array("tp", made.tp));
    columns.push_back(lent_array("fp", made.fp));
    return lent_struct(std::move(columns), size_of(made.x));
  }));
}

}  // namespace

void register_curves(py::module_& module) {
  module.def("roc_curve", &roc_curve, py::arg("sweep"));
  module.def("pr_curve", &pr_curve, py::arg("sweep"));
}

}  // namespace confmat::bind
