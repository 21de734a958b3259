// Values that other readers take on trust: every offset, view, text and key.
#include <algorithm>
#include <limits>
#include <string>

#include "confmat/arrow/check.hpp"
#include "confmat/arrow/import.hpp"
#include "confmat/base/bytes.hpp"
#include "confmat/base/error.hpp"
#include "confmat/base/utf8.hpp"
#include "confmat/batch/gather.hpp"

namespace confmat {
namespace {

constexpr int kDeepest = 64;

[[noreturn]] void fail(std::string_view argument, const std::string& what) {
  throw InputError("`" + std::string(argument) + "` is not a valid Arrow array: " + what);
}

bool valid(const ArrowArray& array, std::int64_t i) noexcept {
  if (array.null_count == 0 || array.buffers[0] == nullptr) return true;
  const std::int64_t bit = array.offset + i;
  return ((static_cast<const std::uint8_t*>(array.buffers[0])[bit >> 3] >> (bit & 7)) & 1) != 0;
}

// For a type without arrays; Values looks at that of each array.
void check_type(const ArrowSchema& schema, std::string_view argument, int depth) {
  if (depth > kDeepest) fail(argument, "it is nested too deeply");
  if (schema.format == nullptr) fail(argument, "its type has no format");
  const std::int64_t wanted = children_of(schema, format_of(schema.format));
  if (schema.n_children != wanted) {
    fail(argument, "its type has " + std::to_string(schema.n_children) + " children, wanted " +
                       std::to_string(wanted));
  }
  if (wanted > 0 && schema.children == nullptr) fail(argument, "its children are null");
  for (std::int64_t i = 0; i < schema.n_children; ++i) {
    if (schema.children[i] == nullptr) fail(argument, "one of its children is null");
    check_type(*schema.children[i], argument, depth + 1);
  }
  if (schema.dictionary != nullptr) check_type(*schema.dictionary, argument, depth + 1);
}

class Values {
 public:
  Values(const ArrowSchema& schema, const ArrowArray& array, std::string_view argument, int depth)
      : schema_(schema), array_(array), argument_(argument), depth_(depth) {
    if (depth > kDeepest) fail(argument, "it is nested too deeply");
    if (schema.format == nullptr) fail(argument, "its type has no format");
    format_ = format_of(schema.format);
    if (format_.layout == ArrowLayout::kOther) {
      throw InputError("`" + std::string(argument) + "` holds values of " +
                       std::string(format_.word) +
                       ", which are not read; cast them to int64, float64 or string");
    }
    check_array(schema, format_, array, argument);
  }

  void run() const {
    switch (format_.layout) {
      case ArrowLayout::kOffsets32:
        texts<std::int32_t>();
        break;
      case ArrowLayout::kOffsets64:
        texts<std::int64_t>();
        break;
      case ArrowLayout::kViews:
        views();
        break;
      case ArrowLayout::kList32:
        child(0, offsets<std::int32_t>());
        break;
      case ArrowLayout::kList64:
        child(0, offsets<std::int64_t>());
        break;
      case ArrowLayout::kFixedList:
        fixed_list();
        break;
      case ArrowLayout::kStruct:
        for (std::int64_t i = 0; i < array_.n_children; ++i)
          child(i, array_.offset + array_.length);
        break;
      default:
        break;
    }
    if (schema_.dictionary != nullptr) keys();
  }

 private:
  // The last of the offsets, which never descend.
  template <class Offset>
  [[nodiscard]] std::int64_t offsets() const {
    if (array_.length == 0) return 0;
    auto before = load<Offset>(array_.buffers[1], array_.offset);
    for (std::int64_t i = 1; i <= array_.length; ++i) {
      const auto next = load<Offset>(array_.buffers[1], array_.offset + i);
      if (next < before) {
        fail(argument_, "its offsets go from " + std::to_string(before) + " to " +
                            std::to_string(next) + " at row " + std::to_string(i - 1));
      }
      before = next;
    }
    return before;
  }

  void check_text(std::int64_t row, std::string_view text) const {
    if (format_.utf8 && !is_utf8(text)) {
      fail(argument_, "its text at row " + std::to_string(row) + " is not UTF-8");
    }
  }

  template <class Offset>
  void texts() const {
    static_cast<void>(offsets<Offset>());
    const auto* bytes = array_.length == 0 ? nullptr : static_cast<const char*>(array_.buffers[2]);
    for (std::int64_t i = 0; i < array_.length; ++i) {
      const auto begin = load<Offset>(array_.buffers[1], array_.offset + i);
      const auto end = load<Offset>(array_.buffers[1], array_.offset + i + 1);
      // Readers look below nulls, too.
      check_text(i, begin == end
                        ? std::string_view()
                        : std::string_view(bytes + begin, static_cast<std::size_t>(end - begin)));
    }
  }

  void views() const {
    if (array_.length == 0) return;
    Column column;
    const std::int64_t buffers = array_.n_buffers - 3;
    column.buffers = {array_.buffers + 2, static_cast<std::size_t>(buffers)};
    column.sizes = static_cast<const std::byte*>(array_.buffers[2 + buffers]);
    const auto* views = static_cast<const char*>(array_.buffers[1]) + array_.offset * 16;
    for (std::int64_t i = 0; i < array_.length; ++i) {
      const char* at = views + i * 16;
      const auto length = load<std::int32_t>(at, 0);
      if (length < 0) view_fails(i);
      const auto size = static_cast<std::size_t>(length);
      const char* text =
          size <= 12 ? at + 4
                     : column.viewed(load<std::int32_t>(at, 2), load<std::int32_t>(at, 3), size);
      if (text == nullptr) view_fails(i);
      check_text(i, {text, size});
    }
    for (std::int64_t i = 0; i < buffers; ++i) {
      const auto size = load<std::int64_t>(column.sizes, i);
      if (size < 0 || (size > 0 && column.buffers[static_cast<std::size_t>(i)] == nullptr)) {
        fail(argument_, "its buffer " + std::to_string(i) + " has a size of " +
                            std::to_string(size) + (size < 0 ? "" : " and is null"));
      }
    }
  }

  [[noreturn]] void view_fails(std::int64_t row) const {
    fail(argument_, "its text at row " + std::to_string(row) + " lies outside its buffer");
  }

  void fixed_list() const {
    const std::int64_t rows = array_.offset + array_.length;
    if (format_.width > 0 && rows > kMostArrowRows / format_.width) {
      fail(argument_, "its lists are longer than any memory");
    }
    child(0, rows * format_.width);
  }

  // Needs: at least `rows` values in the child.
  void child(std::int64_t i, std::int64_t rows) const {
    const ArrowSchema* schema = schema_.children[i];
    const ArrowArray* array = array_.children[i];
    if (schema == nullptr || array == nullptr) fail(argument_, "one of its children is null");
    Values(*schema, *array, argument_, depth_ + 1).run();
    if (array->length < rows) {
      fail(argument_, "its child holds " + std::to_string(array->length) + " values, wanted " +
                          std::to_string(rows));
    }
  }

  void keys() const {
    if (!is_int(format_.type)) fail(argument_, "the keys of its dictionary are no integers");
    Values(*schema_.dictionary, *array_.dictionary, argument_, depth_ + 1).run();
    if (array_.length == 0) return;
    Column column;
    column.type = format_.type;
    column.stride = format_.width;
    column.data = static_cast<const std::byte*>(array_.buffers[1]) + array_.offset * format_.width;
    const auto entries = static_cast<std::uint64_t>(array_.dictionary->length);
    for (std::int64_t i = 0; i < array_.length; ++i) {
      const std::uint64_t key = fixed_bits(column, i);  // negative ones become huge
      if (key < entries || !valid(array_, i)) continue;
      fail(argument_, "its key at row " + std::to_string(i) + " is not in its dictionary of " +
                          std::to_string(entries) + " entries");
    }
  }

  const ArrowSchema& schema_;
  const ArrowArray& array_;
  std::string_view argument_;
  int depth_;
  ArrowFormat format_;
};

}  // namespace

void check_values(const ArrowSchema& schema, const ArrowArray& array, std::string_view argument) {
  Values(schema, array, argument, 0).run();
}

void check_values(const ArrowData& data, std::string_view argument) {
  if (data.arrays().empty()) check_type(data.schema(), argument, 0);
  for (const ArrowArray& array : data.arrays()) check_values(data.schema(), array, argument);
}

}  // namespace confmat
