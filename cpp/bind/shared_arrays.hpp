// Arrays that states and NumPy share, without a copy, and the bytes of saved states.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "confmat/base/error.hpp"
#include "confmat/state/codec.hpp"
#include "confmat/state/shared_array.hpp"

namespace confmat::bind {

namespace py = pybind11;

// The memory of an array, which lives as long as it is shared.
template <class T>
SharedArray<T> shared(const py::handle& object) {
  auto* const array = new py::array_t<T, py::array::c_style | py::array::forcecast>(
      py::reinterpret_borrow<py::object>(object));
  const std::shared_ptr<const void> owner(array, [](const auto* of) {
    if (Py_IsInitialized() == 0) return;
    const py::gil_scoped_acquire held;
    delete of;
  });
  return {owner, {array->data(), static_cast<std::size_t>(array->size())}};
}

template <class T>
py::object array_of(const SharedArray<T>& values, std::vector<py::ssize_t> shape) {
  auto* const owner = new std::shared_ptr<const void>(values.owner());
  const py::capsule base(owner,
                         [](void* of) { delete static_cast<std::shared_ptr<const void>*>(of); });
  static constexpr T kNothing{};
  py::array_t<T> out(std::move(shape), values.empty() ? &kNothing : values.data(), base);
  py::detail::array_proxy(out.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return out;
}

template <class T>
py::object array_of(const SharedArray<T>& values) {
  return array_of(values, {static_cast<py::ssize_t>(values.size())});
}

// A contiguous array of edges, which may be none. Throws InputError.
inline SharedArray<double> edges_from(const py::array_t<double>& edges) {
  const bool whole = edges.ndim() == 1 && (edges.flags() & py::array::c_style) != 0;
  if (!whole || edges.size() == 0) {
    throw InputError("`bins` is no contiguous array of one or more edges");
  }
  return shared<double>(edges);
}

inline Bytes bytes_of(const py::handle& object) {
  char* data = nullptr;
  py::ssize_t size = 0;
  if (PyBytes_AsStringAndSize(object.ptr(), &data, &size) != 0) throw py::error_already_set();
  return {reinterpret_cast<const std::uint8_t*>(data), static_cast<std::size_t>(size)};
}

inline py::bytes to_python(const std::vector<std::uint8_t>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace confmat::bind
