// The registries as Python sees them: facts, names, values and reasons of asks.
#include <pybind11/stl.h>

#include <algorithm>

#include "bind/cells.hpp"
#include "bind/facts.hpp"
#include "bind/long_call.hpp"
#include "bind/module.hpp"
#include "confmat/base/error.hpp"
#include "confmat/base/interrupt.hpp"
#include "confmat/metrics/registry.hpp"

namespace py = pybind11;

namespace confmat::bind {
namespace {

using Classes = std::optional<std::vector<std::int64_t>>;
using Names = std::vector<std::string>;

metrics::Options options_from(std::int64_t pos, std::optional<double> undefined, double smoothing,
                              bool keep_empty, bool implied, Classes classes) {
  return {.pos = pos,
          .undefined = undefined,
          .smoothing = smoothing,
          .keep_empty = keep_empty,
          .implied = implied,
          .classes = std::move(classes)};
}

class Asks {
 public:
  explicit Asks(const std::vector<std::string>& names) {
    for (const auto& name : names) {
      asks_.push_back(metrics::parse(name));
      needs_positive_ |= asks_.back().needs_positive;
    }
  }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> out;
    out.reserve(asks_.size());
    for (const auto& ask : asks_) out.push_back(ask.name);
    return out;
  }
  [[nodiscard]] bool needs_positive() const noexcept { return needs_positive_; }
  [[nodiscard]] bool may_leave_out() const {
    return std::ranges::any_of(asks_, metrics::may_leave_out);
  }

  py::array_t<double> values(const py::object& array, const py::sequence& labels, std::int64_t pos,
                             std::optional<double> undefined, double smoothing, bool keep_empty,
                             bool implied, Classes classes) const {
    const Cells cells(array);
    const auto options =
        options_from(pos, undefined, smoothing, keep_empty, implied, std::move(classes));
    check(cells, labels, options);
    const auto m = static_cast<py::ssize_t>(asks_.size());
    auto out = cells.stacked() ? py::array_t<double>({py::ssize_t{cells.tables()}, m})
                               : py::array_t<double>(m);
    double* to = out.mutable_data();
    without_gil(cells.size() * rounds(cells), [&] {
      const StopSign sign;
      for (std::int64_t i = 0; i < cells.tables(); ++i) {
        sign.obey();
        metrics::values(asks_, cells.table(i), options, to + i * m);
      }
    });
    return out;
  }

  // The value of the first, of one table: little is done but what it takes.
  double value(const py::object& array, const py::sequence& labels, std::int64_t pos,
               std::optional<double> undefined, double smoothing, bool keep_empty, bool implied,
               Classes classes) const {
    const Cells cells(array);
    const auto options =
        options_from(pos, undefined, smoothing, keep_empty, implied, std::move(classes));
    check(cells, labels, options);
    return cells.first(rounds(cells), [&](const metrics::Table& table) {
      double out = 0;
      metrics::values({asks_.data(), 1}, table, options, &out);
      return out;
    });
  }

  py::array_t<double> per_class(const py::object& array, std::optional<double> undefined,
                                double smoothing, bool keep_empty) const {
    const Cells cells(array);
    auto out =
        py::array_t<double>({py::ssize_t{cells.k()}, static_cast<py::ssize_t>(asks_.size())});
    const auto options = options_from(-1, undefined, smoothing, keep_empty, false, std::nullopt);
    cells.first(rounds(cells), [&, to = out.mutable_data()](const metrics::Table& table) {
      metrics::per_class(asks_, table, options, to);
    });
    return out;
  }

  std::vector<std::optional<std::string>> reasons(const py::object& array,
                                                  const py::sequence& labels, std::int64_t pos,
                                                  double smoothing, bool keep_empty, bool implied,
                                                  Classes classes) const {
    const Cells cells(array);
    const auto options =
        options_from(pos, std::nullopt, smoothing, keep_empty, implied, std::move(classes));
    check(cells, labels, options);
    const auto names = labels.cast<Names>();
    return cells.first(rounds(cells), [&](const metrics::Table& table) {
      std::vector<std::optional<std::string>> out;
      for (const auto& ask : asks_) {
        auto text = metrics::reason(ask, table, options, names);
        out.push_back(text.empty() ? std::nullopt : std::optional(std::move(text)));
      }
      return out;
    });
  }

  // The values of one table, and the reasons of these.
  py::tuple explained(const py::object& array, const py::sequence& labels, std::int64_t pos,
                      std::optional<double> undefined, double smoothing, bool keep_empty,
                      bool implied) const {
    const Cells cells(array);
    const auto options = options_from(pos, undefined, smoothing, keep_empty, implied, std::nullopt);
    check(cells, labels, options);
    const auto names = labels.cast<Names>();
    auto values = py::array_t<double>(static_cast<py::ssize_t>(asks_.size()));
    Names why(asks_.size());
    cells.first(rounds(cells), [&, to = values.mutable_data()](const metrics::Table& table) {
      metrics::explained(asks_, table, options, names, to, why.data());
    });
    py::list reasons;
    for (const std::string& text : why) {
      reasons.append(text.empty() ? py::object(py::none()) : py::str(text));
    }
    return py::make_tuple(values, reasons);
  }

  std::vector<std::int64_t> n_used(const py::object& array, std::optional<double> undefined,
                                   double smoothing, bool keep_empty, bool implied,
                                   Classes classes) const {
    const Cells cells(array);
    const auto options =
        options_from(-1, undefined, smoothing, keep_empty, implied, std::move(classes));
    check_classes(cells, options);
    return cells.first(rounds(cells), [&](const metrics::Table& table) {
      std::vector<std::int64_t> out;
      out.reserve(asks_.size());
      for (const auto& ask : asks_) out.push_back(metrics::n_used(ask, table, options));
      return out;
    });
  }

  // Why each is not computed for this table, or None.
  std::vector<std::optional<std::string>> refused(const py::object& array, bool keep_empty,
                                                  bool implied, Classes classes) const {
    const Cells cells(array);
    const auto options =
        options_from(-1, std::nullopt, 0.0, keep_empty, implied, std::move(classes));
    check_classes(cells, options);
    return cells.first(1, [&](const metrics::Table& table) {
      std::vector<std::optional<std::string>> out;
      for (const auto& ask : asks_) {
        auto text = metrics::refusal(ask, table, options);
        out.push_back(text.empty() ? std::nullopt : std::optional(std::move(text)));
      }
      return out;
    });
  }

  std::vector<std::int64_t> left_out(const py::object& array, double smoothing, bool keep_empty,
                                     bool implied, Classes classes) const {
    const Cells cells(array);
    const auto options =
        options_from(-1, std::nullopt, smoothing, keep_empty, implied, std::move(classes));
    check_classes(cells, options);
    return cells.first(rounds(cells), [&](const metrics::Table& table) {
      return metrics::left_out(asks_.at(0), table, options);
    });
  }

 private:
  [[nodiscard]] std::int64_t rounds(const Cells& cells) const noexcept {
    return cells.rounds() * static_cast<std::int64_t>(asks_.size());
  }

  void check(const Cells& cells, const py::sequence& labels,
             const metrics::Options& options) const {
    if (static_cast<std::int64_t>(labels.size()) != cells.k()) {
      throw InputError("`labels` has " + std::to_string(labels.size()) + " labels for " +
                       std::to_string(cells.k()) + " classes");
    }
    if (options.pos < -1 || options.pos >= cells.k()) throw InputError("`pos` is not a class");
    check_classes(cells, options);
    // Small tables spend longer on the names of their classes than on a metric.
    const bool may_be_named = needs_positive_ && options.pos < 0;
    const Names names = may_be_named ? labels.cast<Names>() : Names();
    for (const auto& ask : asks_) metrics::check(ask, cells.k(), options, names);
  }

  static void check_classes(const Cells& cells, const metrics::Options& options) {
    if (!options.classes) return;
    for (const std::int64_t at : *options.classes) {
      if (at < 0 || at >= cells.k()) throw InputError("`classes` holds a position of no class");
    }
  }

  std::vector<metrics::Ask> asks_;
  bool needs_positive_ = false;
};

py::list facts() {
  py::list out;
  for (const auto& fact : metrics::facts()) {
    py::dict row = row_of(fact);
    row["level"] = fact.level;
    row["base"] = fact.base;
    row["average"] = fact.average;
    row["transpose_invariant"] = fact.transpose_invariant;
    row["transpose_partner"] = fact.transpose_partner;
    row["swap_partner"] = fact.swap_partner;
    row["relabel_invariant"] = fact.relabel_invariant;
    row["perfect_is_best"] = fact.perfect_is_best;
    row["scale_invariant"] = fact.scale_invariant;
    row["shape"] = fact.shape;
    row["since"] = fact.since;
    out.append(row);
  }
  return out;
}

py::dict levels() {
  py::dict out;
  for (const auto& [name, level] : metrics::levels()) out[py::str(name)] = level;
  return out;
}

template <class T>
py::array_t<T> vector_of(const std::vector<T>& values) {
  return py::array_t<T>(static_cast<py::ssize_t>(values.size()), values.data());
}

}  // namespace

void register_metrics(py::module_& module) {
  py::class_<Asks>(module, "Asks")
      .def(py::init<const std::vector<std::string>&>(), py::arg("names"))
      .def_property_readonly("names", &Asks::names)
      .def_property_readonly("needs_positive", &Asks::needs_positive)
      .def_property_readonly("may_leave_out", &Asks::may_leave_out)
      .def("value", &Asks::value, py::arg("cells"), py::arg("labels"), py::arg("pos"),
           py::arg("undefined"), py::arg("smoothing"), py::arg("keep_empty"), py::arg("implied"),
           py::arg("classes"))
      .def("values", &Asks::values, py::arg("cells"), py::arg("labels"), py::kw_only(),
           py::arg("pos") = -1, py::arg("undefined") = py::none(), py::arg("smoothing") = 0.0,
           py::arg("keep_empty") = false, py::arg("implied") = false,
           py::arg("classes") = py::none())
      .def("per_class", &Asks::per_class, py::arg("cells"), py::kw_only(),
           py::arg("undefined") = py::none(), py::arg("smoothing") = 0.0,
           py::arg("keep_empty") = false)
      .def("reasons", &Asks::reasons, py::arg("cells"), py::arg("labels"), py::kw_only(),
           py::arg("pos") = -1, py::arg("smoothing") = 0.0, py::arg("keep_empty") = false,
           py::arg("implied") = false, py::arg("classes") = py::none())
      .def("explained", &Asks::explained, py::arg("cells"), py::arg("labels"), py::kw_only(),
           py::arg("pos") = -1, py::arg("undefined") = py::none(), py::arg("smoothing") = 0.0,
           py::arg("keep_empty") = false, py::arg("implied") = false)
      .def("n_used", &Asks::n_used, py::arg("cells"), py::kw_only(),
           py::arg("undefined") = py::none(), py::arg("smoothing") = 0.0,
           py::arg("keep_empty") = false, py::arg("implied") = false,
           py::arg("classes") = py::none())
      .def("refused", &Asks::refused, py::arg("cells"), py::kw_only(),
           py::arg("keep_empty") = false, py::arg("implied") = false,
           py::arg("classes") = py::none())
      .def("left_out", &Asks::left_out, py::arg("cells"), py::kw_only(), py::arg("smoothing") = 0.0,
           py::arg("keep_empty") = false, py::arg("implied") = false,
           py::arg("classes") = py::none());
  module.def("facts", &facts);
  module.def("levels", &levels);
  module.def(
      "eve_eigenvalues",
      [](const py::object& array) {
        const Cells cells(array);
        return vector_of(cells.first(cells.rounds(), metrics::eve_eigenvalues));
      },
      py::arg("cells"));
  module.def(
      "eve_bounds",
      [](const py::object& array) { return Cells(array).first(1, metrics::eve_bounds); },
      py::arg("cells"));
  module.def(
      "singular_values",
      [](const py::object& array) {
        const Cells cells(array);
        return vector_of(cells.first(cells.rounds(), metrics::singular_values));
      },
      py::arg("cells"));
  module.def(
      "balanced",
      [](const py::object& array) {
        const Cells cells(array);
        return cells.shaped(cells.first(1, metrics::balanced));
      },
      py::arg("cells"));
  module.def(
      "bistochastic",
      [](const py::object& array) {
        const Cells cells(array);
        constexpr std::int64_t kRounds = 1024;
        const auto shares = cells.first(kRounds, metrics::bistochastic);
        return py::array_t<double>({py::ssize_t{cells.k()}, py::ssize_t{cells.k()}}, shares.data());
      },
      py::arg("cells"));
  module.def(
      "pair_counts",
      [](const py::object& array) {
        return vector_of(Cells(array).first(1, metrics::pair_counts));
      },
      py::arg("cells"));
}

}  // namespace confmat::bind
