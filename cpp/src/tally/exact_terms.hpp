// Adds blocks of terms and of products, which are split into two doubles each, to exact sums.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "confmat/base/exact_sum.hpp"
#include "confmat/kernels/table.hpp"

namespace confmat {

using Block = std::array<double, kExactTerms>;

class ExactTerms {
 public:
  ExactTerms() : rooms_(std::make_unique<Rooms>()) {}

  // Where what follows is added to.
  void start(std::span<ExactSum> sums) noexcept { sums_ = sums; }
  // Needs: n <= kExactTerms, finite terms.
  void add(std::size_t sum, const double* terms, std::size_t n);
  // a * b, or w * a * b: `w` may be null.
  void add_products(std::size_t sum, const double* a, const double* b, std::size_t n);
  void add_products(std::size_t sum, const double* a, const double* b, const double* w,
                    std::size_t n);
  // So many units of 2^exponent.
  void add_units(std::size_t sum, std::int64_t units, int exponent);

 private:
  struct alignas(64) Rooms {
    Block one, two, high, low;
  };

  std::span<ExactSum> sums_;
  std::unique_ptr<Rooms> rooms_;
};

}  // namespace confmat
