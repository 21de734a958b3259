// Tables of probabilities of many classes: checks, sums and ladders for Python.
#include "confmat/tally/probabilities.hpp"

#include <pybind11/stl.h>

#include <deque>
#include <optional>

#include "bind/from_python.hpp"
#include "bind/long_call.hpp"
#include "bind/module.hpp"
#include "bind/to_python.hpp"
#include "confmat/base/error.hpp"
#include "confmat/batch/cursor.hpp"
#include "confmat/tally/class_codes.hpp"
#include "confmat/tally/ladders.hpp"

namespace py = pybind11;

namespace confmat::bind {
namespace {

using Codes = py::array_t<std::uint16_t, py::array::c_style>;
using Weights = py::array_t<double, py::array::c_style>;

// K columns of floats, their classes and weights, kept alive.
class Table {
 public:
  Table(const py::list& proba, const Codes& classes, const std::optional<Weights>& weights)
      : classes_(classes), weights_(weights) {
    for (const auto& column : proba) {
      const auto& source =
          sources_.emplace_back(py::reinterpret_borrow<py::object>(column), "proba");
      for (const Column& chunk : source.chunks()) {
        if (chunk.type != DType::kFloat32 && chunk.type != DType::kFloat64) {
          throw InputError("`scores` holds " + std::string(name_of(chunk.type)) +
                           "; wanted floats");
        }
        columns_.push_back(chunk);
      }
    }
    const auto rows = classes_.size();
    if (columns_.empty() || columns_.size() != proba.size() || columns_.size() > 65533) {
      throw InputError("`scores` has " + std::to_string(columns_.size()) +
                       " columns; wanted 1 to 65533 in one piece each");
    }
    for (const Column& column : columns_) {
      if (column.length != rows) {
        throw InputError("`scores` has " + std::to_string(column.length) + " rows, `y_true` " +
                         std::to_string(rows));
      }
    }
    if (weights_ && weights_->size() != rows) {
      throw InputError("`sample_weight` has " + std::to_string(weights_->size()) +
                       " rows, `y_true` " + std::to_string(rows));
    }
    const auto size = static_cast<std::size_t>(rows);
    table_.columns = columns_;
    table_.classes = {classes_.data(), size};
    if (weights_) table_.weights = {weights_->data(), size};
  }
  [[nodiscard]] const ProbabilityTable& get() const noexcept { return table_; }
  [[nodiscard]] std::int64_t cells() const noexcept {
    return classes_.size() * static_cast<std::int64_t>(columns_.size());
  }

 private:
  Codes classes_;
  std::optional<Weights> weights_;
  std::deque<Source> sources_;
  std::vector<Column> columns_;
  ProbabilityTable table_;
};

py::object codes_of(const py::object& y_true, const py::object& labels, int threads) {
  const Source truth(y_true, "y_true");
  const Labels known = labels_from(labels);
  return to_array(without_gil(total_length(truth.chunks()),
                              [&] { return class_codes(truth.chunks(), known, threads); }));
}

py::dict sums_of(const py::list& proba, const Codes& classes, const std::optional<Weights>& weights,
                 double tolerance, double clip, bool soft, int threads) {
  const Table table(proba, classes, weights);
  ProbabilitySums sums = without_gil(table.cells(), [&] {
    return sum_probabilities(table.get(), {tolerance, clip, soft, threads});
  });
  const auto k = static_cast<py::ssize_t>(proba.size());
  py::dict out;
  out["n_rows"] = sums.n_rows;
  out["n_clipped"] = sums.n_clipped;
  out["weight"] = sums.weight;
  out["log_loss"] = sums.log_loss;
  out["brier"] = sums.brier;
  out["losses"] =
      py::make_tuple(to_array(std::move(sums.losses[0])), to_array(std::move(sums.losses[1])));
  out["class_weights"] = to_array(std::move(sums.class_weights));
  out["ranks"] = to_array(std::move(sums.ranks)).reshape({static_cast<py::ssize_t>(kTies), k});
  out["not_probabilities"] = sums.not_probabilities;
  if (soft) out["soft"] = to_array(std::move(sums.soft)).reshape({k, k});
  return out;
}

py::object top_k_of(const py::list& proba, const Codes& classes, std::int64_t k, bool last,
                    int threads) {
  const Table table(proba, classes, std::nullopt);
  return to_array(without_gil(table.cells(), [&] {
    return predict_top_k(table.get(), k, last ? Ties::kLast : Ties::kFirst, threads);
  }));
}

py::dict to_dict(Ladders&& ladders) {
  py::dict out;
  out["offsets"] = to_array(std::move(ladders.offsets));
  out["scores"] = to_array(std::move(ladders.scores));
  out["members"] = to_array(std::move(ladders.members));
  out["others"] = to_array(std::move(ladders.others));
  out["between"] = to_array(std::move(ladders.between));
  out["lowest"] = to_array(std::move(ladders.lowest));
  out["below"] = to_array(std::move(ladders.below));
  out["lowest_below"] = to_array(std::move(ladders.lowest_below));
  return out;
}

py::tuple ladders_of(const py::list& proba, const Codes& classes,
                     const std::optional<Weights>& weights, bool wanted, int threads) {
  const Table table(proba, classes, weights);
  Ladders ladders;
  Wins wins = without_gil(table.cells(), [&] {
    return class_ladders(table.get(), wanted ? &ladders : nullptr, threads);
  });
  const auto k = static_cast<py::ssize_t>(proba.size());
  py::object table_of_wins;
  if (!wins.weighted.empty()) {
    table_of_wins = to_array(std::move(wins.weighted)).reshape({k, k});
  } else {
    table_of_wins = to_array(std::move(wins.exact)).reshape({k, k});
  }
  return py::make_tuple(table_of_wins,
                        wanted ? py::object(to_dict(std::move(ladders))) : py::none());
}

py::dict pooled_of(const py::list& proba, const Codes& classes,
                   const std::optional<Weights>& weights, int threads) {
  const Table table(proba, classes, weights);
  return to_dict(without_gil(table.cells(), [&] { return pooled_ladder(table.get(), threads); }));
}

}  // namespace

void register_probabilities(py::module_& module) {
  module.def("class_codes", &codes_of, py::arg("y_true"), py::arg("labels"), py::arg("threads"));
  module.def("probability_sums", &sums_of, py::arg("proba"), py::arg("classes"), py::arg("weights"),
             py::arg("tolerance"), py::arg("clip"), py::arg("soft"), py::arg("threads"));
  module.def("predict_top_k", &top_k_of, py::arg("proba"), py::arg("classes"), py::arg("k"),
             py::arg("last"), py::arg("threads"));
  module.def("class_ladders", &ladders_of, py::arg("proba"), py::arg("classes"), py::arg("weights"),
             py::arg("ladders"), py::arg("threads"));
  module.def("pooled_ladder", &pooled_of, py::arg("proba"), py::arg("classes"), py::arg("weights"),
             py::arg("threads"));
}

}  // namespace confmat::bind
