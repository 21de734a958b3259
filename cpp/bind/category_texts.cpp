// Asks Polars, in Python, which texts the codes of its Categoricals stand for. Known to the plugin
// as soon as this library is loaded: a plan that comes from elsewhere imports no module.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "confmat/arrow/category_owner.hpp"
#include "confmat/base/error.hpp"
#include "confmat/base/guests.hpp"
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
std::shared_ptr<const void> owner_of(py::object object) {
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

// Needs the GIL. Once: Python waits at its end for threads that ask it something.
void end_with_python() {
  static bool registered = false;
  if (std::exchange(registered, true)) return;
  const py::cpp_function send_off(&send_guests_off, py::call_guard<py::gil_scoped_release>());
  py::module_::import("atexit").attr("register")(send_off);
}

OwnedTexts texts_of(const CategoriesName& name, std::span<const std::uint32_t> codes) {
  if (python_ends()) throw Interrupted();
  const py::gil_scoped_acquire_simple gil;
  OwnedTexts out;
  try {
    end_with_python();
    const py::module_ polars = py::module_::import("polars");
    const char* type = name.physical == "u8"    ? "UInt8"
                       : name.physical == "u16" ? "UInt16"
                                                : "UInt32";
    const py::object categories =
        polars.attr("Categories")(name.name, name.space, polars.attr(type));
    // Polars forgets categories that no column has.
    const py::object dtype = polars.attr("Categorical")(categories);
    out.owner = owner_of(polars.attr("Series")(py::list(), py::arg("dtype") = dtype));
    out.texts.reserve(codes.size());
    for (const std::uint32_t code : codes) out.texts.push_back(text_of(categories, code));
  } catch (const py::error_already_set& error) {
    const std::string_view what = error.what();  // and behind it where
    throw InputError("Polars does not say what the codes of a Categorical mean: " +
                     std::string(what.substr(0, what.find('\n'))));
  }
  return out;
}

// On a thread of its own: on that of the call, which may be Python's main thread, handlers of
// signals would run amid the question, and what they raise would be lost.
OwnedTexts ask_polars(const CategoriesName& name, std::span<const std::uint32_t> codes) {
  if (PyGILState_Check() != 0) return texts_of(name, codes);  // another thread would wait for this
  OwnedTexts out;
  std::exception_ptr error;
  std::thread asks([&] {
    try {
      out = texts_of(name, codes);
    } catch (...) {
      error = std::current_exception();
    }
  });
  asks.join();
  if (error) std::rethrow_exception(error);
  return out;
}

[[maybe_unused]] const bool polars_is_asked = []() noexcept {
  ask_for_texts_with(&ask_polars);
  return true;
}();

}  // namespace
}  // namespace confmat::bind
