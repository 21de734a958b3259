// `_core.SliceCounts` and `_core.SliceNumbers`: label pairs by slice, and slices of rows, for batch
// after batch.
#include "confmat/tally/slice_counts.hpp"

#include <pybind11/stl.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "bind/arrow.hpp"
#include "bind/from_python.hpp"
#include "bind/group_columns.hpp"
#include "bind/long_call.hpp"
#include "bind/module.hpp"
#include "bind/slices.hpp"
#include "bind/to_python.hpp"
#include "confmat/batch/cursor.hpp"
#include "confmat/evaluate/groups_by_key.hpp"
#include "confmat/evaluate/slice_states.hpp"
#include "confmat/tally/slice_numbers.hpp"

namespace py = pybind11;

namespace confmat::bind {
namespace {

constexpr std::int64_t kMany = INT64_MAX;

class Counter {
 public:
  Counter(const py::object& labels, bool refuse_other, std::int64_t max_bytes, int threads)
      : counts_(labels.is_none() ? std::nullopt : std::optional(labels_from(labels)),
                {.threads = threads, .max_bytes = max_bytes, .refuse_other = refuse_other}),
        threads_(threads) {}

  bool add(const py::sequence& by, const py::object& y_true, const py::object& y_pred,
           const py::object& sample_weight) {
    const Turn turn(busy_);
    std::deque<Source> sources;
    const std::vector<Chunks> keys = chunks_of(by, sources);
    const Source truth(y_true, "y_true");
    const Source prediction(y_pred, "y_pred");
    std::optional<Source> weights;
    if (!sample_weight.is_none()) weights.emplace(sample_weight, "sample_weight");
    // Of no chunk it is not known whether weights are integers.
    if (weights && total_length(truth.chunks()) == 0) return true;
    return without_gil(total_length(truth.chunks()), [&] {
      return counts_.add(keys, truth.chunks(), prediction.chunks(),
                         weights ? weights->chunks() : Chunks{});
    });
  }

  // Keys of the slices that have rows, as `evaluate_groups` gives them, and the states.
  py::tuple states(int origin, const py::object& pos_label) {
    const Turn turn(busy_);
    const std::optional<Labels> positive =
        pos_label.is_none() ? std::nullopt : std::optional(labels_from(py::make_tuple(pos_label)));
    std::vector<GroupKeyColumn> keys;
    std::vector<std::vector<std::uint8_t>> encoded;
    without_gil(kMany, [&] {
      const auto put_keys = [&](const std::vector<std::vector<std::uint32_t>>& numbers) {
        for (std::size_t i = 0; i < counts_.keys().size(); ++i) {
          keys.push_back(confmat::values_of(counts_.keys()[i], numbers[i]));
        }
      };
      if (counts_.is_weighted()) {
        WeightedSlices slices = counts_.weighted(static_cast<Origin>(origin));
        put_keys(slices.numbers);
        encoded = slice_states(std::move(slices.states), positive, threads_);
      } else {
        const GroupTables tables = counts_.tables();
        put_keys(tables.numbers);
        encoded =
            slice_states(tables, counts_.labels(), static_cast<Origin>(origin), positive, threads_);
      }
    });
    py::list states;
    for (const std::vector<std::uint8_t>& state : encoded) {
      states.append(py::bytes(reinterpret_cast<const char*>(state.data()), state.size()));
    }
    return py::make_tuple(lists_of_keys(std::move(keys)), states);
  }

  // As `evaluate_groups` of all rows; None also where there was none. Needs: no weights.
  py::object evaluated(const py::bytes& message,
                       const std::vector<std::vector<std::size_t>>& groupings) {
    const Turn turn(busy_);
    const Spec spec = spec_of(message);
    if (counts_.keys().empty() || counts_.is_weighted()) return py::none();
    auto columns = without_gil(kMany, [&] {
      return evaluate_tables(counts_.tables(), counts_.keys(), counts_.labels(), spec, threads_,
                             groupings);
    });
    return columns ? py::object(group_columns(std::move(*columns))) : py::none();
  }

  py::list labels() {
    const Turn turn(busy_);
    return labels_to(counts_.labels());
  }
  [[nodiscard]] bool refused() const noexcept { return counts_.refused(); }

 private:
  SliceCounts counts_;
  int threads_;
  std::atomic<bool> busy_ = false;
};

class Numbers {
 public:
  explicit Numbers(int threads) : numbers_(threads) {}

  // The number of the slice of each row; None: the keys do not fit, see SliceNumbers::of_rows.
  py::object of_rows(const py::sequence& by) {
    const Turn turn(busy_);
    std::deque<Source> sources;
    const std::vector<Chunks> keys = chunks_of(by, sources);
    const std::int64_t rows = total_length(keys.front());
    py::array_t<std::uint32_t> out(static_cast<py::ssize_t>(rows));
    std::uint32_t* const data = out.mutable_data();
    const bool fits = without_gil(rows, [&] { return numbers_.of_rows(keys, data); });
    return fits ? py::object(std::move(out)) : py::none();
  }

  // Keys of the slices, by their numbers.
  py::list keys() {
    const Turn turn(busy_);
    return keys_of(numbers_, static_cast<std::size_t>(numbers_.size()));
  }

  [[nodiscard]] std::int64_t size() const noexcept { return numbers_.size(); }

 private:
  SliceNumbers numbers_;
  std::atomic<bool> busy_ = false;
};

}  // namespace

void register_slice_counts(py::module_& module) {
  py::class_<Counter>(module, "SliceCounts")
      .def(py::init<const py::object&, bool, std::int64_t, int>(), py::arg("labels"),
           py::arg("refuse_other"), py::arg("max_bytes"), py::arg("threads"))
      .def("add", &Counter::add, py::arg("by"), py::arg("y_true"), py::arg("y_pred"),
           py::arg("sample_weight") = py::none())
      .def("states", &Counter::states, py::arg("origin"), py::arg("pos_label"))
      .def("evaluated", &Counter::evaluated, py::arg("spec"), py::arg("groupings"))
      .def_property_readonly("labels", &Counter::labels)
      .def_property_readonly("refused", &Counter::refused);
  py::class_<Numbers>(module, "SliceNumbers")
      .def(py::init<int>(), py::arg("threads"))
      .def("of_rows", &Numbers::of_rows, py::arg("by"))
      .def("keys", &Numbers::keys)
      .def("__len__", &Numbers::size);
}

}  // namespace confmat::bind
