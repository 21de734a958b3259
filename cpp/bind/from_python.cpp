// Finds out what a Python object is, and views it as a column.
#include "bind/from_python.hpp"

#include <utility>

#include "bind/module.hpp"
#include "confmat/base/error.hpp"

namespace py = pybind11;

namespace confmat::bind {
namespace {

DType numpy_dtype(const py::dtype& dtype) {
  const auto size = dtype.itemsize();
  const auto pick = [size](DType one, DType two, DType four, DType eight) {
    switch (size) {
      case 1:
        return one;
      case 2:
        return two;
      case 4:
        return four;
      case 8:
        return eight;
      default:
        return DType::kNull;
    }
  };
  switch (dtype.kind()) {
    case 'b':
      return DType::kBool8;
    case 'i':
      return pick(DType::kInt8, DType::kInt16, DType::kInt32, DType::kInt64);
    case 'u':
      return pick(DType::kUInt8, DType::kUInt16, DType::kUInt32, DType::kUInt64);
    case 'f':
      return pick(DType::kNull, DType::kNull, DType::kFloat32, DType::kFloat64);
    case 'U':
    case 'S':
      return DType::kCells;
    default:
      return DType::kNull;
  }
}

// Of many labels a cast of each takes longer than all else of them.
std::int64_t int_from(const py::handle& item) {
  if (PyLong_CheckExact(item.ptr()) != 0) {
    int overflow = 0;
    const std::int64_t value = PyLong_AsLongLongAndOverflow(item.ptr(), &overflow);
    if (overflow == 0) return value;
  }
  return py::cast<std::int64_t>(item);
}

}  // namespace

Source::Source(const py::object& object, const std::string& argument) : owner_(object) {
  if (py::isinstance<py::array>(object)) {
    read_numpy(py::reinterpret_borrow<py::array>(object), argument);
  } else if (is_arrow(object)) {
    read_arrow(object, argument);
  } else if (py::isinstance<CodedTexts>(object)) {
    const auto& coded = py::cast<const CodedTexts&>(object);
    read_arrow(coded.codes, argument);
    texts_ = arrow_data(coded.texts, argument);
    ArrowColumns texts;
    for (const auto& array : texts_->arrays()) texts.add(texts_->schema(), array, argument);
    arrow_.look_up_in(texts, argument);
  } else {
    throw InputError("`" + argument + "` is a " +
                     std::string(py::str(py::type::of(object).attr("__name__"))) +
                     ": wanted an array or a Series");
  }
}

void Source::read_arrow(const py::object& object, const std::string& argument) {
  data_ = arrow_data(object, argument);
  for (const auto& array : data_->arrays()) arrow_.add(data_->schema(), array, argument);
}

Chunks Source::chunks() const noexcept { return numpy_.empty() ? arrow_.chunks() : Chunks(numpy_); }

void Source::read_numpy(const py::array& array, const std::string& argument) {
  if (array.ndim() != 1) {
    throw InputError("`" + argument + "` has " + std::to_string(array.ndim()) +
                     " dimensions: wanted one");
  }
  const py::dtype dtype = array.dtype();
  Column column;
  column.type = numpy_dtype(dtype);
  if (column.type == DType::kNull) {
    throw InputError("`" + argument + "` has dtype " + std::string(py::str(dtype)) +
                     ": wanted integers, Booleans or strings");
  }
  column.length = array.shape(0);
  column.data = static_cast<const std::byte*>(array.data());
  column.stride = array.strides(0);
  column.cell = static_cast<std::size_t>(dtype.itemsize());
  column.utf8 = dtype.kind() == 'S';
  const char order = dtype.byteorder();
  column.swapped = order == '>';
  numpy_.push_back(column);
}

void register_coded_texts(py::module_& module) {
  py::class_<CodedTexts>(module, "CodedTexts")
      .def(py::init<py::object, py::object>(), py::arg("codes"), py::arg("texts"))
      .def_readonly("codes", &CodedTexts::codes);
}

Labels labels_from(const py::handle& sequence) {
  Labels labels;
  bool first = true;
  for (const auto& item : sequence) {
    const auto kind = py::isinstance<py::bool_>(item) ? Labels::Kind::kBool
                      : py::isinstance<py::str>(item) ? Labels::Kind::kText
                                                      : Labels::Kind::kInt;
    if (!std::exchange(first, false) && kind != labels.kind) {
      throw InputError("`labels` mixes labels of different kinds");
    }
    labels.kind = kind;
    if (kind == Labels::Kind::kText) {
      labels.texts.push_back(py::cast<std::string>(item));
    } else {
      labels.ints.push_back(int_from(item));
    }
  }
  return labels;
}

py::list labels_to(const Labels& labels) {
  py::list out;
  for (const auto label : labels.ints) {
    if (labels.kind == Labels::Kind::kBool) {
      out.append(py::bool_(label != 0));
    } else {
      out.append(py::int_(label));
    }
  }
  for (const auto& label : labels.texts) out.append(py::str(label));
  return out;
}

}  // namespace confmat::bind
