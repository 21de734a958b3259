#include "confmat/arrow/import.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string>

#include "confmat/base/error.hpp"

namespace confmat {
namespace {

struct FixedFormat {
  char format;
  DType type;
  std::int64_t bytes;
  std::string_view word;
};

constexpr std::array<FixedFormat, 10> kFixed{{
    {'c', DType::kInt8, 1, "Int8"},
    {'C', DType::kUInt8, 1, "UInt8"},
    {'s', DType::kInt16, 2, "Int16"},
    {'S', DType::kUInt16, 2, "UInt16"},
    {'i', DType::kInt32, 4, "Int32"},
    {'I', DType::kUInt32, 4, "UInt32"},
    {'l', DType::kInt64, 8, "Int64"},
    {'L', DType::kUInt64, 8, "UInt64"},
    {'f', DType::kFloat32, 4, "Float32"},
    {'g', DType::kFloat64, 8, "Float64"},
}};

const FixedFormat* fixed_format(std::string_view format) noexcept {
  if (format.size() != 1) return nullptr;
  for (const auto& row : kFixed) {
    if (row.format == format[0]) return &row;
  }
  return nullptr;
}

// Arrow leaves buffers of empty arrays undefined, so they are not even looked at.
const void* buffer(const ArrowArray& array, std::int64_t i) noexcept {
  return array.length == 0 || i >= array.n_buffers ? nullptr : array.buffers[i];
}

void set_fixed(Column& column, const FixedFormat& format, const ArrowArray& array) {
  column.type = format.type;
  column.stride = format.bytes;
  const auto* values = static_cast<const std::byte*>(buffer(array, 1));
  column.data = values == nullptr ? nullptr : values + array.offset * format.bytes;
}

bool set_text(Column& column, std::string_view format, const ArrowArray& array) {
  const bool view = format == "vu";
  const bool wide = format == "U";
  if (!view && !wide && format != "u") return false;
  column.type = DType::kText;
  column.layout = view ? TextLayout::kView : wide ? TextLayout::kOffsets64 : TextLayout::kOffsets32;
  column.stride = view ? 16 : wide ? 8 : 4;
  const auto* first = static_cast<const std::byte*>(buffer(array, 1));
  column.data = first == nullptr ? nullptr : first + array.offset * column.stride;
  if (array.length == 0) return true;
  if (view) {
    // Behind validity and views: the text buffers, then one buffer with their sizes.
    if (array.n_buffers > 3) {
      column.buffers = {array.buffers + 2, static_cast<std::size_t>(array.n_buffers - 3)};
    }
  } else {
    column.bytes = static_cast<const char*>(buffer(array, 2));
  }
  return true;
}

void set_validity(Column& column, const ArrowArray& array) {
  column.length = array.length;
  if (array.null_count == 0) return;
  column.validity = static_cast<const std::uint8_t*>(buffer(array, 0));
  column.validity_offset = array.offset;
}

Column import_column(const ArrowSchema& schema, const ArrowArray& array,
                     std::string_view argument) {
  Column column;
  set_validity(column, array);
  const std::string_view format = schema.format;
  if (const auto* fixed = fixed_format(format)) {
    set_fixed(column, *fixed, array);
  } else if (format == "b") {
    column.type = DType::kBoolBits;
    column.data = static_cast<const std::byte*>(buffer(array, 1));
    column.bit_offset = array.offset;
  } else if (format == "n") {
    column.type = DType::kNull;
    column.validity = nullptr;
  } else if (!set_text(column, format, array)) {
    throw InputError("`" + std::string(argument) + "` has dtype " +
                     std::string(dtype_word(schema)) +
                     ": wanted integers, Booleans, strings, Categorical or Enum");
  }
  return column;
}

// The metadata of a field: number of pairs, then length and bytes of each key and value.
struct Metadata {
  std::string_view bytes;
  bool is_enum = false;  // one of the keys is that of Polars' Enum
};

Metadata metadata_of(const ArrowSchema& schema) noexcept {
  if (schema.metadata == nullptr) return {};
  const char* at = schema.metadata;
  const auto number = [&at] {
    std::int32_t value = 0;
    std::memcpy(&value, at, sizeof(value));
    at += sizeof(value);
    return value;
  };
  const auto text = [&] {
    const std::int32_t length = std::max(number(), std::int32_t{0});
    const std::string_view out(at, static_cast<std::size_t>(length));
    at += length;
    return out;
  };
  Metadata out;
  for (std::int32_t pairs = number(); pairs > 0; --pairs) {
    out.is_enum = text().starts_with("_PL_ENUM_VALUES") || out.is_enum;
    static_cast<void>(text());
  }
  out.bytes = {schema.metadata, static_cast<std::size_t>(at - schema.metadata)};
  return out;
}

}  // namespace

std::string_view dtype_word(const ArrowSchema& schema) noexcept {
  const std::string_view format = schema.format;
  if (const auto* fixed = fixed_format(format)) {
    if (schema.dictionary == nullptr) return fixed->word;
    return metadata_of(schema).is_enum ? "Enum" : "Categorical";
  }
  if (format == "b") return "Boolean";
  if (format == "vu" || format == "u" || format == "U") return "String";
  if (format == "vz" || format == "z" || format == "Z") return "Binary";
  if (format.starts_with("+l") || format.starts_with("+L")) return "List";
  if (format.starts_with("+w")) return "Array";
  if (format.starts_with("+s")) return "Struct";
  if (format.starts_with("d:")) return "Decimal";
  if (format == "tdD") return "Date";
  if (format.starts_with("ts")) return "Datetime";
  if (format == "n") return "Null";
  if (format == "_pli128") return "Int128";
  return "an unknown type";
}

void ArrowColumns::add(const ArrowSchema& schema, const ArrowArray& array,
                       std::string_view argument) {
  Column column = import_column(schema, array, argument);
  if (schema.dictionary != nullptr) {
    if (array.dictionary == nullptr) {
      throw InputError("`" + std::string(argument) + "` is a dictionary array without dictionary");
    }
    dictionaries_.push_back(import_column(*schema.dictionary, *array.dictionary, argument));
    if (dictionaries_.back().type != DType::kText) {
      throw InputError("`" + std::string(argument) +
                       "` is a dictionary of non-strings: cast it to its values first");
    }
    column.key_type = column.type;
    column.type = DType::kDictionary;
    column.dictionary = &dictionaries_.back();
  }
  columns_.push_back(column);
}

void ArrowColumns::add_binary(const ArrowArray& array) {
  Column column;
  set_validity(column, array);
  set_text(column, "vu", array);
  columns_.push_back(column);
}

bool same_enum(const ArrowSchema& one, const ArrowSchema& two) noexcept {
  const Metadata metadata = metadata_of(one);
  return metadata.is_enum && metadata.bytes == metadata_of(two).bytes;
}

}  // namespace confmat
