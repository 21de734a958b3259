// Numbers as sums of doubles of falling size, with exact sums and products of them.
#pragma once

#include <cmath>
#include <initializer_list>
#include <vector>

#include "confmat/base/exact_sum.hpp"

namespace confmat::metrics {

class Expansion {
 public:
  Expansion() = default;
  explicit Expansion(const ExactSum& sum) {
    sum.each_part([this](double part) { parts_.push_back(part); });
  }
  explicit Expansion(std::vector<double> parts) : parts_(std::move(parts)) {}

  // The sum rounded, as it leads.
  [[nodiscard]] double value() const noexcept { return parts_.empty() ? 0.0 : parts_.front(); }
  [[nodiscard]] const std::vector<double>& parts() const noexcept { return parts_; }
  [[nodiscard]] Expansion times(double power_of_two) const {
    Expansion out = *this;
    for (double& part : out.parts_) part *= power_of_two;
    return out;
  }

 private:
  std::vector<double> parts_;
};

// Exact where no part of a product is below 2^-1074.
inline void add_product(ExactSum& sum, const Expansion& a, const Expansion& b, double sign = 1.0) {
  for (const double x : a.parts()) {
    for (const double y : b.parts()) {
      const double product = sign * x * y;
      sum.add(product);
      sum.add(std::fma(sign * x, y, -product));
    }
  }
}

inline Expansion sum_of(std::initializer_list<std::pair<double, const Expansion*>> terms) {
  ExactSum sum;
  for (const auto& [factor, of] : terms) {  // factors are powers of two
    for (const double part : of->parts()) sum.add(factor * part);
  }
  return Expansion(sum);
}

// a b - c d
inline Expansion determinant_of(const Expansion& a, const Expansion& b, const Expansion& c,
                                const Expansion& d) {
  ExactSum sum;
  add_product(sum, a, b);
  add_product(sum, c, d, -1.0);
  return Expansion(sum);
}

}  // namespace confmat::metrics
