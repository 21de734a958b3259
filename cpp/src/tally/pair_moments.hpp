// The sums that every regression has, of blocks of rows without weights.
#pragma once

#include <array>
#include <cstddef>

#include "exact_terms.hpp"

namespace confmat {

class PairMoments {
 public:
  // Adds n rows to the sums of MomentSum. `size`: that of the largest number. Widens the largest
  // error. Needs: n <= kExactTerms.
  void add(ExactTerms& sums, const double* y, const double* p, std::size_t n, double size,
           double* largest_error);

 private:
  void add_each(ExactTerms& sums, const double* y, const double* p, std::size_t n,
                double* largest_error);
  // Rows with bits that lie below `unit` go to others_, and are pairs of 0 in fine_; returns how
  // many these are.
  std::size_t part(const double* y, const double* p, std::size_t n, double unit);

  struct alignas(64) Pairs {
    Block truth, prediction;
  };
  Pairs coarse_, fine_;
  alignas(64) Block distance_, distance_low_;
};

}  // namespace confmat
