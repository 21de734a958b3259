// The exponential function, by sums and products alone: the same on every machine, where those of
// libraries differ in the last bit.
#pragma once

namespace confmat {

// exp(-x). Needs: x is from 0 to 11.
inline double exp_minus(double x) noexcept {
  const double y = -x / 128;
  const double square = y * y;
  const double fourth = square * square;
  double power = (1 + y) + square * (1.0 / 2 + y * (1.0 / 6)) +
                 fourth * ((1.0 / 24 + y * (1.0 / 120)) + square * (1.0 / 720 + y * (1.0 / 5040)) +
                           fourth * (1.0 / 40320 + y * (1.0 / 362880)));
  for (int i = 0; i < 7; ++i) power *= power;
  return power;
}

}  // namespace confmat
