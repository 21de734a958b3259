// Widens numbers of every type to doubles.
#include "number_reader.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "confmat/base/error.hpp"
#include "confmat/base/shown.hpp"
#include "confmat/batch/number_dispatch.hpp"
#include "confmat/batch/place.hpp"
#include "confmat/tally/moments.hpp"

namespace confmat {
namespace {

// Returns the first integer that is no double, or n.
template <class T>
std::size_t widen(const std::byte* values, std::size_t n, double* out) noexcept {
  std::size_t bad = n;
  for (std::size_t i = 0; i < n; ++i) {
    T value;
    std::memcpy(&value, values + i * sizeof value, sizeof value);
    out[i] = static_cast<double>(value);
    if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
      constexpr auto kMost = static_cast<T>(std::int64_t{1} << 53);
      bool fits = value <= kMost;
      if constexpr (std::is_signed_v<T>) fits = fits && value >= -kMost;
      if (!fits && bad == n) bad = i;
    }
  }
  return bad;
}

}  // namespace

void require_numbers(Chunks chunks, const char* argument) {
  for (const Column& chunk : chunks) {
    if (is_int(chunk.type) || is_bool(chunk.type) || is_float(chunk.type) ||
        chunk.type == DType::kNull) {
      continue;
    }
    throw InputError("`" + std::string(argument) + "` has dtype " +
                     std::string(name_of(chunk.type)) + ": wanted numbers");
  }
}

const double* NumberReader::read(const Column& column, std::int64_t at, std::size_t n,
                                 std::int64_t first_row) {
  column_ = &column;
  at_ = at;
  has_all_ = !any_null(column, at, n);
  if (column.type == DType::kNull) {
    std::fill_n(room_, n, 0.0);
    return room_;
  }
  const Run run = gather(column, at, n, scratch_);
  if (run.type == DType::kFloat64) {
    if (reinterpret_cast<std::uintptr_t>(run.values) % alignof(double) == 0) {
      return reinterpret_cast<const double*>(run.values);
    }
    std::memcpy(room_, run.values, n * sizeof(double));
  } else {
    std::size_t bad = with_number_type(
        run.type, [&](auto like) { return widen<decltype(like)>(run.values, n, room_); });
    constexpr std::uint64_t kMost = std::uint64_t{1} << 53;
    const auto is_beyond = [&](std::uint64_t bits) {
      const bool is_negative = column.type <= DType::kInt64 && static_cast<std::int64_t>(bits) < 0;
      return (is_negative ? -bits : bits) > kMost;
    };
    while (bad < n && !has(bad)) ++bad;  // what a null hides is not looked at
    for (; bad < n; ++bad) {
      if (has(bad) && is_beyond(fixed_bits(column, at + static_cast<std::int64_t>(bad)))) break;
    }
    if (bad < n) {
      const std::uint64_t bits = fixed_bits(column, at + static_cast<std::int64_t>(bad));
      const bool is_signed = column.type <= DType::kInt64;
      const std::string shown =
          is_signed ? std::to_string(static_cast<std::int64_t>(bits)) : std::to_string(bits);
      const Place place{argument_, first_row};
      place.fail(shown, static_cast<std::int64_t>(bad),
                 "is an integer beyond 2^53; cast to float64 for the nearest one");
    }
  }
  return room_;
}

void NumberReader::require_number(double value, std::int64_t first_row, std::size_t i) const {
  if (std::fabs(value) <= kMostNumber) return;
  const Place place{argument_, first_row};
  const auto at = static_cast<std::int64_t>(i);
  if (std::isnan(value)) {
    place.fail("nan", at, "is no number; nan=\"drop\" leaves such rows out");
  }
  place.fail(shown_number(value), at,
             std::isinf(value) ? "is infinite; wanted numbers from -1e60 to 1e60"
                               : "is too large; wanted numbers from -1e60 to 1e60");
}

}  // namespace confmat
