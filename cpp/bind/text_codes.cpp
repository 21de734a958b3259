// Texts that only Python can read, as codes: an object is asked once.
#include "confmat/batch/text_codes.hpp"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <array>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bind/long_call.hpp"
#include "bind/module.hpp"
#include "confmat/base/error.hpp"
#include "confmat/batch/text_set.hpp"

namespace py = pybind11;

namespace confmat::bind {
namespace {

constexpr std::uint32_t kNull = 0;
// Whoever reads longer texts as UTF-8 says whether they are too long.
constexpr std::size_t kLongest = kLongestLabel / 2;

// A null and the texts as they come.
class Coder : public CellOwner {
 public:
  Coder() { texts_.append(py::none()); }
  [[nodiscard]] const py::list& texts() const noexcept { return texts_; }

 protected:
  // The code of a text that was not there before.
  std::uint32_t next(const py::handle& text) {
    texts_.append(text);
    return static_cast<std::uint32_t>(texts_.size() - 1);
  }

 private:
  py::list texts_;
};

// Objects: texts, or None, nan and the NA of pandas for a null. Equal texts have the same form
// in memory, which is compared.
class Objects final : public Coder {
 public:
  std::uint32_t code(const std::byte* cell) override {
    PyObject* object = nullptr;
    std::memcpy(static_cast<void*>(&object), cell, sizeof(void*));
    if (object == nullptr || object == Py_None) return kNull;  // as NumPy reads them
    if (PyUnicode_Check(object) != 0) return text(object);
    if (PyFloat_Check(object) != 0) {
      const double value = PyFloat_AS_DOUBLE(object);
      return value != value ? kNull : kRefused;
    }
    std::string_view type = Py_TYPE(object)->tp_name;
    type.remove_prefix(type.rfind('.') + 1);
    return type == "NAType" || type == "NaTType" ? kNull : kRefused;
  }

  // Reads objects that nobody changes: the thread that asked holds the GIL meanwhile.
  [[nodiscard]] std::uint32_t known(const std::byte* cell) const noexcept override {
    PyObject* object = nullptr;
    std::memcpy(static_cast<void*>(&object), cell, sizeof(void*));
    if (object == nullptr || object == Py_None) return kNull;
    if (Py_TYPE(object) != &PyUnicode_Type && PyUnicode_Check(object) == 0) return kUnknown;
#if PY_VERSION_HEX < 0x030C0000
    if (PyUnicode_IS_READY(object) == 0) return kUnknown;
#endif
    const std::string_view bytes = bytes_of(object);
    if (bytes.size() > kLongest) return kUnknown;
    const Form& form = forms_[form_of(object)];
    const std::uint32_t number = form.bytes.find(bytes);
    return number == TextSet::kAbsent ? kUnknown : form.codes[number];
  }
  bool known(const std::byte* cells, std::int64_t stride, std::size_t n,
             std::uint32_t* codes) const noexcept override {
    bool all = true;
    for (std::size_t i = 0; i < n; ++i) {
      const std::byte* const cell = cells + static_cast<std::int64_t>(i) * stride;
      look_ahead(cell, stride, n - i);
      codes[i] = known(cell);
      all &= codes[i] != kUnknown;
    }
    return all;
  }

 private:
  // 1, 2 or 4 bytes a character.
  static std::size_t form_of(PyObject* object) noexcept {
    return static_cast<std::size_t>(PyUnicode_KIND(object)) / 2;
  }
  static std::string_view bytes_of(PyObject* object) noexcept {
    if (PyUnicode_IS_COMPACT_ASCII(object)) {  // nearly all
      return {reinterpret_cast<const char*>(reinterpret_cast<const PyASCIIObject*>(object) + 1),
              static_cast<std::size_t>(PyUnicode_GET_LENGTH(object))};
    }
    const auto kind = static_cast<std::size_t>(PyUnicode_KIND(object));
    return {static_cast<const char*>(PyUnicode_DATA(object)),
            static_cast<std::size_t>(PyUnicode_GET_LENGTH(object)) * kind};
  }

  std::uint32_t text(PyObject* object) {
#if PY_VERSION_HEX < 0x030C0000
    if (PyUnicode_READY(object) != 0) throw py::error_already_set();
#endif
    const std::string_view bytes = bytes_of(object);
    if (bytes.size() > kLongest) return kRefused;
    Form& form = forms_[form_of(object)];
    const std::uint32_t number = form.bytes.find(bytes);
    if (number != TextSet::kAbsent) return form.codes[number];
    form.codes.push_back(next(object));
    form.bytes.add(bytes);
    return form.codes.back();
  }

  struct Form {
    TextSet bytes;
    std::vector<std::uint32_t> codes;
  };
  std::array<Form, 3> forms_;
};

// NumPy's StringDType, through the functions that NumPy lends at run time: its headers need not be
// there when this is built.
class Strings final : public Coder {
 public:
  Strings(const py::array& array, std::optional<std::string> null_text)
      : dtype_(array.dtype()), null_text_(std::move(null_text)) {
    const py::object api = py::detail::import_numpy_core_submodule("multiarray").attr("_ARRAY_API");
    void** const functions = static_cast<void**>(PyCapsule_GetPointer(api.ptr(), nullptr));
    if (functions == nullptr) throw py::error_already_set();
    load_ = reinterpret_cast<Load>(functions[313]);        // NpyString_load
    acquire_ = reinterpret_cast<Acquire>(functions[316]);  // NpyString_acquire_allocator
    release_ = reinterpret_cast<Release>(functions[318]);  // NpyString_release_allocator
  }

  void begin() override { allocator_ = acquire_(dtype_.ptr()); }
  void end() noexcept override { release_(allocator_); }

  std::uint32_t code(const std::byte* cell) override {
    Text text{0, nullptr};
    const int found = load_(allocator_, cell, &text);
    if (found < 0) return kRefused;
    if (found > 0) return null_text_ ? of(*null_text_) : kNull;
    return of({text.bytes, text.size});
  }

 private:
  struct Text {
    std::size_t size;
    const char* bytes;
  };
  using Load = int (*)(void*, const void*, Text*);
  using Acquire = void* (*)(PyObject*);
  using Release = void (*)(void*);

  std::uint32_t of(std::string_view text) {
    if (text.size() > kLongest) return kRefused;
    const std::uint32_t known = known_.find(text);
    if (known != TextSet::kAbsent) return known + 1;
    known_.add(text);
    return next(py::str(text));
  }

  py::dtype dtype_;
  std::optional<std::string> null_text_;
  Load load_ = nullptr;
  Acquire acquire_ = nullptr;
  Release release_ = nullptr;
  void* allocator_ = nullptr;
  TextSet known_;
};

using Codes = bool (*)(const Column&, CellOwner&, std::uint32_t*);

// None: some cell is neither a short text nor a null.
py::object coded(const py::array& array, Codes codes_of, Coder& coder) {
  if (array.ndim() != 1) throw InputError("texts of one dimension are needed");
  Column cells;
  cells.length = array.shape(0);
  cells.data = static_cast<const std::byte*>(array.data());
  cells.stride = array.strides(0);
  py::array_t<std::uint32_t> codes(array.shape(0));
  bool done = false;
  with_gil([&] { done = codes_of(cells, coder, codes.mutable_data()); });
  if (!done) return py::none();
  return py::make_tuple(codes, coder.texts());
}

py::object object_codes(const py::array& array) {
  if (array.dtype().kind() != 'O') throw InputError("an array of objects is needed");
  Objects objects;
  return coded(array, &codes_of_pointers, objects);
}

py::object string_codes(const py::array& array, const std::optional<std::string>& null_text) {
  if (array.dtype().kind() != 'T') throw InputError("an array of StringDType is needed");
  Strings strings(array, null_text);
  return coded(array, &codes_of_cells, strings);
}

}  // namespace

void register_text_codes(py::module_& module) {
  module.def("object_codes", &object_codes, py::arg("array"));
  module.def("string_codes", &string_codes, py::arg("array"), py::arg("null_text"));
}

}  // namespace confmat::bind
