// Takes what Python objects hand over as Arrow data, and lends our arrays to others.
#include "bind/arrow.hpp"

#include <atomic>
#include <memory>
#include <string_view>
#include <utility>

#include "bind/module.hpp"
#include "confmat/arrow/check.hpp"
#include "confmat/arrow/format.hpp"
#include "confmat/arrow/share.hpp"
#include "confmat/base/error.hpp"
#include "confmat/base/utf8.hpp"

namespace py = pybind11;

namespace confmat::bind {
namespace {

constexpr const char* kStreamName = "arrow_array_stream";

// Arrow data as Python holds it: read once, and lent to whoever asks for a stream.
class ArrowObject {
 public:
  ArrowObject(const py::object& values, const std::string& argument)
      : data_(arrow_data(values, argument)), argument_(argument) {}
  // Of data that is known to be sound.
  explicit ArrowObject(std::shared_ptr<const ArrowData> data)
      : data_(std::move(data)), checked_(true) {}

  [[nodiscard]] const std::shared_ptr<const ArrowData>& data() const noexcept { return data_; }

  [[nodiscard]] bool is_dictionary() const { return data_->schema().dictionary != nullptr; }
  [[nodiscard]] std::string_view dtype() const { return format_of(data_->schema().format).word; }

  // Whether the core reads it where it lies, as labels, scores or weights.
  [[nodiscard]] bool readable() const {
    const ArrowSchema& values = is_dictionary() ? *data_->schema().dictionary : data_->schema();
    if (values.format == nullptr) return true;  // which says what is wrong
    const ArrowFormat format = format_of(values.format);
    if (is_dictionary()) return format.type == DType::kText;
    return format.type != DType::kNull || format.layout == ArrowLayout::kNull;
  }

  // Others take the values on trust, so they are looked at before they are lent.
  py::capsule stream(const py::object& /*requested_schema*/) {
    if (!checked_) {
      check_values(*data_, argument_);
      checked_ = true;
    }
    auto* stream = new ArrowArrayStream{};
    py::capsule capsule(stream, kStreamName, [](PyObject* self) {
      auto* held = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(self, kStreamName));
      if (held->release != nullptr) held->release(held);
      delete held;
    });
    share(data_, *stream);
    return capsule;
  }

 private:
  std::shared_ptr<const ArrowData> data_;
  std::string argument_;
  std::atomic<bool> checked_ = false;
};

py::object called(const py::handle& object, const char* method, const std::string& argument) {
  try {
    return object.attr(method)();
  } catch (py::error_already_set& error) {
    if (!error.matches(PyExc_Exception)) throw;
    const std::string_view what = error.what();  // and behind it where
    throw InputError("`" + argument + "` gives no Arrow data: its `" + method + "` raised " +
                     printable(what.substr(0, what.find('\n'))));
  }
}

template <class Struct>
Struct& struct_in(const py::handle& capsule, const char* name, const char* method,
                  const std::string& argument) {
  if (PyCapsule_IsValid(capsule.ptr(), name) == 0) {
    throw InputError(
        "`" + argument + "` gives no Arrow data: its `" + method + "` returned " +
        (PyCapsule_CheckExact(capsule.ptr()) != 0
             ? std::string("another capsule")
             : "a value of type " + std::string(py::str(py::type::of(capsule).attr("__name__")))) +
        ", wanted a capsule named \"" + name + "\"");
  }
  return *static_cast<Struct*>(PyCapsule_GetPointer(capsule.ptr(), name));
}

}  // namespace

bool is_arrow(const py::handle& object) {
  return py::isinstance<ArrowObject>(object) || py::hasattr(object, "__arrow_c_stream__") ||
         py::hasattr(object, "__arrow_c_array__");
}

std::shared_ptr<const ArrowData> arrow_data(const py::handle& object, const std::string& argument) {
  if (py::isinstance<ArrowObject>(object)) return py::cast<const ArrowObject&>(object).data();
  auto data = std::make_shared<ArrowData>();
  constexpr const char* kStream = "__arrow_c_stream__";
  constexpr const char* kArray = "__arrow_c_array__";
  if (py::hasattr(object, kStream)) {
    const py::object capsule = called(object, kStream, argument);
    data->read(struct_in<ArrowArrayStream>(capsule, kStreamName, kStream, argument), argument);
    return data;
  }
  const py::object pair = called(object, kArray, argument);
  if (!py::isinstance<py::tuple>(pair) || py::len(pair) != 2) {
    throw InputError("`" + argument + "` gives no Arrow data: its `" + kArray +
                     "` returned no pair of capsules");
  }
  const py::tuple capsules = pair;
  auto& schema = struct_in<ArrowSchema>(capsules[0], "arrow_schema", kArray, argument);
  auto& array = struct_in<ArrowArray>(capsules[1], "arrow_array", kArray, argument);
  data->take(schema, array, argument);
  return data;
}

py::object arrow_object(std::shared_ptr<const ArrowData> data) {
  return py::cast(std::make_unique<ArrowObject>(std::move(data)));
}

void register_arrow(py::module_& module) {
  py::class_<ArrowObject>(module, "ArrowData")
      .def(py::init<const py::object&, const std::string&>(), py::arg("values"),
           py::arg("argument"))
      .def_property_readonly("dtype", &ArrowObject::dtype)
      .def_property_readonly("is_dictionary", &ArrowObject::is_dictionary)
      .def_property_readonly("readable", &ArrowObject::readable)
      .def("__arrow_c_stream__", &ArrowObject::stream, py::arg("requested_schema") = py::none());
}

}  // namespace confmat::bind
