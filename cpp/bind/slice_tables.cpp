// Tables of slices: made of columns, read as columns, merged and taken away as bytes.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bind/long_call.hpp"
#include "bind/module.hpp"
#include "bind/shared_arrays.hpp"
#include "bind/to_python.hpp"
#include "confmat/base/error.hpp"
#include "confmat/state/slice_table.hpp"

namespace py = pybind11;

namespace confmat::bind {
namespace {

using Totals = std::map<std::string, std::int64_t>;
template <class T>
using Array = py::array_t<T, py::array::c_style>;

std::string_view text_of(const py::handle& object) {
  py::ssize_t size = 0;
  const char* const data = PyUnicode_AsUTF8AndSize(object.ptr(), &size);
  if (data == nullptr) throw py::error_already_set();
  return {data, static_cast<std::size_t>(size)};
}

void require_rows(std::size_t found, std::size_t rows) {
  if (found != rows) throw InputError("columns differ in length");
}

// Of numbers an array, with what is null apart; of texts a list, which may hold None.
KeyValues values_of(KeyKind kind, const py::object& values, const py::object& nulls,
                    std::size_t rows) {
  KeyValues out;
  if (kind == KeyKind::kText) {
    const auto texts = py::cast<py::list>(values);
    require_rows(texts.size(), rows);
    for (const py::handle text : texts) {
      out.nulls.push_back(text.is_none() ? 1 : 0);
      out.texts.push_back(text.is_none() ? std::string_view() : text_of(text));
    }
    return out;
  }
  const auto array = py::cast<py::array>(values);
  require_rows(static_cast<std::size_t>(array.size()), rows);
  const auto add_all = [&]<class T>(const auto& rank_of, const Array<T>& numbers) {
    for (const T* at = numbers.data(); at != numbers.data() + rows; ++at) {
      out.ranks.push_back(rank_of(*at));
    }
  };
  out.ranks.reserve(rows);
  if (kind == KeyKind::kInt) add_all(rank_of_int, py::cast<Array<std::int64_t>>(array));
  if (kind == KeyKind::kFloat) add_all(rank_of_float, py::cast<Array<double>>(array));
  if (kind == KeyKind::kUInt) {
    add_all([](std::uint64_t value) { return value; }, py::cast<Array<std::uint64_t>>(array));
  }
  if (nulls.is_none()) return out;
  const auto flags = py::cast<Array<bool>>(nulls);
  require_rows(static_cast<std::size_t>(flags.size()), rows);
  out.nulls.assign(flags.data(), flags.data() + rows);
  for (std::size_t row = 0; row < rows; ++row) {
    if (out.nulls[row] != 0) out.ranks[row] = 0;
  }
  return out;
}

// Of columns that Python has checked. The table points into them.
SliceTable table_of(const std::string& asked, const Totals& totals, const py::list& keys,
                    const py::list& states, std::size_t rows) {
  SliceTable out;
  out.head.asked = asked;
  out.totals = totals;
  out.rows = rows;
  for (const py::handle key : keys) {
    const auto parts = py::cast<py::tuple>(key);
    const auto kind = py::cast<int>(parts[2]);
    if (kind < 0 || kind >= kKeyKinds) throw InputError("unknown kind of a key");
    out.head.keys.push_back({py::cast<std::string>(parts[0]), py::cast<std::string>(parts[1]),
                             static_cast<KeyKind>(kind)});
    out.keys.push_back(values_of(out.head.keys.back().kind, parts[3], parts[4], rows));
  }
  for (const py::handle column : states) {
    const auto parts = py::cast<py::tuple>(column);
    out.head.states.push_back(py::cast<std::string>(parts[0]));
    const auto values = py::cast<py::list>(parts[1]);
    require_rows(values.size(), rows);
    std::vector<Bytes>& of = out.states.emplace_back();
    for (const py::handle state : values) {
      of.push_back(state.is_none() ? Bytes() : bytes_of(state));
      if (!state.is_none() && of.back().empty()) throw StateError("a state of no bytes");
    }
  }
  return out;
}

void check_states(const SliceTable& table) {
  for (std::size_t column = 0; column < table.states.size(); ++column) {
    for (std::size_t row = 0; row < table.rows; ++row) {
      const Bytes state = table.states[column][row];
      try {
        if (!state.empty()) check_slice_state(state);
      } catch (const StateError& error) {
        throw StateError("`parts` at row " + std::to_string(row) + " of '" +
                         table.head.states[column] + "': " + error.what());
      }
    }
  }
}

py::bytes table_bytes(const std::string& asked, const Totals& totals, const py::list& keys,
                      const py::list& states, std::size_t rows) {
  const SliceTable table = table_of(asked, totals, keys, states, rows);
  return to_python(without_gil(static_cast<std::int64_t>(rows), [&] {
    check_states(table);
    return merged({&table, 1});
  }));
}

py::object values_to(KeyKind kind, const KeyValues& values) {
  if (kind == KeyKind::kText) {
    py::list out(values.texts.size());
    for (std::size_t row = 0; row < values.texts.size(); ++row) {
      out[row] = values.is_null(row) ? py::object(py::none())
                                     : py::str(values.texts[row].data(), values.texts[row].size());
    }
    return out;
  }
  const auto numbers = [&]<class T>(T, const auto& number_of) -> py::object {
    std::vector<T> out;
    out.reserve(values.ranks.size());
    for (std::size_t row = 0; row < values.ranks.size(); ++row) {
      out.push_back(values.is_null(row) ? T{} : number_of(values.ranks[row]));
    }
    return to_array(std::move(out));
  };
  if (kind == KeyKind::kInt) return numbers(std::int64_t{}, int_of_rank);
  if (kind == KeyKind::kFloat) return numbers(double{}, float_of_rank);
  return numbers(std::uint64_t{}, [](std::uint64_t rank) { return rank; });
}

py::object nulls_to(const KeyValues& values) {
  if (values.nulls.empty()) return py::none();
  return to_array(std::vector<std::uint8_t>(values.nulls)).view("bool");
}

py::tuple read_table(const py::bytes& data) {
  const Bytes bytes = bytes_of(data);
  const SliceTable table =
      without_gil(static_cast<std::int64_t>(bytes.size()), [&] { return decode_table(bytes); });
  py::list keys;
  for (std::size_t i = 0; i < table.keys.size(); ++i) {
    const KeyColumn& key = table.head.keys[i];
    keys.append(py::make_tuple(key.name, key.dtype, static_cast<int>(key.kind),
                               values_to(key.kind, table.keys[i]), nulls_to(table.keys[i])));
  }
  py::list states;
  for (std::size_t i = 0; i < table.states.size(); ++i) {
    py::list column(table.rows);
    for (std::size_t row = 0; row < table.rows; ++row) {
      const Bytes state = table.states[i][row];
      column[row] = state.empty()
                        ? py::object(py::none())
                        : py::bytes(reinterpret_cast<const char*>(state.data()), state.size());
    }
    states.append(py::make_tuple(table.head.states[i], std::move(column)));
  }
  return py::make_tuple(table.head.asked, table.totals, std::move(keys), std::move(states),
                        table.rows);
}

py::bytes merge_tables(const py::list& tables, int threads) {
  const py::tuple kept(tables);  // whatever becomes of the list
  std::vector<Bytes> saved;
  std::int64_t work = 0;
  for (const py::handle table : kept) {
    saved.push_back(bytes_of(table));
    work += static_cast<std::int64_t>(saved.back().size());
  }
  return to_python(without_gil(work, [&] { return merge_saved_tables(saved, threads); }));
}

py::bytes subtract_tables(const py::bytes& one, const py::bytes& other) {
  const Bytes first = bytes_of(one), second = bytes_of(other);
  return to_python(without_gil(static_cast<std::int64_t>(first.size() + second.size()), [&] {
    return taken_away(decode_table(first), decode_table(second));
  }));
}

}  // namespace

void register_slice_tables(py::module_& module) {
  module.def("table_bytes", &table_bytes, py::arg("asked"), py::arg("totals"), py::arg("keys"),
             py::arg("states"), py::arg("rows"));
  module.def("read_table", &read_table, py::arg("data"));
  module.def("merge_tables", &merge_tables, py::arg("tables"), py::arg("threads") = 0);
  module.def("subtract_tables", &subtract_tables, py::arg("one"), py::arg("other"));
}

}  // namespace confmat::bind
