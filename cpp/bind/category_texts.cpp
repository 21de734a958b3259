// Asks Polars, in Python, which texts the codes of its Categoricals stand for. Known to the plugin
// as soon as this library is loaded: a plan that comes from elsewhere imports no module.
#include "plugin/category_texts.hpp"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <optional>
#include <string>
#include <utility>

#include "confmat/base/error.hpp"
#include "confmat/base/interrupt.hpp"

namespace py = pybind11;

namespace confmat::bind {
namespace {

bool python_ends() noexcept {
#if PY_VERSION_HEX >= 0x030D0000
  return Py_IsFinalizing() != 0;
#else
  return _Py_IsFinalizing() != 0;
#endif
}

// An object that is let go of on any thread; once Python ends, never.
std::shared_ptr<const void> shared(py::object object) {
  const auto let_go = [](const void* held) {
    if (python_ends()) return;
    const py::gil_scoped_acquire_simple gil;
    Py_DECREF(static_cast<PyObject*>(const_cast<void*>(held)));
  };
  return {static_cast<const void*>(object.release().ptr()), let_go};
}

// Behind the last code Polars raises an IndexError, and 1.39 has None there.
std::optional<std::string> text_of(const py::object& categories, std::uint32_t code) {
  PyObject* const found = PyObject_GetItem(categories.ptr(), py::int_(code).ptr());
  if (found == nullptr) {
    if (PyErr_ExceptionMatches(PyExc_IndexError) == 0) throw py::error_already_set();
    PyErr_Clear();
    return std::nullopt;
  }
  return py::reinterpret_steal<py::object>(found).cast<std::optional<std::string>>();
}

plugin::OwnedTexts ask_polars(const CategoriesName& name, std::span<const std::uint32_t> codes) {
  if (python_ends()) throw Interrupted();
  const Aside aside;  // what Python does meanwhile may call the plugin again
  const py::gil_scoped_acquire_simple gil;
  plugin::OwnedTexts out;
  try {
    const py::module_ polars = py::module_::import("polars");
    const char* type = name.physical == "u8"    ? "UInt8"
                       : name.physical == "u16" ? "UInt16"
                                                : "UInt32";
    const py::object categories =
        polars.attr("Categories")(name.name, name.space, polars.attr(type));
    // Polars forgets categories that no column has.
    const py::object dtype = polars.attr("Categorical")(categories);
    out.owner = shared(polars.attr("Series")(py::list(), py::arg("dtype") = dtype));
    out.texts.reserve(codes.size());
    for (const std::uint32_t code : codes) out.texts.push_back(text_of(categories, code));
  } catch (const py::error_already_set& error) {
    throw InputError(std::string("Polars does not say what the codes of a Categorical mean: ") +
                     error.what());
  }
  return out;
}

[[maybe_unused]] const bool known = [] {
  plugin::ask_for_texts_with(&ask_polars);
  return true;
}();

}  // namespace
}  // namespace confmat::bind
