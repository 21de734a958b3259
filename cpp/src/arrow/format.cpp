// The format strings that columns of labels, scores and weights may have.
#include "confmat/arrow/format.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

#include "confmat/batch/gather.hpp"

namespace confmat {
namespace {

struct Row {
  std::string_view format;
  ArrowFormat means;
};

constexpr auto kFixed = ArrowLayout::kFixed;

constexpr std::array<Row, 31> kWhole{{
    {"c", {kFixed, 1, DType::kInt8, false, "Int8"}},
    {"C", {kFixed, 1, DType::kUInt8, false, "UInt8"}},
    {"s", {kFixed, 2, DType::kInt16, false, "Int16"}},
    {"S", {kFixed, 2, DType::kUInt16, false, "UInt16"}},
    {"i", {kFixed, 4, DType::kInt32, false, "Int32"}},
    {"I", {kFixed, 4, DType::kUInt32, false, "UInt32"}},
    {"l", {kFixed, 8, DType::kInt64, false, "Int64"}},
    {"L", {kFixed, 8, DType::kUInt64, false, "UInt64"}},
    {"f", {kFixed, 4, DType::kFloat32, false, "Float32"}},
    {"g", {kFixed, 8, DType::kFloat64, false, "Float64"}},
    {"b", {ArrowLayout::kBits, 0, DType::kBoolBits, false, "Boolean"}},
    {"n", {ArrowLayout::kNull, 0, DType::kNull, false, "Null"}},
    {"u", {ArrowLayout::kOffsets32, 4, DType::kText, true, "String"}},
    {"U", {ArrowLayout::kOffsets64, 8, DType::kText, true, "String"}},
    {"vu", {ArrowLayout::kViews, 16, DType::kText, true, "String"}},
    {"z", {ArrowLayout::kOffsets32, 4, DType::kNull, false, "Binary"}},
    {"Z", {ArrowLayout::kOffsets64, 8, DType::kNull, false, "Binary"}},
    {"vz", {ArrowLayout::kViews, 16, DType::kNull, false, "Binary"}},
    {"e", {kFixed, 2, DType::kNull, false, "Float16"}},
    {"_pli128", {kFixed, 16, DType::kInt64, false, "Int128"}},
    {"_plu128", {kFixed, 16, DType::kUInt64, false, "UInt128"}},
    {"tdD", {kFixed, 4, DType::kNull, false, "Date"}},
    {"tdm", {kFixed, 8, DType::kNull, false, "Date"}},
    {"tts", {kFixed, 4, DType::kNull, false, "Time"}},
    {"ttm", {kFixed, 4, DType::kNull, false, "Time"}},
    {"ttu", {kFixed, 8, DType::kNull, false, "Time"}},
    {"ttn", {kFixed, 8, DType::kNull, false, "Time"}},
    {"+l", {ArrowLayout::kList32, 4, DType::kNull, false, "List"}},
    {"+L", {ArrowLayout::kList64, 8, DType::kNull, false, "List"}},
    {"+s", {ArrowLayout::kStruct, 0, DType::kNull, false, "Struct"}},
    {"+r", {ArrowLayout::kOther, 0, DType::kNull, false, "RunEndEncoded"}},
}};

// Formats with parameters behind these letters. Decimals, whose width is a parameter too, are
// never read.
constexpr std::array<Row, 9> kStarts{{
    {"ts", {kFixed, 8, DType::kNull, false, "Datetime"}},
    {"tD", {kFixed, 8, DType::kNull, false, "Duration"}},
    {"ti", {ArrowLayout::kOther, 0, DType::kNull, false, "Interval"}},
    {"d:", {ArrowLayout::kOther, 0, DType::kNull, false, "Decimal"}},
    {"w:", {ArrowLayout::kOther, 0, DType::kNull, false, "FixedSizeBinary"}},
    {"+w:", {ArrowLayout::kFixedList, 0, DType::kNull, false, "Array"}},
    {"+m", {ArrowLayout::kOther, 0, DType::kNull, false, "Map"}},
    {"+u", {ArrowLayout::kOther, 0, DType::kNull, false, "Union"}},
    {"+v", {ArrowLayout::kOther, 0, DType::kNull, false, "ListView"}},
}};

// The metadata of a field: number of pairs, then length and bytes of each key and value.
struct Metadata {
  std::string_view bytes;
  bool is_enum = false;         // one of the keys is that of Polars' Enum
  std::string_view categories;  // its value
  std::string_view name;        // the value of the key of Polars' Categorical
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
    const std::string_view key = text();
    const std::string_view value = text();
    out.is_enum = key.starts_with("_PL_ENUM_VALUES") || out.is_enum;
    if (key == "_PL_ENUM_VALUES2") out.categories = value;
    if (key == "_PL_CATEGORICAL2") out.name = value;
  }
  out.bytes = {schema.metadata, static_cast<std::size_t>(at - schema.metadata)};
  return out;
}

// Takes a text off the front: its length, a semicolon, its bytes. None: there is no such text.
std::optional<std::string_view> take_text(std::string_view& left) {
  std::size_t length = 0;
  const auto read = std::from_chars(left.data(), left.data() + left.size(), length);
  const auto digits = static_cast<std::size_t>(read.ptr - left.data());
  if (read.ec != std::errc() || digits == left.size() || left[digits] != ';') return std::nullopt;
  const std::string_view rest = left.substr(digits + 1);
  if (length > rest.size()) return std::nullopt;
  left = rest.substr(length);
  return rest.substr(0, length);
}

}  // namespace

ArrowFormat format_of(const char* format) noexcept {
  const std::string_view text = format;
  for (const Row& row : kWhole) {
    if (row.format == text) return row.means;
  }
  for (const Row& row : kStarts) {
    if (!text.starts_with(row.format)) continue;
    ArrowFormat out = row.means;
    if (out.layout == ArrowLayout::kFixedList) {
      const char* end = text.data() + text.size();
      std::int32_t width = -1;
      const auto read = std::from_chars(text.data() + row.format.size(), end, width);
      const bool good = read.ec == std::errc() && read.ptr == end && width >= 0;
      out.width = width;
      if (!good) out.layout = ArrowLayout::kOther;
    }
    return out;
  }
  return {};
}

std::int64_t children_of(const ArrowSchema& schema, const ArrowFormat& format) noexcept {
  switch (format.layout) {
    case ArrowLayout::kList32:
    case ArrowLayout::kList64:
    case ArrowLayout::kFixedList:
      return 1;
    case ArrowLayout::kStruct:
      return std::max<std::int64_t>(schema.n_children, 0);
    default:
      return 0;
  }
}

bool is_wide_integer(const ArrowSchema& schema) noexcept {
  const ArrowFormat format = format_of(schema.format);
  return format.width == 16 && is_int(format.type);
}

bool is_half(const ArrowSchema& schema) noexcept {
  return schema.dictionary == nullptr && std::string_view(schema.format) == "e";
}

std::string_view dtype_word(const ArrowSchema& schema) noexcept {
  const ArrowFormat format = format_of(schema.format);
  if (schema.dictionary == nullptr) return format.word;
  return metadata_of(schema).is_enum ? "Enum" : "Categorical";
}

std::string refused_dtype(std::string_view argument, std::string_view dtype_word,
                          std::string_view wanted) {
  std::string out = "`" + std::string(argument) + "` has dtype " + std::string(dtype_word);
  out += ": wanted " + std::string(wanted);
  if (dtype_word == "Decimal") out += "; cast it to pl.Float64, or labels to pl.Int64";
  return out;
}

bool same_enum(const ArrowSchema& one, const ArrowSchema& two) noexcept {
  const Metadata metadata = metadata_of(one);
  return metadata.is_enum && metadata.bytes == metadata_of(two).bytes;
}

std::optional<std::vector<std::string>> enum_categories(const ArrowSchema& schema) {
  const Metadata metadata = metadata_of(schema);
  if (!metadata.is_enum || metadata.categories.data() == nullptr) return std::nullopt;
  std::vector<std::string> out;
  for (std::string_view left = metadata.categories; !left.empty();) {
    const auto text = take_text(left);
    if (!text) return std::nullopt;
    out.emplace_back(*text);
  }
  return out;
}

std::optional<CategoriesName> categories_name(const ArrowSchema& schema) {
  std::string_view left = metadata_of(schema).name;
  const auto name = take_text(left);
  const auto space = name ? take_text(left) : std::nullopt;
  if (!space || !left.ends_with(';')) return std::nullopt;
  left.remove_suffix(1);
  return CategoriesName{std::string(*name), std::string(*space), std::string(left)};
}

}  // namespace confmat
