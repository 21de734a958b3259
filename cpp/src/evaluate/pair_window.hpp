// Codes of pairs of neighbouring integers, as the places of a table.
#pragma once

#include <cstddef>
#include <cstdint>

#include "confmat/evaluate/pair_dictionary.hpp"

namespace confmat {

struct PairWindow {
  std::uint32_t truth = 0;  // of the first integers, as they lie in a code
  std::uint32_t prediction = 0;
  unsigned bits = 4;  // 2^bits integers on each side

  [[nodiscard]] std::size_t places() const noexcept { return std::size_t{1} << 2 * bits; }
  // places() for all others.
  [[nodiscard]] std::size_t place(std::uint32_t code) const noexcept {
    const std::uint32_t t = code / PairCode::kSpan - truth;
    const std::uint32_t p = code % PairCode::kSpan - prediction;
    return (t | p) >> bits == 0 ? std::size_t{t} << bits | p : places();
  }
  [[nodiscard]] std::uint32_t code_at(std::size_t place) const noexcept {
    const auto t = static_cast<std::uint32_t>(place >> bits) + truth;
    const auto p = static_cast<std::uint32_t>(place & ((std::size_t{1} << bits) - 1)) + prediction;
    return t * PairCode::kSpan + p;
  }
};

}  // namespace confmat
