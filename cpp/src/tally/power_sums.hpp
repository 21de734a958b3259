// Third and fourth powers of true and predicted numbers, without rounding.
#pragma once

#include <array>
#include <cstddef>

#include "exact_terms.hpp"

namespace confmat {

class PowerSums {
 public:
  // y, p and their products up to the fourth power, in the order of kPowers, to the sums from `at`
  // on. `w` may be null.
  void add(ExactTerms& sums, std::size_t at, const double* y, const double* p, const double* w,
           std::size_t n);

 private:
  // A product of each row, as the sum of so many doubles: 2, or 4 where it has a weight.
  struct Product {
    std::array<Block, 4> parts;
    std::size_t n = 0;
  };
  void multiply(Product& out, const double* a, const double* b, const double* w, std::size_t n);

  alignas(64) Block truth_, prediction_, none_, high_, low_;
  Product yy_, yp_, pp_, weighted_yy_, weighted_pp_;
};

}  // namespace confmat
