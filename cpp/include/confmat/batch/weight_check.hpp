// Weights are finite and not negative; what is said of one that is not.
#pragma once

#include <cfloat>
#include <cstdint>

#include "confmat/batch/place.hpp"

namespace confmat {

constexpr bool is_weight(double weight) noexcept { return (weight >= 0) & (weight <= DBL_MAX); }

// Needs: it is no weight.
[[noreturn]] void refuse_weight(double weight, const Place& place, std::int64_t at);

inline void check_weight(double weight, const Place& place, std::int64_t at) {
  if (!is_weight(weight)) refuse_weight(weight, place, at);
}

// Of a weight that was checked before it travelled.
inline void require_weight(double weight) {
  if (!is_weight(weight)) throw InputError("a weight that no row has");
}

}  // namespace confmat
