// Results as NumPy arrays that own their memory. No copy.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <type_traits>
#include <utility>
#include <vector>

namespace confmat::bind {

// Of a vector, or of Pages.
template <class Owner>
  requires std::is_rvalue_reference_v<Owner&&>
auto to_array(Owner&& values, std::vector<pybind11::ssize_t> shape) {
  auto* held = new Owner(std::forward<Owner>(values));
  const pybind11::capsule owner(held, [](void* p) { delete static_cast<Owner*>(p); });
  return pybind11::array_t<std::remove_pointer_t<decltype(held->data())>>(std::move(shape),
                                                                          held->data(), owner);
}

template <class Owner>
auto to_array(Owner&& values) {
  const auto size = static_cast<pybind11::ssize_t>(values.size());
  return to_array(std::forward<Owner>(values), {size});
}

}  // namespace confmat::bind
