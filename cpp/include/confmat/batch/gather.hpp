// Blocks of fixed-width values as contiguous native integers. Such memory is used where it lies;
// strided, reversed, byte-swapped, bit-packed, boolean and floating values go through `Scratch`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "confmat/batch/column.hpp"

namespace confmat {

// Rows handled at a time: what a thread works on stays within the first-level cache.
inline constexpr std::size_t kBlock = 4096;

// Room for one block of the widest values; allocated when first needed.
class Scratch {
 public:
  std::byte* get() {
    if (room_ == nullptr) room_ = std::make_unique_for_overwrite<std::byte[]>(kBlock * 8);
    return room_.get();
  }

 private:
  std::unique_ptr<std::byte[]> room_;
};

inline bool is_int(DType type) noexcept { return type <= DType::kUInt64; }
inline bool is_bool(DType type) noexcept {
  return type == DType::kBool8 || type == DType::kBoolBits;
}
inline bool is_float(DType type) noexcept {
  return type == DType::kFloat32 || type == DType::kFloat64;
}
inline bool is_text(DType type) noexcept {
  return type == DType::kText || type == DType::kCells || type == DType::kDictionary;
}
std::int64_t width_of(DType type) noexcept;  // bytes of a fixed-width value, else 0

struct Run {
  const std::byte* values = nullptr;
  DType type = DType::kInt64;  // one of the eight integers, or the float asked for
};

// Rows at ... at + n - 1 of a column of integers, booleans (as 0 / 1 bytes) or floats (as they
// are), or of dictionary keys.
// Needs: n <= kBlock.
Run gather(const Column& column, std::int64_t at, std::size_t n, Scratch& scratch);

// The type of the values in `data`: the keys of a dictionary, else the type itself.
inline DType stored_type(const Column& column) noexcept {
  return column.type == DType::kDictionary ? column.key_type : column.type;
}

// One value, however it lies in memory. Needs: an integer or boolean type; 0 <= i < length.
std::uint64_t fixed_bits(const Column& column, std::int64_t i) noexcept;  // sign-extended
double float_value(const Column& column, std::int64_t i) noexcept;

// Whether one of the rows at ... at + n - 1 is null.
bool any_null(const Column& column, std::int64_t at, std::size_t n) noexcept;

}  // namespace confmat
