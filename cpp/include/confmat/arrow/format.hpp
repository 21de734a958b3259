// Arrow's format strings: how the values of a type lie in memory, and what Polars users call it.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "confmat/arrow/abi.hpp"
#include "confmat/batch/column.hpp"

namespace confmat {

enum class ArrowLayout : std::uint8_t {
  kNull,       // no buffers
  kFixed,      // validity, values of `width` bytes
  kBits,       // validity, one bit a value
  kOffsets32,  // validity, offsets, bytes
  kOffsets64,
  kViews,   // validity, views, any number of buffers, their sizes
  kList32,  // validity, offsets; one child
  kList64,
  kFixedList,  // validity; one child with `width` values a row
  kStruct,     // validity; any number of children
  kOther,      // run-end encoded, unions, views of lists, extensions: never read
};

struct ArrowFormat {
  ArrowLayout layout = ArrowLayout::kOther;
  std::int64_t width = 0;
  // Of columns that hold labels, scores or weights; else kNull. Integers of 128 bits are read as
  // those of 64 that they must be.
  DType type = DType::kNull;
  bool utf8 = false;
  std::string_view word = "an unknown type";
};

// Needs: format is not null.
ArrowFormat format_of(const char* format) noexcept;

// How many children a type must have; what it says itself where any number will do.
std::int64_t children_of(const ArrowSchema& schema, const ArrowFormat& format) noexcept;

// Whether it is one of integers of 128 bits.
bool is_wide_integer(const ArrowSchema& schema) noexcept;
// Whether it is Float16.
bool is_half(const ArrowSchema& schema) noexcept;

// The dtype word for a type, as Polars users know it ("Int64", "String", "List", ...).
std::string_view dtype_word(const ArrowSchema& schema) noexcept;

inline constexpr std::string_view kLabelDtypes = "integers, Booleans, strings, Categorical or Enum";
// The message for a column of another dtype than is wanted.
std::string refused_dtype(std::string_view argument, std::string_view dtype_word,
                          std::string_view wanted = kLabelDtypes);

// Whether both are Enum columns with the same categories in the same order.
bool same_enum(const ArrowSchema& one, const ArrowSchema& two) noexcept;

// The categories of an Enum, in order; none of another type.
std::optional<std::vector<std::string>> enum_categories(const ArrowSchema& schema);

// Which of Polars' named collections of categories the codes of a Categorical belong to.
struct CategoriesName {
  std::string name;      // empty: the global ones
  std::string space;     // their namespace
  std::string physical;  // "u8", "u16" or "u32"
  auto operator<=>(const CategoriesName&) const = default;
};

// None of another type, and of a Categorical that does not say.
std::optional<CategoriesName> categories_name(const ArrowSchema& schema);

}  // namespace confmat
