// The order of slices: by their keys, one after the other, nulls last.
#pragma once

#include <compare>
#include <cstddef>

#include "confmat/state/slice_table.hpp"

namespace confmat {

// Needs: both tables have the same keys.
inline std::strong_ordering order_of(const SliceTable& one, std::size_t i, const SliceTable& other,
                                     std::size_t j) noexcept {
  for (std::size_t key = 0; key < one.keys.size(); ++key) {
    const KeyValues& a = one.keys[key];
    const KeyValues& b = other.keys[key];
    auto order = a.is_null(i) <=> b.is_null(j);
    if (order == 0) {
      order = one.head.keys[key].kind == KeyKind::kText ? a.texts[i] <=> b.texts[j]
                                                        : a.ranks[i] <=> b.ranks[j];
    }
    if (order != 0) return order;
  }
  return std::strong_ordering::equal;
}

inline bool comes_before(const SliceTable& one, std::size_t i, const SliceTable& other,
                         std::size_t j) noexcept {
  return order_of(one, i, other, j) < 0;
}

}  // namespace confmat
