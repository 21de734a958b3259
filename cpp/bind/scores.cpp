// Metrics of scores for Python: values at once, and counts at thresholds.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <optional>

#include "bind/facts.hpp"
#include "bind/long_call.hpp"
#include "bind/module.hpp"
#include "bind/spans.hpp"
#include "bind/sweep_arrays.hpp"
#include "bind/to_python.hpp"
#include "confmat/base/error.hpp"
#include "confmat/metrics/score.hpp"
#include "confmat/metrics/score_checks.hpp"
#include "confmat/metrics/thresholds.hpp"

namespace py = pybind11;

namespace confmat::bind {
namespace {

py::list score_facts() {
  py::list out;
  for (const auto& fact : metrics::score_facts()) {
    py::dict row = row_of(fact);
    row["needs_probability"] = fact.needs_probability;
    out.append(row);
  }
  return out;
}

std::vector<double> score_values(const std::vector<std::string>& names, const py::array& scores,
                                 const py::array& positives, const py::array& negatives,
                                 double clip, int threads) {
  const auto asks = asks_of(names);
  SweepArrays sweep(scores, positives, negatives);
  sweep.set_clip(clip);
  std::vector<double> out(asks.size());
  without_gil(sweep.size() * static_cast<std::int64_t>(asks.size()),
              [&] { metrics::score_values(asks, sweep.view(), threads, out.data()); });
  return out;
}

double score_of_bins(const std::string& name, const ArrayOf<double>& n,
                     const ArrayOf<double>& positives, const ArrayOf<double>& scores) {
  if (positives.size() != n.size() || scores.size() != n.size()) {
    throw InputError("bins of unequal lengths");
  }
  std::vector<metrics::ScoreBin> bins;
  bins.reserve(static_cast<std::size_t>(n.size()));
  for (py::ssize_t i = 0; i < n.size(); ++i) {
    bins.push_back({n.data()[i], positives.data()[i], scores.data()[i]});
  }
  return metrics::score_of_bins(metrics::parse_score(name), bins);
}

std::vector<std::optional<std::string>> score_reasons(const std::vector<std::string>& names,
                                                      const py::array& scores,
                                                      const py::array& positives,
                                                      const py::array& negatives) {
  const auto asks = asks_of(names);
  const SweepArrays sweep(scores, positives, negatives);
  return without_gil(sweep.size() * static_cast<std::int64_t>(asks.size()), [&] {
    std::vector<std::optional<std::string>> out;
    for (const auto& ask : asks) {
      std::string reason = metrics::score_reason(ask, sweep.view());
      out.push_back(reason.empty() ? std::nullopt : std::optional(std::move(reason)));
    }
    return out;
  });
}

// Needs: value is not negative.
py::object python_int(Int128 value) {
  const py::int_ high(static_cast<std::uint64_t>(value >> 64));
  const py::int_ low(static_cast<std::uint64_t>(value));
  return (high << py::int_(64)) | low;
}

py::tuple auc_fraction(const py::array& positives, const py::array& negatives) {
  const SweepArrays sweep(positives, negatives);
  const auto fraction =
      without_gil(sweep.size(), [&] { return metrics::auc_fraction(sweep.view()); });
  return py::make_tuple(python_int(fraction.first), python_int(fraction.second));
}

py::tuple area_variance(const py::array& positives, const py::array& negatives, int threads,
                        const py::object& squares) {
  SweepArrays sweep(positives, negatives);
  if (!squares.is_none()) {
    const auto both = squares.cast<std::pair<py::array, py::array>>();
    sweep.set_squares(both.first, both.second);
  }
  const auto found =
      without_gil(sweep.size(), [&] { return metrics::area_variance(sweep.view(), threads); });
  return py::make_tuple(found.area, found.variance);
}

// The values, and how many of each metric are undefined.
template <class T>
py::tuple at_thresholds(const std::vector<std::string>& names, const py::array& tp_array,
                        const py::array& fp_array, T n_positive, T n_negative,
                        std::optional<double> undefined, int threads) {
  std::vector<metrics::Ask> asks;
  asks.reserve(names.size());
  for (const auto& name : names) asks.push_back(metrics::parse(name));
  const Contiguous<T> tp(tp_array);
  const Contiguous<T> fp(fp_array);
  const T totals[] = {n_positive, n_negative};
  py::array_t<double> out({static_cast<py::ssize_t>(asks.size()), tp.size()});
  const metrics::Thresholds<T> at{static_cast<std::size_t>(tp.size()), tp.data(), fp.data(),
                                  n_positive, n_negative};
  const metrics::Options options{.undefined = undefined};
  double* const to = out.mutable_data();
  auto undefined_of = without_gil(tp.size() * static_cast<std::int64_t>(asks.size()), [&] {
    metrics::check_sign(totals, 1, "n_positive");
    metrics::check_sign(totals + 1, 1, "n_negative");
    metrics::check_most(at.tp, at.size, n_positive, "tp");
    metrics::check_most(at.fp, at.size, n_negative, "fp");
    return metrics::values_at(asks, at, options, threads, to);
  });
  return py::make_tuple(std::move(out), to_array(std::move(undefined_of)));
}

bool are_whole(const py::array& array) {
  const Contiguous<double> values(array);
  const double* const first = values.data();
  const auto n = static_cast<std::size_t>(values.size());
  return without_gil(values.size(), [&] { return metrics::are_whole(first, n); });
}

py::tuple metrics_at(const std::vector<std::string>& names, const py::array& tp,
                     const py::array& fp, const py::object& n_positive,
                     const py::object& n_negative, std::optional<double> undefined, int threads) {
  if (tp.ndim() != 1) throw InputError("`tp` must have one dimension");
  check_length(fp, "fp", tp.shape(0));
  const auto whole = [](const py::array& array) {
    return array.dtype().kind() == 'i' || array.dtype().kind() == 'u';
  };
  if (whole(tp) && whole(fp)) {
    return at_thresholds<std::int64_t>(names, tp, fp, n_positive.cast<std::int64_t>(),
                                       n_negative.cast<std::int64_t>(), undefined, threads);
  }
  if (tp.dtype().kind() != 'f' || fp.dtype().kind() != 'f') {
    refuse_dtype(whole(tp) ? fp : tp, whole(tp) ? "fp" : "tp", "int64 or float64, of one kind");
  }
  const auto positives = n_positive.cast<double>();
  const auto negatives = n_negative.cast<double>();
  const bool totals = metrics::is_whole(positives) && metrics::is_whole(negatives);
  if (totals && are_whole(tp) && are_whole(fp)) {
    return at_thresholds<std::int64_t>(names, tp, fp, static_cast<std::int64_t>(positives),
                                       static_cast<std::int64_t>(negatives), undefined, threads);
  }
  return at_thresholds<double>(names, tp, fp, positives, negatives, undefined, threads);
}

}  // namespace

void register_scores(py::module_& module) {
  module.def("score_facts", &score_facts);
  module.def("score_values", &score_values, py::arg("names"), py::arg("scores"),
             py::arg("positives"), py::arg("negatives"), py::kw_only(), py::arg("clip") = 0.0,
             py::arg("threads") = 0);
  module.def("score_of_bins", &score_of_bins, py::arg("name"), py::arg("n"), py::arg("positives"),
             py::arg("scores"));
  module.def("score_reasons", &score_reasons, py::arg("names"), py::arg("scores"),
             py::arg("positives"), py::arg("negatives"));
  module.def("auc_fraction", &auc_fraction, py::arg("positives"), py::arg("negatives"));
  module.def("area_variance", &area_variance, py::arg("positives"), py::arg("negatives"),
             py::kw_only(), py::arg("threads") = 0, py::arg("squares") = py::none());
  module.def("metrics_at", &metrics_at, py::arg("names"), py::arg("tp"), py::arg("fp"),
             py::arg("n_positive"), py::arg("n_negative"), py::kw_only(),
             py::arg("undefined") = py::none(), py::arg("threads") = 0);
}

}  // namespace confmat::bind
