#include "confmat/tally/sparse_places.hpp"

#include <cstddef>

#include "confmat/base/interrupt.hpp"

namespace confmat {

SparsePlaces unite_places(std::span<const std::int64_t> one, std::span<const std::int64_t> other) {
  SparsePlaces out;
  out.both.reserve(one.size() + other.size());
  out.of_one.reserve(one.size());
  out.of_other.reserve(other.size());
  std::size_t i = 0;
  std::size_t j = 0;
  const StopSign sign;
  while (i < one.size() || j < other.size()) {
    if ((out.both.size() & 0xFFFFU) == 0) sign.obey();
    const bool of_one = j == other.size() || (i < one.size() && one[i] <= other[j]);
    const bool of_other = i == one.size() || (j < other.size() && other[j] <= one[i]);
    const auto at = static_cast<std::int64_t>(out.both.size());
    out.both.push_back(of_one ? one[i] : other[j]);
    if (of_one) {
      out.of_one.push_back(at);
      ++i;
    }
    if (of_other) {
      out.of_other.push_back(at);
      ++j;
    }
  }
  return out;
}

}  // namespace confmat
