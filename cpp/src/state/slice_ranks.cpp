// Keys that are numbers as unsigned ones in their order: two's complement with its sign turned, and
// floats with the sign turned, those below 0 with all bits.
#include <bit>
#include <cmath>
#include <limits>

#include "confmat/state/slice_table.hpp"

namespace confmat {
namespace {

constexpr std::uint64_t kSign = std::uint64_t{1} << 63U;

}  // namespace

std::uint64_t rank_of_int(std::int64_t value) noexcept {
  return static_cast<std::uint64_t>(value) ^ kSign;
}
std::int64_t int_of_rank(std::uint64_t rank) noexcept {
  return static_cast<std::int64_t>(rank ^ kSign);
}
std::uint64_t rank_of_float(double value) noexcept {
  if (std::isnan(value)) value = std::numeric_limits<double>::quiet_NaN();
  const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);
  return (bits & kSign) != 0 ? ~bits : bits | kSign;
}
double float_of_rank(std::uint64_t rank) noexcept {
  return std::bit_cast<double>((rank & kSign) != 0 ? rank ^ kSign : ~rank);
}

}  // namespace confmat
