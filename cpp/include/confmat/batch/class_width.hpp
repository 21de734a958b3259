// How many bytes a class takes, and memory of classes of each width.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace confmat {

// Index of the loops that depend on the width.
enum ClassWidth : std::size_t { kClass8 = 0, kClass16 = 1, kClass32 = 2, kClassWidths = 3 };

template <class Class>
inline constexpr ClassWidth kWidthOf = sizeof(Class) == 1   ? kClass8
                                       : sizeof(Class) == 2 ? kClass16
                                                            : kClass32;

// write(pointer) for memory of classes.
template <class Write>
void with_width(ClassWidth width, void* classes, const Write& write) {
  switch (width) {
    case kClass8:
      return write(static_cast<std::uint8_t*>(classes));
    case kClass16:
      return write(static_cast<std::uint16_t*>(classes));
    default:
      return write(static_cast<std::uint32_t*>(classes));
  }
}

inline std::uint32_t class_at(const void* classes, std::size_t i, ClassWidth width) noexcept {
  if (width == kClass8) return static_cast<const std::uint8_t*>(classes)[i];
  if (width == kClass16) return static_cast<const std::uint16_t*>(classes)[i];
  return static_cast<const std::uint32_t*>(classes)[i];
}

inline void fill_classes(std::uint32_t with, std::size_t n, ClassWidth width, void* classes) {
  with_width(width, classes,
             [&]<class Class>(Class* out) { std::fill_n(out, n, static_cast<Class>(with)); });
}

}  // namespace confmat
