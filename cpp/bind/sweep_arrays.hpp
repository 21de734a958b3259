// The arrays of a sweep as Python hands them over, checked, and the names of metrics of scores.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "bind/long_call.hpp"
#include "confmat/base/error.hpp"
#include "confmat/metrics/score.hpp"
#include "confmat/metrics/score_checks.hpp"

namespace confmat::bind {

template <class T>
using Contiguous = pybind11::array_t<T, pybind11::array::c_style | pybind11::array::forcecast>;

template <class T>
bool holds(const pybind11::array& array) {
  return pybind11::isinstance<pybind11::array_t<T>>(array);
}

[[noreturn]] inline void refuse_dtype(const pybind11::array& array, const char* argument,
                                      const char* wanted) {
  throw InputError("`" + std::string(argument) + "` has dtype " +
                   std::string(pybind11::str(array.dtype())) + ": wanted " + wanted);
}

inline void check_length(const pybind11::array& array, const char* argument,
                         pybind11::ssize_t wanted) {
  if (array.ndim() == 1 && array.shape(0) == wanted) return;
  throw InputError("`" + std::string(argument) + "` has " + std::to_string(array.size()) +
                   " entries in " + std::to_string(array.ndim()) + " dimensions: wanted " +
                   std::to_string(wanted) + " in one");
}

// The arrays of a sweep, kept alive and contiguous.
class SweepArrays {
 public:
  SweepArrays(const pybind11::array& scores, const pybind11::array& positives,
              const pybind11::array& negatives) {
    if (scores.ndim() != 1) throw InputError("`scores` must have one dimension");
    const pybind11::ssize_t n = scores.shape(0);
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
  SweepArrays(const pybind11::array& positives, const pybind11::array& negatives) {
    if (positives.ndim() != 1) throw InputError("`positives` must have one dimension");
    check_length(negatives, "negatives", positives.shape(0));
    view_.size = static_cast<std::size_t>(positives.shape(0));
    read_amounts(positives, negatives);
  }
  void set_clip(double clip) noexcept { view_.clip = clip; }
  // Sums of the squared weights of positives and of negatives.
  void set_squares(const pybind11::array& positives, const pybind11::array& negatives) {
    check_length(positives, "squares", static_cast<pybind11::ssize_t>(view_.size));
    check_length(negatives, "squares", static_cast<pybind11::ssize_t>(view_.size));
    view_.squares = {keep<double>(positives), keep<double>(negatives)};
    metrics::check_sign(view_.squares.positives, view_.size, "squares");
    metrics::check_sign(view_.squares.negatives, view_.size, "squares");
  }
  [[nodiscard]] const metrics::SweepView& view() const noexcept { return view_; }
  [[nodiscard]] std::int64_t size() const noexcept { return static_cast<std::int64_t>(view_.size); }

 private:
  void read_amounts(const pybind11::array& positives, const pybind11::array& negatives) {
    if (!amounts<std::uint32_t>(positives, negatives) &&
        !amounts<std::uint64_t>(positives, negatives) && !signed_counts(positives, negatives) &&
        !weights(positives, negatives)) {
      refuse_dtype(positives, "positives",
                   "uint32, uint64, int64 or float64, and `negatives` of the same");
    }
  }
  template <class T>
  const T* keep(const pybind11::array& array) {
    kept_.push_back(Contiguous<T>(array));
    return static_cast<const T*>(kept_.back().data());
  }
  template <class T>
  bool amounts(const pybind11::array& positives, const pybind11::array& negatives) {
    if (!holds<T>(positives) || !holds<T>(negatives)) return false;
    view_.amounts = metrics::Amounts<T>{keep<T>(positives), keep<T>(negatives)};
    return true;
  }
  bool signed_counts(const pybind11::array& positives, const pybind11::array& negatives) {
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
  bool weights(const pybind11::array& positives, const pybind11::array& negatives) {
    if (!amounts<double>(positives, negatives)) return false;
    const auto& both = std::get<metrics::Amounts<double>>(view_.amounts);
    without_gil(size(), [&] {
      metrics::check_sign(both.positives, view_.size, "positives");
      metrics::check_sign(both.negatives, view_.size, "negatives");
    });
    return true;
  }

  metrics::SweepView view_;
  std::vector<pybind11::array> kept_;
};

inline std::vector<metrics::ScoreAsk> asks_of(const std::vector<std::string>& names) {
  std::vector<metrics::ScoreAsk> asks;
  asks.reserve(names.size());
  for (const auto& name : names) asks.push_back(metrics::parse_score(name));
  return asks;
}

}  // namespace confmat::bind
