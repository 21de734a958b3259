// The inputs of a plugin call. The host forgets them, so each array and each export is released
// here exactly once, on success and on failure.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "confmat/arrow/check.hpp"
#include "confmat/arrow/import.hpp"
#include "confmat/base/error.hpp"
#include "plugin/polars_abi.hpp"

namespace confmat::plugin {

class Inputs {
 public:
  Inputs(SeriesExport* inputs, std::size_t n) noexcept : inputs_(inputs, n) {}
  Inputs(const Inputs&) = delete;
  Inputs& operator=(const Inputs&) = delete;
  ~Inputs() {
    for (auto& input : inputs_) {
      for (ArrowArray* array : arrays(input)) {
        if (array->release != nullptr) array->release(array);
      }
      if (input.release != nullptr) input.release(&input);
    }
  }

  [[nodiscard]] std::size_t size() const noexcept { return inputs_.size(); }
  [[nodiscard]] const ArrowSchema& schema(std::size_t i) const { return *inputs_[i].field; }
  [[nodiscard]] std::vector<ArrowSchema> schemas() const {
    std::vector<ArrowSchema> out;
    for (const SeriesExport& input : inputs_) out.push_back(*input.field);
    return out;
  }
  [[nodiscard]] std::span<ArrowArray* const> chunks(std::size_t i) const {
    return arrays(inputs_[i]);
  }
  [[nodiscard]] std::int64_t length(std::size_t i) const {
    std::int64_t n = 0;
    for (const ArrowArray* array : chunks(i)) {
      if (array->length < 0 || array->length > kMostArrowRows - n) {
        throw InputError("a column has a chunk of " + std::to_string(array->length) + " rows");
      }
      n += array->length;
    }
    return n;
  }
  [[nodiscard]] ArrowColumns columns(std::size_t i, std::string_view argument) const {
    ArrowColumns out;
    for (const ArrowArray* array : chunks(i)) out.add(schema(i), *array, argument);
    return out;
  }
  // As columns(), without the chunks that have no row.
  [[nodiscard]] ArrowColumns rows(std::size_t i, std::string_view argument) const {
    ArrowColumns out;
    for (const ArrowArray* array : chunks(i)) {
      if (array->length > 0) out.add(schema(i), *array, argument);
    }
    return out;
  }

 private:
  static std::span<ArrowArray* const> arrays(const SeriesExport& input) noexcept {
    return {input.arrays, input.len};
  }
  std::span<SeriesExport> inputs_;
};

// Whether a column holds integers.
inline bool are_integers(const ArrowSchema& field) {
  constexpr std::string_view kIntegers = "bcCsSiIlL";
  const std::string_view format = field.format;
  return format.size() == 1 && kIntegers.find(format) != std::string_view::npos;
}

}  // namespace confmat::plugin
