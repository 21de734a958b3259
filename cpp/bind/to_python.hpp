// Results as NumPy arrays that own their memory. No copy.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <utility>
#include <variant>
#include <vector>

#include "confmat/base/pages.hpp"

namespace confmat::bind {

template <class T>
pybind11::object array_of(Pages<T>&& pages, std::vector<pybind11::ssize_t> shape) {
  auto* held = new Pages<T>(std::move(pages));
  const pybind11::capsule owner(held, [](void* p) { delete static_cast<Pages<T>*>(p); });
  return pybind11::array_t<T>(std::move(shape), held->data(), owner);
}

template <class T>
pybind11::object array_of(Pages<T>&& pages) {
  const auto size = static_cast<pybind11::ssize_t>(pages.size());
  return array_of(std::move(pages), {size});
}

template <class... T>
pybind11::object array_of(std::variant<Pages<T>...>&& pages) {
  return std::visit([](auto& typed) { return array_of(std::move(typed)); }, pages);
}

template <class T>
pybind11::array_t<T> to_array(std::vector<T>&& values, std::vector<pybind11::ssize_t> shape) {
  auto* held = new std::vector<T>(std::move(values));
  const pybind11::capsule owner(held, [](void* p) { delete static_cast<std::vector<T>*>(p); });
  return pybind11::array_t<T>(std::move(shape), held->data(), owner);
}

template <class T>
pybind11::array_t<T> to_array(std::vector<T>&& values) {
  const auto size = static_cast<pybind11::ssize_t>(values.size());
  return to_array(std::move(values), {size});
}

}  // namespace confmat::bind
