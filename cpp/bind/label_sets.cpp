// Sets of labels as tables of Booleans, and lists of labels as codes.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bind/arrow.hpp"
#include "bind/from_python.hpp"
#include "bind/long_call.hpp"
#include "bind/module.hpp"
#include "bind/to_python.hpp"
#include "confmat/arrow/check.hpp"
#include "confmat/arrow/nested.hpp"
#include "confmat/base/error.hpp"
#include "confmat/batch/cursor.hpp"
#include "confmat/tally/indicators.hpp"
#include "confmat/tally/label_codes.hpp"
#include "confmat/tally/sparse_lists.hpp"

namespace py = pybind11;

namespace confmat::bind {
namespace {

std::int64_t length(const std::vector<Chunks>& columns) {
  const std::int64_t values = columns.empty() ? 0 : total_length(columns[0]);
  for (const Chunks& column : columns) {
    if (total_length(column) != values) throw InputError("columns differ in length");
  }
  return values;
}

// Where columns of one length have 1, one after the other: Booleans, or bits.
struct ReadIndicators {
  ReadIndicators(const std::vector<Chunks>& columns, std::int64_t width, int threads) {
    const std::int64_t values = length(columns);
    if (width < 1 || values % width != 0) throw InputError("values make no whole rows");
    py::array_t<bool> out({static_cast<py::ssize_t>(columns.size()), py::ssize_t{values}});
    auto* const to = reinterpret_cast<std::byte*>(out.mutable_data());
    found = without_gil(out.size(), [&] { return read_indicators(columns, width, threads, to); });
    table = std::move(out);
  }
  ReadIndicators(const std::vector<Chunks>& columns, int threads) {
    const std::int64_t rows = length(columns);
    py::array_t<std::uint8_t> out(
        {static_cast<py::ssize_t>((columns.size() + 7) / 8), py::ssize_t{rows}});
    auto* const to = reinterpret_cast<std::byte*>(out.mutable_data());
    found = without_gil(rows * static_cast<std::int64_t>(columns.size()),
                        [&] { return read_packed_indicators(columns, threads, to); });
    table = std::move(out);
  }

  // Rows with a null or a nan; None: there is none.
  py::object missing() {
    if (found.missing.empty()) return py::none();
    return to_array(std::move(found.missing)).view("bool");
  }

  // That place; None: there is none.
  [[nodiscard]] py::object refused() const {
    if (!found.refused) return py::none();
    return py::make_tuple(found.refused->row, found.refused->column);
  }

  py::array table;
  Indicators found;
};

// Columns as Python hands them over, kept alive.
struct Sources {
  Sources(const py::sequence& columns, const std::string& argument) {
    for (const auto& column : columns) {
      sources.emplace_back(py::reinterpret_borrow<py::object>(column), argument);
      chunks.push_back(sources.back().chunks());
    }
  }

  std::deque<Source> sources;
  std::vector<Chunks> chunks;
};

py::tuple indicators(const py::sequence& columns, std::int64_t width, const std::string& argument,
                     int threads) {
  const Sources sources(columns, argument);
  ReadIndicators read(sources.chunks, width, threads);
  return py::make_tuple(read.table, read.missing(), read.refused());
}

py::tuple packed_indicators(const py::sequence& columns, const std::string& argument, int threads) {
  const Sources sources(columns, argument);
  ReadIndicators read(sources.chunks, threads);
  return py::make_tuple(read.table, read.missing(), read.refused());
}

// Of a table, or of lists of one length, with numbers of 0 and 1. None where somebody has to look
// closer: at other types and values, at rows that are null, at lists with a null.
py::object indicator_table(const py::object& values, const std::string& argument, int threads) {
  const std::shared_ptr<const ArrowData> data = arrow_data(values, argument);
  const auto fields = number_fields(*data, argument);
  if (!fields) return py::none();
  std::vector<Chunks> chunks;
  for (const ArrowColumns& column : fields->columns) chunks.push_back(column.chunks());
  const bool lists = fields->names.empty();
  ReadIndicators read =
      lists ? ReadIndicators(chunks, fields->width, threads) : ReadIndicators(chunks, threads);
  if (read.found.refused || (lists && !read.found.missing.empty())) return py::none();
  if (lists) {
    return py::make_tuple(read.table.reshape({py::ssize_t{-1}, py::ssize_t{fields->width}}),
                          py::none(), py::none());
  }
  return py::make_tuple(read.table, read.missing(), py::cast(fields->names));
}

// Lists of labels, and what errors call them: the places of the labels, where those of each row
// end, which rows are null.
py::tuple codes_of_labels(const std::vector<std::pair<py::object, std::string>>& columns,
                          const std::optional<py::sequence>& labels, int threads) {
  if (columns.empty() || columns.size() > 2) throw InputError("no one or two columns of labels");
  std::vector<std::shared_ptr<const ArrowData>> data;
  data.reserve(columns.size());
  for (const auto& [lists, argument] : columns) data.push_back(arrow_data(lists, argument));
  std::optional<Labels> known;
  if (labels) known = labels_from(*labels);
  std::deque<ListItems> read;
  std::int64_t work = 0;
  for (const auto& of_column : data) {
    for (const ArrowArray& array : of_column->arrays()) {
      work += std::clamp<std::int64_t>(array.length, 0, kMostArrowRows);  // nobody has looked yet
    }
  }
  LabelCodes found = without_gil(work, [&] {
    std::vector<ListedLabels> listed;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const char* const argument = columns[i].second.c_str();
      const ListItems& items = read.emplace_back(list_items(*data[i], argument));
      listed.push_back({items.items.chunks(), items.ends.span(), argument});
    }
    return label_codes(listed, known ? &*known : nullptr, threads);
  });
  py::list sides;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    py::object nulls = py::none();
    if (!read[i].nulls.empty()) nulls = to_array(std::move(read[i].nulls)).view("bool");
    sides.append(py::make_tuple(to_array(std::move(found.codes[i])),
                                to_array(std::move(read[i].ends)), std::move(nulls)));
  }
  py::object all = py::none();
  if (!labels) all = labels_to(found.labels);
  return py::make_tuple(std::move(sides), std::move(all));
}

template <class T>
using Numbers = py::array_t<T, py::array::c_style | py::array::forcecast>;

template <class T>
std::span<const T> span_of(const Numbers<T>& of) {
  return {of.data(), static_cast<std::size_t>(of.size())};
}

// Numbers of 32 bits as they lie, others as 64 bits.
struct Places {
  explicit Places(const py::array& of) {
    if (py::isinstance<Numbers<std::int32_t>>(of)) {
      narrow = of;
      span = span_of(narrow);
    } else {
      wide = of;
      span = span_of(wide);
    }
  }

  Numbers<std::int32_t> narrow;
  Numbers<std::int64_t> wide;
  SparsePlaces span;
};

py::tuple lists_of_sparse(const py::array& starts, const py::array& places, std::int64_t columns,
                          const std::string& argument, int threads) {
  const Places of_rows(starts), of_values(places);
  SparseLists found = without_gil(places.size() + starts.size(), [&] {
    return sparse_lists(of_rows.span, of_values.span, columns, argument.c_str(), threads);
  });
  return py::make_tuple(to_array(std::move(found.labels)), to_array(std::move(found.ends)));
}

}  // namespace

void register_label_sets(py::module_& module) {
  module.def("label_codes", &codes_of_labels, py::arg("columns"), py::arg("labels"),
             py::arg("threads"));
  module.def("indicators", &indicators, py::arg("columns"), py::arg("width"), py::arg("argument"),
             py::arg("threads"));
  module.def("packed_indicators", &packed_indicators, py::arg("columns"), py::arg("argument"),
             py::arg("threads"));
  module.def("indicator_table", &indicator_table, py::arg("values"), py::arg("argument"),
             py::arg("threads"));
  module.def("sparse_lists", &lists_of_sparse, py::arg("starts"), py::arg("places"),
             py::arg("columns"), py::arg("argument"), py::arg("threads"));
}

}  // namespace confmat::bind
