// Arrays as columns, by their format; dictionaries too.
#include "confmat/arrow/import.hpp"

#include <algorithm>
#include <string>

#include "confmat/arrow/check.hpp"
#include "confmat/base/bytes.hpp"
#include "confmat/base/error.hpp"
#include "confmat/base/half.hpp"
#include "confmat/base/wide.hpp"
#include "confmat/batch/gather.hpp"

namespace confmat {
namespace {

// Arrow leaves buffers of empty arrays undefined, so they are not even looked at.
const void* buffer(const ArrowArray& array, std::int64_t i) noexcept {
  return array.length == 0 || i >= array.n_buffers ? nullptr : array.buffers[i];
}

void set_text(Column& column, ArrowLayout layout, const ArrowArray& array) {
  if (layout != ArrowLayout::kViews) {
    const bool wide = layout == ArrowLayout::kOffsets64;
    column.layout = wide ? TextLayout::kOffsets64 : TextLayout::kOffsets32;
    column.bytes = static_cast<const char*>(buffer(array, 2));
    return;
  }
  column.layout = TextLayout::kView;
  if (array.length == 0) return;
  // Behind validity and views: the text buffers, then one buffer with their sizes.
  const std::int64_t buffers = array.n_buffers - 3;
  column.buffers = {array.buffers + 2, static_cast<std::size_t>(buffers)};
  column.sizes = static_cast<const std::byte*>(array.buffers[2 + buffers]);
}

// Needs: check_array has passed.
Column column_of(const ArrowFormat& format, const ArrowArray& array) {
  Column column;
  column.type = format.type;
  column.length = array.length;
  if (format.layout == ArrowLayout::kNull) return column;
  if (array.null_count != 0) {
    column.validity = static_cast<const std::uint8_t*>(buffer(array, 0));
    column.validity_offset = array.offset;
  }
  const auto* values = static_cast<const std::byte*>(buffer(array, 1));
  if (format.layout == ArrowLayout::kBits) {
    column.data = values;
    column.bit_offset = array.offset;
    return column;
  }
  column.stride = format.width;
  column.data = values == nullptr ? nullptr : values + array.offset * format.width;
  if (format.type == DType::kText) set_text(column, format.layout, array);
  return column;
}

std::string digits_of(UInt128 value, bool is_negative) {
  if (is_negative) value = -value;
  std::string digits;
  for (; value > 0; value /= 10) {
    digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(value % 10)));
  }
  return (is_negative ? "-" : "") + digits;
}

// Integers of 128 bits are read by their lower halves, which lie first.
void require_64_bits(const Column& column, std::string_view argument, std::int64_t first_row) {
  const bool is_signed = column.type == DType::kInt64;
  Column upper = column;
  if (column.data != nullptr) upper.data += sizeof(std::int64_t);
  for (std::int64_t i = 0; i < column.length; ++i) {
    if (!column.valid(i)) continue;
    const std::uint64_t low = fixed_bits(column, i), high = fixed_bits(upper, i);
    const bool is_negative = is_signed && (high >> 63U) != 0;
    const bool fits = is_signed ? high == (low >> 63U != 0 ? ~std::uint64_t{0} : 0) : high == 0;
    if (fits) continue;
    throw InputError("`" + std::string(argument) + "` holds " +
                         digits_of(UInt128{high} << 64U | low, is_negative),
                     first_row + i, "; wanted integers of 64 bits; labels may be texts");
  }
}

// Float16, read as words, as Float32: every one is exact.
std::vector<float> widened(const Column& words) {
  std::vector<float> out(static_cast<std::size_t>(words.length));
  for (std::int64_t i = 0; i < words.length; ++i) {
    out[static_cast<std::size_t>(i)] = float_of_half(load<std::uint16_t>(words.data, i));
  }
  return out;
}

Column import_column(const ArrowSchema& schema, const ArrowArray& array, std::string_view argument,
                     std::int64_t first_row = 0) {
  if (schema.format == nullptr) {
    throw InputError("`" + std::string(argument) + "` has an Arrow type without format");
  }
  ArrowFormat format = format_of(schema.format);
  if (is_half(schema)) format.type = DType::kUInt16;
  if (format.type == DType::kNull && format.layout != ArrowLayout::kNull) {
    throw InputError(refused_dtype(argument, dtype_word(schema)));
  }
  check_array(schema, format, array, argument);
  const Column column = column_of(format, array);
  if (is_wide_integer(schema)) require_64_bits(column, argument, first_row);
  return column;
}

}  // namespace

void ArrowColumns::add(const ArrowSchema& schema, const ArrowArray& array,
                       std::string_view argument) {
  Column column = import_column(schema, array, argument, rows_);
  if (column.length > kMostArrowRows - rows_) {
    throw InputError("`" + std::string(argument) + "` has more rows than any memory holds");
  }
  rows_ += column.length;
  if (is_half(schema)) {
    const std::vector<float>& floats = widened_.emplace_back(widened(column));
    column.type = DType::kFloat32;
    column.data = reinterpret_cast<const std::byte*>(floats.data());
    column.stride = sizeof(float);
  }
  if (schema.dictionary != nullptr) {
    dictionaries_.push_back(import_column(*schema.dictionary, *array.dictionary, argument));
    if (dictionaries_.back().type != DType::kText || schema.dictionary->dictionary != nullptr) {
      throw InputError("`" + std::string(argument) +
                       "` is a dictionary of non-strings: cast it to its values first");
    }
    if (!is_int(column.type)) {
      throw InputError("`" + std::string(argument) +
                       "` is a dictionary whose keys are no integers");
    }
    column.key_type = column.type;
    column.type = DType::kDictionary;
    column.dictionary = &dictionaries_.back();
  }
  columns_.push_back(column);
}

void ArrowColumns::look_up_in(const ArrowColumns& texts, std::string_view argument) {
  const bool is_one = texts.columns_.size() == 1 && texts.front().type == DType::kText;
  if (!is_one || !std::ranges::all_of(columns_, is_int, &Column::type)) {
    throw InputError("`" + std::string(argument) + "` is no column of integer keys into texts");
  }
  dictionaries_.push_back(texts.front());
  for (Column& column : columns_) {
    column.key_type = column.type;
    column.type = DType::kDictionary;
    column.dictionary = &dictionaries_.back();
  }
}

void ArrowColumns::add_binary(const ArrowArray& array) {
  ArrowSchema schema{};
  schema.format = "vz";
  ArrowFormat format = format_of(schema.format);
  check_array(schema, format, array, "states");
  format.type = DType::kText;
  columns_.push_back(column_of(format, array));
}

}  // namespace confmat
