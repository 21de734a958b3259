// Metric names, parsed once, as Python calls them with the cells of matrices.
#pragma once

#include <pybind11/stl.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bind/cells.hpp"
#include "bind/long_call.hpp"
#include "bind/options.hpp"
#include "confmat/base/error.hpp"
#include "confmat/base/interrupt.hpp"
#include "confmat/metrics/registry.hpp"

namespace confmat::bind {

namespace py = pybind11;

using Names = std::vector<std::string>;

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

  py::array_t<double> values(const py::object& array, const py::sequence& labels,
                             const metrics::Options& options) const {
    const Cells cells(array);
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
  double value(const py::object& array, const py::sequence& labels,
               const metrics::Options& options) const {
    const Cells cells(array);
    check(cells, labels, options);
    return cells.first(rounds(cells), [&](const metrics::Table& table) {
      double out = 0;
      metrics::values({asks_.data(), 1}, table, options, &out);
      return out;
    });
  }

  py::array_t<double> per_class(const py::object& array, const metrics::Options& options) const {
    const Cells cells(array);
    auto out =
        py::array_t<double>({py::ssize_t{cells.k()}, static_cast<py::ssize_t>(asks_.size())});
    cells.first(rounds(cells), [&, to = out.mutable_data()](const metrics::Table& table) {
      metrics::per_class(asks_, table, options, to);
    });
    return out;
  }

  std::vector<std::optional<std::string>> reasons(const py::object& array,
                                                  const py::sequence& labels,
                                                  const metrics::Options& options) const {
    const Cells cells(array);
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
  py::tuple explained(const py::object& array, const py::sequence& labels,
                      const metrics::Options& options) const {
    const Cells cells(array);
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

  std::vector<std::int64_t> n_used(const py::object& array, const metrics::Options& options) const {
    const Cells cells(array);
    check_classes(cells, options);
    return cells.first(rounds(cells), [&](const metrics::Table& table) {
      std::vector<std::int64_t> out;
      out.reserve(asks_.size());
      for (const auto& ask : asks_) out.push_back(metrics::n_used(ask, table, options));
      return out;
    });
  }

  // Why each is not computed for this table, or None.
  std::vector<std::optional<std::string>> refused(const py::object& array,
                                                  const metrics::Options& options) const {
    const Cells cells(array);
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

  std::vector<std::int64_t> left_out(const py::object& array,
                                     const metrics::Options& options) const {
    const Cells cells(array);
    check_classes(cells, options);
    return cells.first(rounds(cells), [&](const metrics::Table& table) {
      return metrics::left_out(asks_.at(0), table, options);
    });
  }

  [[nodiscard]] const std::vector<metrics::Ask>& asks() const noexcept { return asks_; }
  // Of the cells, for all asks.
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

 private:
  static void check_classes(const Cells& cells, const metrics::Options& options) {
    if (!options.classes) return;
    for (const std::int64_t at : *options.classes) {
      if (at < 0 || at >= cells.k()) throw InputError("`classes` holds a position of no class");
    }
  }

  std::vector<metrics::Ask> asks_;
  bool needs_positive_ = false;
};

}  // namespace confmat::bind
