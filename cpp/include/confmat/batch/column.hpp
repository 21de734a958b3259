// One contiguous or strided run of values as it lies in foreign memory: nothing is owned or copied.
// The narrow waist between the sources (NumPy, Arrow, Polars) and the kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace confmat {

enum class DType : std::uint8_t {
  kInt8,
  kInt16,
  kInt32,
  kInt64,
  kUInt8,
  kUInt16,
  kUInt32,
  kUInt64,
  kBool8,     // one byte a value (NumPy)
  kBoolBits,  // one bit a value (Arrow)
  kFloat32,
  kFloat64,
  kText,        // UTF-8, see TextLayout
  kCells,       // texts of one width, padded with zeros (NumPy)
  kDictionary,  // keys of `key_type` into `dictionary`, itself kText
  kNull,        // every value is null
};

enum class TextLayout : std::uint8_t { kOffsets32, kOffsets64, kView };

// "int32", "bool", "string", ...: the words used in error messages.
std::string_view name_of(DType type) noexcept;

struct Column {
  DType type = DType::kNull;
  std::int64_t length = 0;

  // Fixed-width values (and dictionary keys): the first value and the distance to the next, in
  // bytes; negative for reversed arrays. Values may be unaligned and byte-swapped.
  const std::byte* data = nullptr;
  std::int64_t stride = 0;
  bool swapped = false;
  std::int64_t bit_offset = 0;  // kBoolBits: position of the first bit in `data`
  std::size_t cell = 0;         // kCells: bytes of one text
  bool utf8 = false;            // kCells: of UTF-8; else of UTF-32, four bytes a character

  // Arrow validity bitmap, or null when every value is valid.
  const std::uint8_t* validity = nullptr;
  std::int64_t validity_offset = 0;

  // kText. Offsets layouts: `data` points at the first offset and `bytes` at the text.
  // View layout: `data` points at the first 16-byte view; `buffers` are the variadic ones and
  // `sizes` their lengths, as 64-bit integers that may be unaligned.
  TextLayout layout = TextLayout::kOffsets32;
  const char* bytes = nullptr;
  std::span<const void* const> buffers = {};
  const std::byte* sizes = nullptr;

  // kDictionary
  DType key_type = DType::kUInt32;
  const Column* dictionary = nullptr;

  [[nodiscard]] bool valid(std::int64_t i) const noexcept {
    if (validity == nullptr) return type != DType::kNull;
    const std::int64_t bit = validity_offset + i;
    return ((validity[bit >> 3] >> (bit & 7)) & 1) != 0;
  }

  // View layout: where `size` bytes lie from `offset` on in the buffer of that number; null if they
  // are not all within it.
  [[nodiscard]] const char* viewed(std::int32_t buffer, std::int32_t offset,
                                   std::size_t size) const noexcept {
    // Negative numbers become huge.
    const auto number = static_cast<std::size_t>(static_cast<std::uint32_t>(buffer));
    if (number >= buffers.size()) return nullptr;
    std::int64_t held;
    std::memcpy(&held, sizes + number * sizeof held, sizeof held);
    const auto begin = static_cast<std::size_t>(static_cast<std::uint32_t>(offset));
    if (offset < 0 || static_cast<std::int64_t>(begin + size) > held) return nullptr;
    const auto* text = static_cast<const char*>(buffers[number]);
    return text == nullptr ? nullptr : text + begin;
  }

  // Empty where offsets or a view point outside.
  // Needs: type == kText and 0 <= i < length and valid(i).
  [[nodiscard]] std::string_view text(std::int64_t i) const noexcept;
};

// The chunks of one logical column, in order.
using Chunks = std::span<const Column>;

}  // namespace confmat
