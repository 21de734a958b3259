// Cells of two counts of 32 bits each, listed where they are not 0: where they lie, and both
// counts.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "confmat/kernels/table.hpp"

namespace confmat {

// Memory that stays for the next ones.
class CellLists {
 public:
  void clear() noexcept { n_ = 0; }
  // Appends cells, which are 0 afterwards; they are counted down from `first`.
  void take(std::uint64_t* cells, std::size_t n, std::uint32_t first) {
    make_room(n);
    n_ += kernels().take_pairs(cells, n, first, lists_[0].data() + n_, lists_[1].data() + n_,
                               lists_[2].data() + n_);
  }
  void put(std::uint32_t place, std::uint64_t cell) {
    make_room(1);
    lists_[0][n_] = place;
    lists_[1][n_] = static_cast<std::uint32_t>(cell);
    lists_[2][n_++] = static_cast<std::uint32_t>(cell >> 32U);
  }

  // Until more is put.
  [[nodiscard]] std::span<const std::uint32_t> places() const noexcept { return list(0); }
  [[nodiscard]] std::span<const std::uint32_t> low() const noexcept { return list(1); }
  [[nodiscard]] std::span<const std::uint32_t> high() const noexcept { return list(2); }

 private:
  void make_room(std::size_t n) {
    const std::size_t needed = n_ + n + kPairsBeyond;
    if (needed <= lists_[0].size()) return;
    for (auto& list : lists_) list.resize(std::max(needed, 2 * list.size()));
  }
  [[nodiscard]] std::span<const std::uint32_t> list(std::size_t i) const noexcept {
    return std::span(lists_[i]).first(n_);
  }

  std::array<std::vector<std::uint32_t>, 3> lists_;
  std::size_t n_ = 0;
};

}  // namespace confmat
