// Adds doubles into words of a long fixed-point number, and rounds it.
#include "confmat/base/exact_sum.hpp"

#include "confmat/base/interrupt.hpp"

namespace confmat {

double exact_sum(std::span<const double> values) {
  ExactSum sum;
  double beyond = 0.0;
  for (const auto [first, last] : Strides(values.size())) {
    for (const double value : values.subspan(first, last - first)) {
      if (std::isfinite(value)) {
        sum.add(value);
      } else {
        beyond += value;
      }
    }
  }
  return beyond == 0.0 ? sum.value() : beyond;
}

}  // namespace confmat
