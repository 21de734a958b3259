// Requests as bytes, and the columns of groups as NumPy and Arrow arrays.
#include "bind/group_columns.hpp"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "bind/arrow.hpp"
#include "bind/key_values.hpp"
#include "confmat/arrow/number_columns.hpp"
#include "confmat/kernels/validity.hpp"

namespace py = pybind11;

namespace confmat::bind {
namespace {

py::object numbers_of(const std::shared_ptr<const GroupColumns>& columns) {
  std::vector<NumberColumn> out;
  for (const auto* const totals : {&columns->n, &columns->n_dropped, &columns->n_other}) {
    out.push_back({.format = "L", .values = totals->data()});
  }
  const std::size_t groups = columns->n.size();
  for (std::size_t m = 0; m < columns->valid.size(); ++m) {
    const Pages<std::uint8_t>& valid = columns->valid[m];
    out.push_back({.format = "g",
                   .values = columns->values.data() + m * groups,
                   .validity = valid.data(),
                   .nulls = static_cast<std::int64_t>(groups) - count_bits(valid.span())});
  }
  return arrow_object(arrow_struct(columns, static_cast<std::int64_t>(groups), out));
}

}  // namespace

Spec spec_of(const py::bytes& message) {
  const auto bytes = static_cast<std::string_view>(message);
  return parse_spec({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
}

py::tuple group_columns(GroupColumns&& columns) {
  py::list values_of_keys;
  for (GroupKeyColumn& key : columns.keys) values_of_keys.append(key_values(std::move(key)));
  py::object reasons = py::none();
  if (columns.reasons) {
    const auto groups = static_cast<py::ssize_t>(columns.n.size());
    const auto asks = static_cast<py::ssize_t>(columns.valid.size());
    py::array_t<std::int32_t> positions({asks, groups});
    for (py::ssize_t i = 0; i < asks; ++i) {
      std::ranges::copy(columns.reasons->of(static_cast<std::size_t>(i)),
                        positions.mutable_data() + i * groups);
    }
    reasons = py::make_tuple(columns.reasons->texts(), positions);
  }
  py::object sizes = py::cast(columns.sizes);
  return py::make_tuple(std::move(values_of_keys), std::move(sizes),
                        numbers_of(std::make_shared<GroupColumns>(std::move(columns))),
                        std::move(reasons));
}

}  // namespace confmat::bind
