// Turns floats into integers, or names the first that is no whole number.
#include "confmat/batch/whole_numbers.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <string>
#include <string_view>

namespace confmat {
namespace {

constexpr double kLargest = 0x1p53;  // up to here every whole number is a double

[[noreturn]] void refuse(double value, std::int64_t row, const Place& place) {
  char text[32];
  const std::string label(text, std::to_chars(text, text + sizeof text, value).ptr);
  if (!std::isfinite(value) || std::trunc(value) == value) {
    place.fail("label " + label, row, "is not a whole number from -2^53 to 2^53");
  }
  const bool truth = std::string_view(place.argument) == "y_true";
  place.fail("label " + label, row,
             std::string("is not a whole number; these look like scores") +
                 (truth ? ", and true labels come before them"
                        : std::string(": give them to ") + place.scores_go_to +
                              ", or compare them with a threshold"));
}

// Returns whether every row is a whole number in range.
template <class T>
bool convert(const std::byte* from, std::size_t n, std::int64_t* to) noexcept {
  bool whole = true;
  for (std::size_t i = 0; i < n; ++i) {
    T value;
    std::memcpy(&value, from + i * sizeof(T), sizeof value);
    const bool inside = value >= static_cast<T>(-kLargest) && value <= static_cast<T>(kLargest);
    to[i] = static_cast<std::int64_t>(inside ? value : T{0});
    whole &= static_cast<T>(to[i]) == value;
  }
  return whole;
}

void set_null(WholeBlock& out, std::size_t i) {
  out.values[i] = 0;
  out.valid[i >> 3] &= static_cast<std::uint8_t>(~(1U << (i & 7)));
}

}  // namespace

void read_whole(const Column& column, std::int64_t at, std::size_t n, const Place& place,
                Scratch& scratch, WholeBlock& out) {
  const Run run = gather(column, at, n, scratch);
  const bool whole = column.type == DType::kFloat32 ? convert<float>(run.values, n, out.values)
                                                    : convert<double>(run.values, n, out.values);
  out.nulls = !whole || any_null(column, at, n);
  if (!out.nulls) return;
  std::fill(std::begin(out.valid), std::end(out.valid), std::uint8_t{0xFF});
  for (std::size_t i = 0; i < n; ++i) {
    const std::int64_t row = at + static_cast<std::int64_t>(i);
    const double value = column.valid(row) ? float_value(column, row) : 0.0;
    if (!column.valid(row) || std::isnan(value)) {
      set_null(out, i);
    } else if (static_cast<double>(out.values[i]) != value) {
      refuse(value, row, place);
    }
  }
}

WholeColumn::WholeColumn(const Column& floats, const Place& place)
    : values_(static_cast<std::size_t>(floats.length)) {
  Scratch scratch;
  const auto block = std::make_unique_for_overwrite<WholeBlock>();
  const auto rows = static_cast<std::size_t>(floats.length);
  for (std::size_t at = 0; at < rows; at += kBlock) {
    const std::size_t n = std::min(kBlock, rows - at);
    read_whole(floats, static_cast<std::int64_t>(at), n, place, scratch, *block);
    std::copy_n(block->values, n, values_.begin() + static_cast<std::ptrdiff_t>(at));
    if (!block->nulls) continue;
    if (valid_.empty()) valid_.assign((rows + kBlock - 1) / kBlock * (kBlock / 8), 0xFF);
    std::copy_n(block->valid, kBlock / 8, valid_.begin() + static_cast<std::ptrdiff_t>(at / 8));
  }
  column_.type = DType::kInt64;
  column_.length = floats.length;
  column_.data = reinterpret_cast<const std::byte*>(values_.data());
  column_.stride = sizeof(std::int64_t);
  if (!valid_.empty()) column_.validity = valid_.data();
}

}  // namespace confmat
