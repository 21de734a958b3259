// Views the children of structs and lists, cut to the rows that they are of.
#include "confmat/arrow/nested.hpp"

#include <algorithm>
#include <cstddef>

#include "confmat/arrow/check.hpp"
#include "confmat/base/bytes.hpp"
#include "confmat/base/error.hpp"
#include "confmat/base/interrupt.hpp"
#include "confmat/batch/gather.hpp"

namespace confmat {
namespace {

[[noreturn]] void refuse_array(std::string_view argument, const char* what) {
  throw InputError("`" + std::string(argument) + "` is not a valid Arrow array: " + what);
}

[[noreturn]] void refuse_size(std::string_view argument) {
  refuse_array(argument, "it has more values than any memory holds");
}

// Values first ... first + length - 1 of a child.
ArrowArray part_of(const ArrowArray* child, std::int64_t first, std::int64_t length,
                   std::string_view argument) {
  if (child == nullptr) refuse_array(argument, "one of its children is null");
  if (child->offset < 0 || child->offset > kMostArrowRows || child->length < 0 ||
      child->length > kMostArrowRows || first > child->length - length) {
    refuse_array(argument, "one of its children is shorter than its rows need");
  }
  ArrowArray part = *child;
  part.offset += first;
  part.length = length;
  part.null_count = std::min(child->null_count, length);  // as many at most
  part.release = nullptr;
  return part;
}

// Metadata may tell that the numbers mean something else, as those of extension types do.
bool holds_numbers(const ArrowSchema* schema) noexcept {
  if (schema == nullptr || schema->format == nullptr || schema->dictionary != nullptr ||
      schema->metadata != nullptr) {
    return false;
  }
  const ArrowFormat format = format_of(schema->format);
  if (format.layout == ArrowLayout::kNull) return true;
  return format.type != DType::kNull && !is_text(format.type);
}

bool may_have_nulls(const ArrowArray& array) noexcept {
  return array.length > 0 && array.null_count != 0 && array.buffers[0] != nullptr;
}

// Of one array, whose offsets are of a type.
template <class Offset>
class ListArray {
 public:
  ListArray(const ArrowSchema& schema, const ArrowArray& array, ListItems& out, std::int64_t row,
            std::string_view argument)
      : items_(*schema.children[0]), array_(array), out_(out), row_(row), argument_(argument) {}

  void run() {
    const std::int64_t before = row_ == 0 ? 0 : out_.ends[static_cast<std::size_t>(row_ - 1)];
    const bool nulls = may_have_nulls(array_);
    const auto* const validity =
        nulls ? static_cast<const std::uint8_t*>(array_.buffers[0]) : nullptr;
    std::int64_t skipped = offset(0) - before;  // items up to here that no row has
    std::int64_t first = offset(0), end = first;
    for (const auto [from, to] : Strides(static_cast<std::size_t>(array_.length))) {
      for (auto i = static_cast<std::int64_t>(from); i < static_cast<std::int64_t>(to); ++i) {
        const std::int64_t begin = end;
        end = offset(i + 1);
        if (end < begin) refuse_array(argument_, "its offsets do not ascend");
        const std::int64_t bit = array_.offset + i;
        if (nulls && ((validity[bit >> 3] >> (bit & 7)) & 1) == 0) {
          miss(i);
          if (end != begin) {  // what a null hides is no item
            add(first, begin);
            first = end;
            skipped += end - begin;
          }
        }
        out_.ends[static_cast<std::size_t>(row_ + i)] = end - skipped;
      }
    }
    add(first, end);
  }

 private:
  [[nodiscard]] std::int64_t offset(std::int64_t i) const noexcept {
    if (array_.length == 0) return 0;  // Arrow leaves buffers of empty arrays undefined
    return load<Offset>(array_.buffers[1], array_.offset + i);
  }
  void miss(std::int64_t i) {
    if (out_.nulls.empty()) out_.nulls.resize(out_.ends.size());
    out_.nulls[static_cast<std::size_t>(row_ + i)] = 1;
  }
  void add(std::int64_t first, std::int64_t end) {
    if (end == first && !out_.items.chunks().empty()) return;  // one tells the type
    const ArrowArray part = part_of(array_.children[0], first, end - first, argument_);
    out_.items.add(items_, part, argument_);
  }

  const ArrowSchema& items_;
  const ArrowArray& array_;
  ListItems& out_;
  std::int64_t row_;
  std::string_view argument_;
};

}  // namespace

std::optional<NumberFields> number_fields(const ArrowData& data, std::string_view argument) {
  const ArrowSchema& schema = data.schema();
  const ArrowFormat format = format_of(schema.format);
  const bool lists = format.layout == ArrowLayout::kFixedList && format.width > 0;
  if ((!lists && format.layout != ArrowLayout::kStruct) || data.arrays().empty()) {
    return std::nullopt;
  }
  if (schema.n_children < 1 || schema.children == nullptr) return std::nullopt;
  for (const ArrowArray& array : data.arrays()) check_array(schema, format, array, argument);
  NumberFields out;
  out.columns.resize(static_cast<std::size_t>(schema.n_children));
  for (std::int64_t i = 0; i < schema.n_children; ++i) {
    const ArrowSchema* const field = schema.children[i];
    if (!holds_numbers(field)) return std::nullopt;
    if (!lists) out.names.emplace_back(field->name == nullptr ? "" : field->name);
  }
  if (lists) out.width = format.width;
  for (const ArrowArray& array : data.arrays()) {
    if (may_have_nulls(array)) return std::nullopt;
    if (array.offset + array.length > kMostArrowRows / out.width) refuse_size(argument);
    for (std::size_t i = 0; i < out.columns.size(); ++i) {
      const ArrowArray part =
          part_of(array.children[i], array.offset * out.width, array.length * out.width, argument);
      out.columns[i].add(*schema.children[i], part, argument);
    }
  }
  return out;
}

ListItems list_items(const ArrowData& data, std::string_view argument) {
  const ArrowSchema& schema = data.schema();
  const ArrowFormat format = format_of(schema.format);
  const bool wide = format.layout == ArrowLayout::kList64;
  if ((!wide && format.layout != ArrowLayout::kList32) || schema.n_children != 1 ||
      schema.children == nullptr || schema.children[0] == nullptr) {
    throw InputError("`" + std::string(argument) + "` has dtype " +
                     std::string(dtype_word(schema)) + ": wanted lists");
  }
  std::int64_t rows = 0;
  for (const ArrowArray& array : data.arrays()) {
    check_array(schema, format, array, argument);
    if (array.length > kMostArrowRows - rows) refuse_size(argument);
    rows += array.length;
  }
  ListItems out;
  out.ends = Pages<std::int64_t>(static_cast<std::size_t>(rows));
  std::int64_t row = 0;
  for (const ArrowArray& array : data.arrays()) {
    if (wide) {
      ListArray<std::int64_t>(schema, array, out, row, argument).run();
    } else {
      ListArray<std::int32_t>(schema, array, out, row, argument).run();
    }
    row += array.length;
  }
  return out;
}

}  // namespace confmat
