// Python objects that hand over Arrow data: PyCapsules with names, as the Arrow PyCapsule interface
// defines them.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <string>

#include "confmat/arrow/data.hpp"

namespace confmat::bind {

bool is_arrow(const pybind11::handle& object);

// What `__arrow_c_stream__`, or else `__arrow_c_array__`, gives. Needs: is_arrow(object).
// Throws InputError naming `argument`: they fail, or give something else.
std::shared_ptr<const ArrowData> arrow_data(const pybind11::handle& object,
                                            const std::string& argument);

// Arrow data of ours as an object of Python that lends it.
pybind11::object lent_object(std::shared_ptr<const ArrowData> data);

}  // namespace confmat::bind
