// Names of types, and the text of a row within its buffers.
#include "confmat/batch/column.hpp"

#include <cstring>

namespace confmat {
namespace {

template <class T>
T load_value(const void* at) noexcept {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

template <class Offset>
std::string_view slice(const Column& column, std::int64_t i) noexcept {
  const std::byte* offset = column.data + i * static_cast<std::int64_t>(sizeof(Offset));
  const auto begin = static_cast<std::int64_t>(load_value<Offset>(offset));
  const auto end = static_cast<std::int64_t>(load_value<Offset>(offset + sizeof(Offset)));
  if (begin < 0 || end < begin) return {};
  return {column.bytes + begin, static_cast<std::size_t>(end - begin)};
}

std::string_view view(const Column& column, std::int64_t i) noexcept {
  const std::byte* at = column.data + i * 16;
  const auto length = load_value<std::int32_t>(at);
  if (length <= 0) return {};
  if (length <= 12) {
    return {reinterpret_cast<const char*>(at) + 4, static_cast<std::size_t>(length)};
  }
  const auto size = static_cast<std::size_t>(length);
  const char* text =
      column.viewed(load_value<std::int32_t>(at + 8), load_value<std::int32_t>(at + 12), size);
  return text == nullptr ? std::string_view() : std::string_view(text, size);
}

}  // namespace

std::string_view name_of(DType type) noexcept {
  switch (type) {
    case DType::kInt8:
      return "Int8";
    case DType::kInt16:
      return "Int16";
    case DType::kInt32:
      return "Int32";
    case DType::kInt64:
      return "Int64";
    case DType::kUInt8:
      return "UInt8";
    case DType::kUInt16:
      return "UInt16";
    case DType::kUInt32:
      return "UInt32";
    case DType::kUInt64:
      return "UInt64";
    case DType::kBool8:
    case DType::kBoolBits:
      return "Boolean";
    case DType::kFloat32:
      return "Float32";
    case DType::kFloat64:
      return "Float64";
    case DType::kText:
    case DType::kCells:
      return "String";
    case DType::kDictionary:
      return "Categorical";
    case DType::kNull:
      return "Null";
  }
  return "unknown";
}

std::string_view Column::text(std::int64_t i) const noexcept {
  switch (layout) {
    case TextLayout::kOffsets32:
      return slice<std::int32_t>(*this, i);
    case TextLayout::kOffsets64:
      return slice<std::int64_t>(*this, i);
    case TextLayout::kView:
      return view(*this, i);
  }
  return {};
}

}  // namespace confmat
