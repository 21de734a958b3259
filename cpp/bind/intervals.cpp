// Intervals and gradients of the metrics of matrices.
#include "confmat/metrics/intervals.hpp"

#include <cmath>

#include "bind/asks.hpp"
#include "bind/module.hpp"

namespace confmat::bind {
namespace {

using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;

// Squared weights of as many cells.
struct SquaredWeights {
  Numbers values;

  SquaredWeights(const std::optional<Numbers>& given, const Cells& cells) {
    if (!given) return;
    values = *given;
    const metrics::Table table = cells.table(0);
    const auto held = table.is_sparse ? table.filled : cells.tables() * cells.k() * cells.k();
    if (values.size() != held) throw InputError("`squares` has another size than the cells");
  }
  // Table `i` with them.
  [[nodiscard]] metrics::Table in(const Cells& cells, std::int64_t i) const {
    metrics::Table table = cells.table(i);
    table.is_weighted = values.size() > 0;
    if (table.is_weighted) table.squares = values.data() + i * cells.k() * cells.k();
    return table;
  }
};

// For each table and ask: value, low, high and standard error; and the number of the method.
py::tuple intervals(const Asks& asks, const py::object& array, const py::sequence& labels,
                    const metrics::Options& options, double below, double above,
                    const std::optional<Numbers>& given) {
  const Cells cells(array);
  const SquaredWeights squares(given, cells);
  asks.check(cells, labels, options);
  const auto m = static_cast<py::ssize_t>(asks.asks().size());
  const auto tables = static_cast<py::ssize_t>(cells.tables());
  py::array_t<double> numbers({tables, m, py::ssize_t{4}});
  py::array_t<std::uint8_t> methods({tables, m});
  double* to = numbers.mutable_data();
  std::uint8_t* said = methods.mutable_data();
  without_gil(cells.size() * asks.rounds(cells) * 4, [&] {
    const StopSign sign;
    std::vector<metrics::Interval> found(asks.asks().size());
    for (std::int64_t i = 0; i < cells.tables(); ++i) {
      sign.obey();
      metrics::intervals(asks.asks(), squares.in(cells, i), options, {below, above}, found.data());
      for (const metrics::Interval& one : found) {
        for (const double number : {one.value, one.low, one.high, one.se}) *to++ = number;
        *said++ = static_cast<std::uint8_t>(one.method);
      }
    }
  });
  return py::make_tuple(numbers, methods);
}

// For each table and ask: rows and rows in all; nan where it is no rate.
py::array_t<double> rates(const Asks& asks, const py::object& array, const py::sequence& labels,
                          const metrics::Options& options, const std::optional<Numbers>& given) {
  const Cells cells(array);
  const SquaredWeights squares(given, cells);
  asks.check(cells, labels, options);
  const auto m = static_cast<py::ssize_t>(asks.asks().size());
  py::array_t<double> out({static_cast<py::ssize_t>(cells.tables()), m, py::ssize_t{2}});
  double* to = out.mutable_data();
  without_gil(cells.size() * m, [&] {
    for (std::int64_t i = 0; i < cells.tables(); ++i) {
      metrics::rates(asks.asks(), squares.in(cells, i), options, to + i * m * 2);
    }
  });
  return out;
}

// The (m, K, K) derivatives of one table; None where some have none.
std::optional<py::array_t<double>> gradients(const Asks& asks, const py::object& array,
                                             const py::sequence& labels,
                                             const metrics::Options& options) {
  const Cells cells(array);
  asks.check(cells, labels, options);
  const py::ssize_t k = cells.table(0).is_sparse ? 0 : cells.k();
  py::array_t<double> out({static_cast<py::ssize_t>(asks.asks().size()), k, k});
  const bool all = cells.first(asks.rounds(cells) * 2,
                               [&, to = out.mutable_data()](const metrics::Table& table) {
                                 return metrics::gradients(asks.asks(), table, options, to);
                               });
  return all ? std::optional(out) : std::nullopt;
}

// Ends of values with standard errors; nan where there are none.
py::tuple on_scale(const Numbers& values, const Numbers& se, double lo, double hi, double below,
                   double above) {
  const metrics::Reach reach{below, above};
  const auto end = [&](double metrics::Interval::* which) {
    return py::vectorize([=](double value, double error) {
      if (!(error >= 0.0) || !(value > lo && value < hi)) return std::nan("");
      return metrics::on_scale(value, error, lo, hi, reach).*which;
    })(values, se);
  };
  return py::make_tuple(end(&metrics::Interval::low), end(&metrics::Interval::high));
}

// What a metric counts if it is a rate of rows: the names of the cells of its numerator, and of
// those that are in the denominator as well; None: it is none.
py::object rate_of(const std::string& name) {
  const auto rate = metrics::rate_of(metrics::parse(name));
  if (!rate) return py::none();
  py::list numerator, others;
  if (rate->of_all) {
    numerator.append(rate->right ? "right" : "wrong");
    others.append(rate->right ? "wrong" : "right");
  } else {
    const char* const cells[] = {"tp", "fp", "fn", "tn"};
    for (unsigned i = 0; i < 4; ++i) {
      if ((rate->numerator >> i & 1U) != 0) {
        numerator.append(cells[i]);
      } else if ((rate->denominator >> i & 1U) != 0) {
        others.append(cells[i]);
      }
    }
  }
  return py::make_tuple(py::tuple(numerator), py::tuple(others));
}

}  // namespace

void register_intervals(py::module_& module) {
  module.def("intervals", &intervals, py::arg("asks"), py::arg("cells"), py::arg("labels"),
             py::arg("options"), py::arg("below"), py::arg("above"), py::kw_only(),
             py::arg("squares") = py::none());
  module.def("on_scale", &on_scale, py::arg("values"), py::arg("se"), py::arg("lo"), py::arg("hi"),
             py::arg("below"), py::arg("above"));
  module.def("effective_rows",
             py::vectorize([](double part, double whole, double part_square, double whole_square) {
               return metrics::effective_rows({part, whole, part_square, whole_square});
             }),
             py::arg("part"), py::arg("whole"), py::arg("part_square"), py::arg("whole_square"));
  module.def("rates", &rates, py::arg("asks"), py::arg("cells"), py::arg("labels"),
             py::arg("options"), py::kw_only(), py::arg("squares") = py::none());
  module.def("rate_of", &rate_of, py::arg("name"));
  module.def("gradients", &gradients, py::arg("asks"), py::arg("cells"), py::arg("labels"),
             py::arg("options"));
}

}  // namespace confmat::bind
