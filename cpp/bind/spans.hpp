// Arrays that Python has made, as the core reads them: no copy. Another type is refused.
#pragma once

#include <pybind11/numpy.h>

#include <cstddef>
#include <span>

namespace confmat::bind {

template <class T>
using ArrayOf = pybind11::array_t<T, pybind11::array::c_style>;

template <class T>
std::span<const T> span_of(const ArrayOf<T>& array) {
  return {array.data(), static_cast<std::size_t>(array.size())};
}

}  // namespace confmat::bind
