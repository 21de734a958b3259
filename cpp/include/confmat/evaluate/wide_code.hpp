// A pair code (see tally/encode.hpp) that carries its label set along: the number of classes and
// the position of the positive one. Enum columns declare their classes, so that their codes can be
// read where the labels are known to nobody else.
#pragma once

#include <cstdint>

namespace confmat {

struct WideCode {
  static constexpr std::int64_t kMostClasses = 65533;

  std::uint64_t bits = 0;

  // Needs: 0 <= classes <= kMostClasses, -1 <= pos < classes.
  static WideCode pack(std::int64_t classes, std::int64_t pos, std::uint32_t code) noexcept {
    return {static_cast<std::uint64_t>(classes) << 48 | static_cast<std::uint64_t>(pos + 1) << 32 |
            code};
  }
  [[nodiscard]] std::int64_t classes() const noexcept {
    return static_cast<std::int64_t>(bits >> 48);
  }
  [[nodiscard]] std::int64_t pos() const noexcept {
    return static_cast<std::int64_t>(bits >> 32 & 0xFFFF) - 1;
  }
  [[nodiscard]] std::uint32_t code() const noexcept {
    return static_cast<std::uint32_t>(bits & 0xFFFFFFFF);
  }
};

// A wide code and the weight of its row: 128 bits, as one Int128.
struct WeightedCode {
  double weight;
  WideCode code;
};

}  // namespace confmat
