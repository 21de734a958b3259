// Regressions as Python holds them: summed, added, taken away, saved, and their metrics.
#include "confmat/metrics/regression.hpp"

#include <pybind11/stl.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bind/facts.hpp"
#include "bind/from_python.hpp"
#include "bind/long_call.hpp"
#include "bind/module.hpp"
#include "bind/state_class.hpp"
#include "bind/states.hpp"
#include "confmat/batch/cursor.hpp"
#include "confmat/state/merge_tree.hpp"
#include "confmat/state/moments.hpp"
#include "confmat/tally/moments.hpp"

namespace py = pybind11;

namespace confmat::bind {
namespace {

std::vector<metrics::RegressionAsk> asks_of_numbers(const std::vector<std::string>& names) {
  std::vector<metrics::RegressionAsk> out;
  out.reserve(names.size());
  for (const std::string& name : names) out.push_back(metrics::parse_regression(name));
  return out;
}

MomentsPtr regression(const py::object& y_true, const py::object& y_pred,
                      const py::object& sample_weight, const std::vector<std::string>& names,
                      bool nan_drop, int threads) {
  const Source truth(y_true, "y_true");
  const Source prediction(y_pred, "y_pred");
  std::optional<Source> weight;
  if (!sample_weight.is_none()) weight.emplace(sample_weight, "sample_weight");
  const MomentOptions options{
      .terms = metrics::terms_of(asks_of_numbers(names)), .nan_drop = nan_drop, .threads = threads};
  return std::make_shared<Moments>(without_gil(total_length(truth.chunks()), [&] {
    return moments_of(truth.chunks(), prediction.chunks(), weight ? weight->chunks() : Chunks{},
                      weight.has_value(), options);
  }));
}

py::tuple values_of(const std::vector<std::string>& names, const Moments& of) {
  const auto asks = asks_of_numbers(names);
  std::vector<double> values(asks.size());
  std::vector<std::string> reasons(asks.size());
  metrics::regression_values(asks, of, values.data(), reasons.data());
  py::list why;
  for (const std::string& reason : reasons) {
    why.append(reason.empty() ? py::object(py::none()) : py::str(reason));
  }
  return py::make_tuple(values, why);
}

// The doubles that add up to each sum, without rounding.
std::vector<std::vector<double>> exact_sums(const Moments& of) {
  std::vector<std::vector<double>> out;
  for (std::size_t i = 0; i < of.size(); ++i) {
    out.push_back({of.sums.leads[i]});
    for (const Tail& tail : of.sums.tails_of(i)) out.back().push_back(tail.part);
  }
  return out;
}

// The mean of the term of a metric, and of its second number.
py::tuple term_means(const Moments& of, const std::string& name) {
  const auto ask = metrics::parse_regression(name);
  const auto found =
      ask.terms.empty() ? of.terms.end() : std::ranges::find(of.terms, ask.terms.front());
  if (found == of.terms.end()) throw InputError("there are no sums of '" + name + "'");
  const std::size_t at = of.place(static_cast<std::size_t>(found - of.terms.begin()));
  const double n = of.sums.leads[kSumWeight];
  return py::make_tuple(of.sums.leads[at] / n, of.sums.leads[at + 1] / n);
}

// Where bins of errors begin and end, those of errors below 0 first, and their weights.
py::tuple error_bins(const Moments& of) {
  const NumberRanges ranges = number_ranges(of, MomentTerm::kErrors);
  return py::make_tuple(ranges.low, ranges.high, ranges.weight);
}

// The lower corners of cells, true and predicted, how wide these are, and their weights.
py::tuple density_cells(const Moments& of) {
  std::vector<double> truth, prediction, weight;
  for (std::size_t i = 0; i < of.cells.size(); ++i) {
    truth.push_back(of.cells[i].truth);
    prediction.push_back(of.cells[i].prediction);
    weight.push_back(of.sums.leads[of.first_cell() + i]);
  }
  const double side = of.grid_level == kEachPair ? 0.0 : power_of_two(of.grid_level);
  return py::make_tuple(truth, prediction, side, weight);
}

// Of each column of cells, by its prediction: the sums of its truths and of its predictions. None
// where each pair is a cell.
py::tuple density_columns(const Moments& of) {
  std::vector<double> truth, prediction;
  const std::size_t end = of.first_bin(MomentTerm::kTruths);
  for (std::size_t at = of.first_column(); at < end; at += 2) {
    truth.push_back(of.sums.leads[at]);
    prediction.push_back(of.sums.leads[at + 1]);
  }
  return py::make_tuple(truth, prediction);
}

std::int64_t work_of_moments(const Moments& of) {
  return static_cast<std::int64_t>(of.sums.leads.size());
}

}  // namespace

void register_regression(py::module_& module) {
  py::class_<Moments, MomentsPtr> cls(module, "Moments");
  cls.def_property_readonly("rows", [](const Moments& of) { return of.rows.counted; })
      .def_property_readonly("n", [](const Moments& of) { return of.sums.leads[kSumWeight]; })
      .def_property_readonly("n_dropped", [](const Moments& of) { return of.rows.dropped; })
      .def_property_readonly("n_nan", [](const Moments& of) { return of.rows.nan; })
      .def_property_readonly("has_weights", [](const Moments& of) { return of.has_weights; })
      .def_property_readonly("least_truth", [](const Moments& of) { return of.least_truth; })
      .def_property_readonly("largest_truth", [](const Moments& of) { return of.largest_truth; })
      .def_property_readonly("sums",
                             [](const Moments& of) {
                               const auto leads = of.sums.leads.view();
                               return std::vector<double>(leads.begin(), leads.end());
                             })
      .def("error_bins", &error_bins)
      .def("density_cells", &density_cells)
      .def("density_columns", &density_columns)
      .def("exact_sums", &exact_sums)
      .def("term_means", &term_means, py::arg("name"))
      .def(
          "values",
          [](const Moments& of, const std::vector<std::string>& names) {
            return values_of(names, of);
          },
          py::arg("names"))
      .def(
          "holds",
          [](const Moments& of, const std::string& name) {
            return metrics::holds(of, metrics::parse_regression(name));
          },
          py::arg("name"));
  def_state<MergeTree<Moments>>(module, cls, "merge_moments", &decode_moments, &work_of_moments);
  module.def("regression", &regression, py::arg("y_true"), py::arg("y_pred"),
             py::arg("sample_weight"), py::arg("names"), py::arg("nan_drop"),
             py::arg("threads") = 0);
  module.def("regression_facts", [] {
    py::list out;
    for (const auto& fact : metrics::regression_facts()) out.append(row_of(fact));
    return out;
  });
  module.def(
      "regression_param",
      [](const std::string& name) { return metrics::parse_regression(name).param; },
      py::arg("name"));
  module.def(
      "kept_exactly",
      [](const std::string& name) {
        return metrics::kept_exactly(metrics::parse_regression(name));
      },
      py::arg("name"));
  module.def(
      "is_of_numbers",
      [](const std::string& name) { return metrics::parse_regression(name).row >= 0; },
      py::arg("name"));
}

}  // namespace confmat::bind
