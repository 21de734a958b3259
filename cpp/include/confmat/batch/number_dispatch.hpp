// Calls a template for the C++ type of numbers.
#pragma once

#include <cstdint>

#include "confmat/batch/column.hpp"

namespace confmat {

// visit(T{}) for the integer type; booleans have been widened to uint8 before.
// Needs: is_int(type).
template <class Visit>
decltype(auto) with_int_type(DType type, Visit&& visit) {
  switch (type) {
    case DType::kInt8:
      return visit(std::int8_t{});
    case DType::kInt16:
      return visit(std::int16_t{});
    case DType::kInt32:
      return visit(std::int32_t{});
    case DType::kInt64:
      return visit(std::int64_t{});
    case DType::kUInt8:
      return visit(std::uint8_t{});
    case DType::kUInt16:
      return visit(std::uint16_t{});
    case DType::kUInt32:
      return visit(std::uint32_t{});
    default:
      return visit(std::uint64_t{});
  }
}

// The same for float and double too. Needs: is_int(type) or is_float(type).
template <class Visit>
decltype(auto) with_number_type(DType type, Visit&& visit) {
  if (type == DType::kFloat32) return visit(float{});
  if (type == DType::kFloat64) return visit(double{});
  return with_int_type(type, visit);
}

}  // namespace confmat
