// Two ascending lists as one.
#pragma once

#include <compare>
#include <cstddef>

#include "confmat/base/interrupt.hpp"
#include "confmat/state/entry_sums.hpp"

namespace confmat {

// Calls visit(i, j) for the keys that either has, in order; EntryMerge::kNone: not this one.
// `order(i, j)` compares key i of the one, of n, with key j of the other, of m.
template <class Order, class Visit>
void each_of_both(std::size_t n, std::size_t m, const Order& order, const Visit& visit) {
  const StopSign sign;
  for (std::size_t i = 0, j = 0, steps = 0; i < n || j < m; ++steps) {
    if ((steps & 0xFFFFU) == 0) sign.obey();
    const auto which = j == m   ? std::strong_ordering::less
                       : i == n ? std::strong_ordering::greater
                                : order(i, j);
    visit(which <= 0 ? i : EntryMerge::kNone, which >= 0 ? j : EntryMerge::kNone);
    i += which <= 0 ? 1U : 0U;
    j += which >= 0 ? 1U : 0U;
  }
}

}  // namespace confmat
