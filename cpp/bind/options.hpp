// The options of metrics as Python hands them over: `confmat.options.Options`, a named tuple.
#pragma once

#include <pybind11/stl.h>

#include <utility>

#include "confmat/metrics/registry.hpp"

namespace pybind11::detail {

// A bound class would take longer to make and pass, which small calls feel.
template <>
struct type_caster<confmat::metrics::Options> {
  PYBIND11_TYPE_CASTER(confmat::metrics::Options, const_name("confmat.options.Options"));

  // The fields in the order of the tuple; those that a shorter one lacks keep their defaults.
  bool load(handle given, bool convert) {
    if (!PyTuple_Check(given.ptr())) return false;
    const Py_ssize_t size = PyTuple_GET_SIZE(given.ptr());
    Py_ssize_t at = 0;
    const auto read = [&]<class T>(T& field) {
      if (at == size) return true;
      make_caster<T> one;
      if (!one.load(PyTuple_GET_ITEM(given.ptr(), at++), convert)) return false;
      field = cast_op<T&&>(std::move(one));
      return true;
    };
    return read(value.pos) && read(value.undefined) && read(value.smoothing) &&
           read(value.keep_empty) && read(value.implied) && read(value.classes) && at == size;
  }
};

}  // namespace pybind11::detail
