// Which rows are of each class.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "confmat/base/interrupt.hpp"
#include "confmat/base/pages.hpp"
#include "ladder_others.hpp"

namespace confmat {

// The rows of each class, one class after the other.
struct RowsByClass {
  Pages<std::uint32_t> rows;
  std::vector<std::size_t> start;

  RowsByClass(std::span<const std::uint16_t> classes, std::size_t k) : start(k + 1) {
    for (const auto [first, last] : Strides(classes.size())) {
      for (std::size_t row = first; row < last; ++row) {
        if (is_class(classes[row], k)) ++start[classes[row] + std::size_t{1}];
      }
    }
    for (std::size_t i = 1; i <= k; ++i) start[i] += start[i - 1];
    rows = Pages<std::uint32_t>(start[k]);
    std::vector<std::size_t> next(start.begin(), start.end() - 1);
    for (const auto [first, last] : Strides(classes.size())) {
      for (std::size_t row = first; row < last; ++row) {
        if (is_class(classes[row], k)) rows[next[classes[row]]++] = static_cast<std::uint32_t>(row);
      }
    }
  }
};

}  // namespace confmat
