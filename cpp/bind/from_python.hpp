// Python objects as columns: NumPy arrays and anything that hands over Arrow data. No copy.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <memory>
#include <string>
#include <vector>

#include "bind/arrow.hpp"
#include "confmat/arrow/import.hpp"
#include "confmat/batch/column.hpp"
#include "confmat/batch/labels.hpp"

namespace confmat::bind {

// Keeps the memory behind its chunks alive. Needs the GIL to be made and destroyed; not in between.
class Source {
 public:
  // Throws InputError naming `argument` for objects and types that cannot be read.
  Source(const pybind11::object& object, const std::string& argument);
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  [[nodiscard]] Chunks chunks() const noexcept;

 private:
  void read_numpy(const pybind11::array& array, const std::string& argument);
  void read_arrow(const pybind11::object& object, const std::string& argument);

  pybind11::object owner_;
  std::vector<Column> numpy_;
  std::shared_ptr<const ArrowData> data_;
  std::shared_ptr<const ArrowData> texts_;
  ArrowColumns arrow_;
};

// Texts and, for each row, which of them it holds: what a categorical column is in memory.
struct CodedTexts {
  pybind11::object codes;
  pybind11::object texts;
};

Labels labels_from(const pybind11::handle& sequence);
pybind11::list labels_to(const Labels& labels);

}  // namespace confmat::bind
