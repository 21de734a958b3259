// The values of a key as Python takes them: a number for each group (-1: null), what 0 stands for,
// and, of texts and of integers far apart, what the numbers are the places of.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <utility>

#include "bind/to_python.hpp"
#include "confmat/evaluate/groups_by_key.hpp"

namespace confmat::bind {

inline pybind11::tuple key_values(GroupKeyColumn&& key) {
  const auto groups = static_cast<pybind11::ssize_t>(key.numbers.size());
  pybind11::object listed = pybind11::none();
  if (key.listed && key.listed->kind == Labels::Kind::kText) {
    listed = pybind11::cast(key.listed->texts);
  } else if (key.listed) {
    listed = to_array(std::move(key.listed->ints));
  }
  return pybind11::make_tuple(to_array(std::move(key.numbers), {groups}), key.base,
                              std::move(listed));
}

}  // namespace confmat::bind
