// What is said of a weight that is none.
#include "confmat/batch/weight_check.hpp"

#include <charconv>
#include <cmath>
#include <string>

namespace confmat {

void refuse_weight(double weight, const Place& place, std::int64_t at) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, weight).ptr;
  place.fail("weight " + std::string(text, end), at,
             std::isfinite(weight) ? "is negative" : "is not finite");
}

}  // namespace confmat
