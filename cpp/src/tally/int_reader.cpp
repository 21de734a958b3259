// Blocks of integers as classes, by a window or a hash table.
#include "confmat/tally/int_reader.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

#include "confmat/batch/number_dispatch.hpp"

namespace confmat {
namespace {

struct IntLimits {
  std::int64_t low;
  std::int64_t high;  // at most 2^63 - 1: no label is beyond
};

IntLimits limits_of(DType type) noexcept {
  switch (type) {
    case DType::kInt8:
      return {INT8_MIN, INT8_MAX};
    case DType::kInt16:
      return {INT16_MIN, INT16_MAX};
    case DType::kInt32:
      return {INT32_MIN, INT32_MAX};
    case DType::kUInt8:
    case DType::kBool8:
    case DType::kBoolBits:
      return {0, UINT8_MAX};
    case DType::kUInt16:
      return {0, UINT16_MAX};
    case DType::kUInt32:
      return {0, UINT32_MAX};
    case DType::kUInt64:
      return {0, INT64_MAX};
    default:
      return {INT64_MIN, INT64_MAX};  // int64, and floats as whole numbers
  }
}

template <class T, class Class>
void find_classes(const std::byte* values, std::size_t n, const ClassSet& set,
                  Class* classes) noexcept {
  const auto other = static_cast<Class>(set.other());
  for (std::size_t i = 0; i < n; ++i) {
    T value;
    std::memcpy(&value, values + i * sizeof(T), sizeof value);
    const auto number = set.ints.find(static_cast<std::int64_t>(value));
    const bool beyond = sizeof(T) == 8 && T(-1) > T{0} && static_cast<std::int64_t>(value) < 0;
    classes[i] = number == IntSet::kAbsent || beyond ? other : static_cast<Class>(number);
  }
}

template <class Class>
void look_up(const std::uint16_t* offsets, std::size_t n, const ClassSet& set,
             Class* classes) noexcept {
  const std::uint16_t* lookup = set.lookup.data();
  for (std::size_t i = 0; i < n; ++i) classes[i] = static_cast<Class>(lookup[offsets[i]]);
}

}  // namespace

bool window_of(DType type, std::int64_t base, std::uint32_t span, std::uint32_t other,
               Window& window) noexcept {
  const IntLimits limits = limits_of(type);
  if (span == 0 || base > limits.high) return false;
  // base + span - 1 may lie beyond 2^63 - 1: compare distances instead.
  const std::int64_t lo = std::max(base, limits.low);
  const std::uint64_t shift = static_cast<std::uint64_t>(lo) - static_cast<std::uint64_t>(base);
  if (shift >= span) return false;
  const std::uint64_t room =
      static_cast<std::uint64_t>(limits.high) - static_cast<std::uint64_t>(lo);
  window.lo = static_cast<std::uint64_t>(lo);
  window.last = std::min<std::uint64_t>(span - 1 - shift, room);
  window.shift = static_cast<std::uint32_t>(shift);
  window.other = other;
  return true;
}

void IntReader::start(const Column& chunk, const ClassSet& set, const Place& place) {
  chunk_ = &chunk;
  set_ = &set;
  place_ = place;
  if (set.form == ClassSet::Form::kWindow) {
    reachable_ = window_of(chunk.type, set.base, set.span, set.other(), window_);
  } else if (set.form == ClassSet::Form::kLookup) {
    reachable_ = window_of(chunk.type, set.base, set.span, set.span, window_);
    if (offsets_ == nullptr) offsets_ = std::make_unique_for_overwrite<std::uint16_t[]>(kBlock);
  }
}

Run IntReader::run(std::int64_t at, std::size_t n) {
  if (!is_float(chunk_->type)) return gather(*chunk_, at, n, scratch_);
  if (whole_ == nullptr) whole_ = std::make_unique_for_overwrite<WholeBlock>();
  read_whole(*chunk_, at, n, place_, scratch_, *whole_);
  return {reinterpret_cast<const std::byte*>(whole_->values), DType::kInt64};
}

Nulls IntReader::nulls(std::int64_t at, std::size_t n) const noexcept {
  if (is_float(chunk_->type)) return {whole_->nulls ? whole_->valid : nullptr, 0};
  if (!any_null(*chunk_, at, n)) return {};
  return {chunk_->validity, chunk_->validity_offset + at};
}

bool IntReader::read(std::int64_t at, std::size_t n, ClassWidth width, void* classes) {
  const Run values = run(at, n);
  const auto type = static_cast<std::size_t>(values.type);
  if (set_->form == ClassSet::Form::kWindow && reachable_) {
    return kernels_.classify[width][type](values.values, n, window_, classes);
  }
  if (set_->form == ClassSet::Form::kInts) {
    with_int_type(values.type, [&](auto like) {
      with_width(width, classes,
                 [&](auto* out) { find_classes<decltype(like)>(values.values, n, *set_, out); });
    });
  } else if (!reachable_) {
    fill_classes(set_->other(), n, width, classes);
  } else {
    kernels_.classify[kClass16][type](values.values, n, window_, offsets_.get());
    with_width(width, classes, [&](auto* out) { look_up(offsets_.get(), n, *set_, out); });
  }
  return true;
}

void IntReader::widen(std::int64_t at, std::size_t n, Extremes& extremes) {
  const Run values = run(at, n);
  const Kernels::Range range = kernels_.range[static_cast<std::size_t>(values.type)];
  const Nulls null = nulls(at, n);
  if (null.validity == nullptr) return range(values.values, n, extremes);
  const std::int64_t width = width_of(values.type);
  for (std::size_t i = 0; i < n; ++i) {
    const auto row = static_cast<std::int64_t>(i);
    const std::int64_t bit = null.offset + row;
    if (((null.validity[bit >> 3] >> (bit & 7)) & 1) != 0) {
      range(values.values + row * width, 1, extremes);
    }
  }
}

std::int64_t IntReader::label(std::int64_t at) const {
  if (is_float(chunk_->type)) {
    const double value = float_value(*chunk_, at);  // the memory may have changed since
    return std::fabs(value) <= 0x1p53 ? static_cast<std::int64_t>(value) : 0;
  }
  const std::uint64_t bits = fixed_bits(*chunk_, at);
  if (chunk_->type == DType::kUInt64 && bits > INT64_MAX) {
    place_.fail("label " + std::to_string(bits), at, "is beyond 2^63 - 1");
  }
  return static_cast<std::int64_t>(bits);
}

}  // namespace confmat
