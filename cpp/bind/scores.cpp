// Metrics of scores for Python: values at once, and counts at thresholds.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <optional>

#include "bind/facts.hpp"
#include "bind/long_call.hpp"
#include "bind/module.hpp"
#include "bind/to_python.hpp"
#include "confmat/base/error.hpp"
#include "confmat/metrics/score.hpp"
#include "confmat/metrics/score_checks.hpp"
#include "confmat/metrics/thresholds.hpp"

namespace py = pybind11;

namespace confmat::bind {
namespace {

template <class T>
using Contiguous = py::array_t<T, py::array::c_style | py::array::forcecast>;

template <class T>
bool holds(const py::array& array) {
  return py::isinstance<py::array_t<T>>(array);
}

[[noreturn]] void refuse_dtype(const py::array& array, const char* argument, const char* wanted) {
  throw InputError("`" + std::string(argument) + "` has dtype " +
                   std::string(py::str(array.dtype())) + ": wanted " + wanted);
}

void check_length(const py::array& array, const char* argument, py::ssize_t wanted) {
  if (array.ndim() == 1 && array.shape(0) == wanted) return;
  throw InputError("`" + std::string(argument) + "` has " + std::to_string(array.size()) +
                   " entries in " + std::to_string(array.ndim()) + " dimensions: wanted " +
                   std::to_string(wanted) + " in one");
}

// The arrays of a sweep, kept alive and contiguous.
class SweepArrays {
 public:
  SweepArrays(const py::array& scores, const py::array& positives, const py::array& negatives) {
    if (scores.ndim() != 1) throw InputError("`scores` must have one dimension");
    const py::ssize_t n = scores.shape(0);
    check_length(positives, "positives", n);
    check_length(negatives, "negatives", n);
    view_.size = static_cast<std::size_t>(n);
    if (holds<float>(scores)) {
      view_.scores = keep<float>(scores);
    } else if (holds<double>(scores)) {
      view_.scores = keep<double>(scores);
    } else {
      refuse_dtype(scores, "scores", "float32 or float64");
    }
    read_amounts(positives, negatives);
    without_gil(size(), [this] {
      std::visit([this](const auto* of) { metrics::check_descending(of, view_.size); },
                 view_.scores);
    });
  }
  // Without scores, for what does not look at them.
  SweepArrays(const py::array& positives, const py::array& negatives) {
    if (positives.ndim() != 1) throw InputError("`positives` must have one dimension");
    check_length(negatives, "negatives", positives.shape(0));
    view_.size = static_cast<std::size_t>(positives.shape(0));
    read_amounts(positives, negatives);
  }
  void set_clip(double clip) noexcept { view_.clip = clip; }
  [[nodiscard]] const metrics::SweepView& view() const noexcept { return view_; }
  [[nodiscard]] std::int64_t size() const noexcept { return static_cast<std::int64_t>(view_.size); }

 private:
  void read_amounts(const py::array& positives, const py::array& negatives) {
    if (!amounts<std::uint32_t>(positives, negatives) &&
        !amounts<std::uint64_t>(positives, negatives) && !signed_counts(positives, negatives) &&
        !weights(positives, negatives)) {
      refuse_dtype(positives, "positives",
                   "uint32, uint64, int64 or float64, and `negatives` of the same");
    }
  }
  template <class T>
  const T* keep(const py::array& array) {
    kept_.push_back(Contiguous<T>(array));
    return static_cast<const T*>(kept_.back().data());
  }
  template <class T>
  bool amounts(const py::array& positives, const py::array& negatives) {
    if (!holds<T>(positives) || !holds<T>(negatives)) return false;
    view_.amounts = metrics::Amounts<T>{keep<T>(positives), keep<T>(negatives)};
    return true;
  }
  bool signed_counts(const py::array& positives, const py::array& negatives) {
    if (!holds<std::int64_t>(positives) || !holds<std::int64_t>(negatives)) return false;
    const auto* p = keep<std::int64_t>(positives);
    const auto* n = keep<std::int64_t>(negatives);
    without_gil(size(), [&] {
      metrics::check_sign(p, view_.size, "positives");
      metrics::check_sign(n, view_.size, "negatives");
    });
    view_.amounts = metrics::Amounts<std::uint64_t>{reinterpret_cast<const std::uint64_t*>(p),
                                                    reinterpret_cast<const std::uint64_t*>(n)};
    return true;
  }
  bool weights(const py::array& positives, const py::array& negatives) {
    if (!amounts<double>(positives, negatives)) return false;
    const auto& both = std::get<metrics::Amounts<double>>(view_.amounts);
    without_gil(size(), [&] {
      metrics::check_sign(both.positives, view_.size, "positives");
      metrics::check_sign(both.negatives, view_.size, "negatives");
    });
    return true;
  }

  metrics::SweepView view_;
  std::vector<py::array> kept_;
};

std::vector<metrics::ScoreAsk> asks_of(const std::vector<std::string>& names) {
  std::vector<metrics::ScoreAsk> asks;
  asks.reserve(names.size());
  for (const auto& name : names) asks.push_back(metrics::parse_score(name));
  return asks;
}

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

py::tuple area_variance(const py::array& positives, const py::array& negatives, int threads) {
  const SweepArrays sweep(positives, negatives);
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
  module.def("score_reasons", &score_reasons, py::arg("names"), py::arg("scores"),
             py::arg("positives"), py::arg("negatives"));
  module.def("auc_fraction", &auc_fraction, py::arg("positives"), py::arg("negatives"));
  module.def("area_variance", &area_variance, py::arg("positives"), py::arg("negatives"),
             py::kw_only(), py::arg("threads") = 0);
  module.def("metrics_at", &metrics_at, py::arg("names"), py::arg("tp"), py::arg("fp"),
             py::arg("n_positive"), py::arg("n_negative"), py::kw_only(),
             py::arg("undefined") = py::none(), py::arg("threads") = 0);
}

}  // namespace confmat::bind
