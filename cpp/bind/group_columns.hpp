// What is asked of groups, as Python sends it, and their columns as Python takes them.
#pragma once

#include <pybind11/pybind11.h>

#include "confmat/evaluate/groups_by_key.hpp"
#include "confmat/evaluate/spec.hpp"

namespace confmat::bind {

Spec spec_of(const pybind11::bytes& message);

// Of each key its values; how many groups each grouping has; a struct of the totals and metrics;
// reasons, if there are any: texts, and for each metric and group the place of its own, or -1.
pybind11::tuple group_columns(GroupColumns&& columns);

}  // namespace confmat::bind
