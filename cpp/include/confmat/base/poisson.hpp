// Draws from the Poisson distribution, prepared once and drawn from many times.
// Cost: 5 ns where few rows are expected, else that of base/binomial.hpp.
#pragma once

#include <cstdint>

#include "confmat/base/binomial.hpp"
#include "confmat/base/exp_minus.hpp"
#include "confmat/base/random.hpp"

namespace confmat {

// The same numbers on every machine.
class Poisson {
 public:
  static constexpr double kMostMean = 0x1p50;

  // Needs: mean is from 0 to kMostMean.
  explicit Poisson(double mean) noexcept
      : mean_(mean), none_(mean < kFew ? exp_minus(mean) : 0.0) {}

  std::int64_t draw(Random& random) const noexcept {
    // The binomial distribution of so many rows differs from it by a share of p at most.
    if (none_ == 0.0) return binomial(random, std::int64_t{1} << 62, mean_ * 0x1p-62);
    for (;;) {
      double rest = random.uniform();
      double share = none_;
      int k = 0;
      while (rest >= share && k < kMost) {
        rest -= share;
        ++k;
        share *= mean_ / k;
      }
      if (k < kMost) return k;
    }
  }

 private:
  static constexpr double kFew = 10.0;
  static constexpr int kMost = 110;  // beyond it there is no share of 2^-53 left

  double mean_, none_;
};

}  // namespace confmat
