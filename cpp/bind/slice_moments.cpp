// `_core.SliceMoments`: numbers summed by slice, for batch after batch.
#include "confmat/tally/slice_moments.hpp"

#include <pybind11/stl.h>

#include <atomic>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "bind/arrow.hpp"
#include "bind/from_python.hpp"
#include "bind/long_call.hpp"
#include "bind/module.hpp"
#include "bind/slices.hpp"
#include "confmat/base/error.hpp"
#include "confmat/base/pages.hpp"
#include "confmat/batch/cursor.hpp"
#include "confmat/metrics/regression.hpp"

namespace py = pybind11;

namespace confmat::bind {
namespace {

MomentOptions options_of(const std::vector<std::string>& names, bool nan_drop, int threads) {
  std::vector<metrics::RegressionAsk> asks;
  asks.reserve(names.size());
  for (const std::string& name : names) asks.push_back(metrics::parse_regression(name));
  return {.terms = metrics::terms_of(asks), .nan_drop = nan_drop, .threads = threads};
}

class Summer {
 public:
  Summer(const std::vector<std::string>& names, bool nan_drop, bool has_weights,
         std::int64_t max_bytes, int threads)
      : moments_(options_of(names, nan_drop, threads), has_weights),
        numbers_(threads),
        has_weights_(has_weights),
        most_slices_(max_bytes / moments_.bytes_a_slice()) {}

  // False: the keys do not fit, see SliceNumbers::of_rows, or there are too many slices.
  bool add(const py::sequence& by, const py::object& y_true, const py::object& y_pred,
           const py::object& sample_weight) {
    const Turn turn(busy_);
    require_whole();
    if (sample_weight.is_none() == has_weights_) {
      throw InputError("`sample_weight` is there in some batches; wanted it in all or none");
    }
    std::deque<Source> sources;
    const std::vector<Chunks> keys = chunks_of(by, sources);
    const Source truth(y_true, "y_true"), prediction(y_pred, "y_pred");
    std::optional<Source> weight;
    if (!sample_weight.is_none()) weight.emplace(sample_weight, "sample_weight");
    const Chunks weights = weight ? weight->chunks() : Chunks{};
    const std::int64_t rows = total_length(truth.chunks());
    const auto has_as_many = [&](Chunks chunks) { return total_length(chunks) == rows; };
    if (!has_as_many(keys.front()) || !has_as_many(prediction.chunks()) ||
        (weight && !has_as_many(weights))) {
      throw InputError("columns of unequal lengths");
    }
    return without_gil(rows, [&] {
      const auto size = static_cast<std::size_t>(rows);
      if (slices_.size() < size) slices_ = Pages<std::uint32_t>(size);
      if (!numbers_.of_rows(keys, slices_.data()) || numbers_.size() > most_slices_) return false;
      is_whole_ = false;
      moments_.add(slices_.span().first(size), static_cast<std::size_t>(numbers_.size()),
                   truth.chunks(), prediction.chunks(), weights);
      is_whole_ = true;
      return true;
    });
  }

  // Keys of the slices, and the states.
  py::tuple states() {
    const Turn turn(busy_);
    require_whole();
    constexpr std::int64_t kMany = INT64_MAX;
    std::size_t n = 0;  // those of a batch that was too much have numbers, and no sums
    auto found = without_gil(kMany, [&] {
      BinaryViews states = moments_.states();
      n = states.size();
      return arrow_data_of(std::move(states));
    });
    return py::make_tuple(keys_of(numbers_, n), arrow_object(std::move(found)));
  }

 private:
  void require_whole() const {
    if (!is_whole_) throw InputError("a batch was refused, of which some rows were added");
  }

  SliceMoments moments_;
  SliceNumbers numbers_;
  bool has_weights_;
  bool is_whole_ = true;
  std::int64_t most_slices_;
  Pages<std::uint32_t> slices_;  // of the rows of a batch
  std::atomic<bool> busy_ = false;
};

}  // namespace

void register_slice_moments(py::module_& module) {
  py::class_<Summer>(module, "SliceMoments")
      .def(py::init<const std::vector<std::string>&, bool, bool, std::int64_t, int>(),
           py::arg("names"), py::arg("nan_drop"), py::arg("has_weights"), py::arg("max_bytes"),
           py::arg("threads"))
      .def("add", &Summer::add, py::arg("by"), py::arg("y_true"), py::arg("y_pred"),
           py::arg("sample_weight") = py::none())
      .def("states", &Summer::states);
}

}  // namespace confmat::bind
