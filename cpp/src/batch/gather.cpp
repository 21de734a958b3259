// Turns values of any stride, order and width into a block of native integers.
#include "confmat/batch/gather.hpp"

#include <bit>
#include <cstring>

namespace confmat {
namespace {

std::uint16_t reversed(std::uint16_t value) noexcept { return __builtin_bswap16(value); }
std::uint32_t reversed(std::uint32_t value) noexcept { return __builtin_bswap32(value); }
std::uint64_t reversed(std::uint64_t value) noexcept { return __builtin_bswap64(value); }
std::uint8_t reversed(std::uint8_t value) noexcept { return value; }

template <class Bits>
Bits load(const std::byte* at) noexcept {
  Bits bits;
  std::memcpy(&bits, at, sizeof bits);
  return bits;
}

template <class Bits>
void copy(const Column& column, std::int64_t at, std::size_t n, std::byte* out) noexcept {
  const std::byte* from = column.data + at * column.stride;
  for (std::size_t i = 0; i < n; ++i) {
    const Bits bits = load<Bits>(from + static_cast<std::int64_t>(i) * column.stride);
    const Bits native = column.swapped ? reversed(bits) : bits;
    std::memcpy(out + i * sizeof(Bits), &native, sizeof native);
  }
}

void unpack_bits(const Column& column, std::int64_t at, std::size_t n, std::byte* out) noexcept {
  const std::int64_t first = column.bit_offset + at;
  std::size_t i = 0;
  for (; i < n && ((first + static_cast<std::int64_t>(i)) & 7) != 0; ++i) {
    const std::int64_t bit = first + static_cast<std::int64_t>(i);
    out[i] = (column.data[bit >> 3] >> (bit & 7)) & std::byte{1};
  }
  const std::byte* byte = column.data + ((first + static_cast<std::int64_t>(i)) >> 3);
  for (; i + 8 <= n; i += 8, ++byte) {
    // Every byte of the product's masked copies keeps one bit; the sum with 127 moves it to the
    // top.
    const auto copies = static_cast<std::uint64_t>(*byte) * 0x0101010101010101U;
    const std::uint64_t kept = copies & 0x8040201008040201U;
    std::uint64_t ones = ((kept + 0x00406070787C7E7FU) >> 7U) & 0x0101010101010101U;
    if constexpr (std::endian::native == std::endian::big) ones = reversed(ones);
    std::memcpy(out + i, &ones, 8);
  }
  for (; i < n; ++i) {
    const std::int64_t bit = first + static_cast<std::int64_t>(i);
    out[i] = (column.data[bit >> 3] >> (bit & 7)) & std::byte{1};
  }
}

void bytes_to_bools(const Column& column, std::int64_t at, std::size_t n, std::byte* out) noexcept {
  const std::byte* from = column.data + at * column.stride;
  if (column.stride == 1) {
    for (std::size_t i = 0; i < n; ++i) out[i] = std::byte{from[i] != std::byte{0}};
    return;
  }
  for (std::size_t i = 0; i < n; ++i) {
    out[i] = std::byte{from[static_cast<std::int64_t>(i) * column.stride] != std::byte{0}};
  }
}

}  // namespace

std::int64_t width_of(DType type) noexcept {
  switch (type) {
    case DType::kInt8:
    case DType::kUInt8:
    case DType::kBool8:
      return 1;
    case DType::kInt16:
    case DType::kUInt16:
      return 2;
    case DType::kInt32:
    case DType::kUInt32:
    case DType::kFloat32:
      return 4;
    case DType::kInt64:
    case DType::kUInt64:
    case DType::kFloat64:
      return 8;
    default:
      return 0;
  }
}

Run gather(const Column& column, std::int64_t at, std::size_t n, Scratch& scratch) {
  const DType type = stored_type(column);
  if (n == 0) return {column.data, is_bool(type) ? DType::kUInt8 : type};
  if (type == DType::kBoolBits) {
    unpack_bits(column, at, n, scratch.get());
    return {scratch.get(), DType::kUInt8};
  }
  if (type == DType::kBool8) {
    bytes_to_bools(column, at, n, scratch.get());
    return {scratch.get(), DType::kUInt8};
  }
  const std::int64_t width = width_of(type);
  if (column.stride == width && (!column.swapped || width == 1)) {
    return {column.data + at * width, type};
  }
  std::byte* out = scratch.get();
  switch (width) {
    case 1:
      copy<std::uint8_t>(column, at, n, out);
      break;
    case 2:
      copy<std::uint16_t>(column, at, n, out);
      break;
    case 4:
      copy<std::uint32_t>(column, at, n, out);
      break;
    default:
      copy<std::uint64_t>(column, at, n, out);
      break;
  }
  return {out, type};
}

std::uint64_t fixed_bits(const Column& column, std::int64_t i) noexcept {
  const DType type = stored_type(column);
  if (type == DType::kBoolBits) {
    const std::int64_t bit = column.bit_offset + i;
    return (static_cast<std::uint64_t>(column.data[bit >> 3]) >> (bit & 7)) & 1U;
  }
  const std::byte* at = column.data + i * column.stride;
  const bool is_signed = type <= DType::kInt64;
  const auto extend = [&](auto bits, auto as_signed) {
    if (column.swapped) bits = reversed(bits);
    using Signed = decltype(as_signed);
    return is_signed ? static_cast<std::uint64_t>(std::int64_t{static_cast<Signed>(bits)})
                     : static_cast<std::uint64_t>(bits);
  };
  switch (width_of(type)) {
    case 1:
      if (type == DType::kBool8) return *at != std::byte{0} ? 1 : 0;
      return extend(load<std::uint8_t>(at), std::int8_t{});
    case 2:
      return extend(load<std::uint16_t>(at), std::int16_t{});
    case 4:
      return extend(load<std::uint32_t>(at), std::int32_t{});
    default:
      return extend(load<std::uint64_t>(at), std::int64_t{});
  }
}

double float_value(const Column& column, std::int64_t i) noexcept {
  const std::byte* at = column.data + i * column.stride;
  if (column.type == DType::kFloat32) {
    const auto bits = load<std::uint32_t>(at);
    return static_cast<double>(std::bit_cast<float>(column.swapped ? reversed(bits) : bits));
  }
  const auto bits = load<std::uint64_t>(at);
  return std::bit_cast<double>(column.swapped ? reversed(bits) : bits);
}

bool any_null(const Column& column, std::int64_t at, std::size_t n) noexcept {
  if (n == 0) return false;
  if (column.validity == nullptr) return column.type == DType::kNull;
  const std::int64_t first = column.validity_offset + at;
  const std::int64_t last = first + static_cast<std::int64_t>(n) - 1;
  const std::uint8_t* byte = column.validity + (first >> 3);
  const std::uint8_t* end = column.validity + (last >> 3);
  const auto head = static_cast<unsigned>(0xFFU << (first & 7)) & 0xFFU;
  const auto tail = 0xFFU >> (7 - (last & 7));
  if (byte == end) return (*byte & head & tail) != (head & tail);
  if ((*byte & head) != head || (*end & tail) != tail) return true;
  ++byte;
  for (; end - byte >= 8; byte += 8) {
    std::uint64_t word;
    std::memcpy(&word, byte, 8);
    if (word != ~std::uint64_t{0}) return true;
  }
  for (; byte != end; ++byte) {
    if (*byte != 0xFF) return true;
  }
  return false;
}

}  // namespace confmat
