// Products of products, each as the doubles that it is the sum of.
#include "power_sums.hpp"

#include <cmath>

#include "confmat/state/moments.hpp"

namespace confmat {

void PowerSums::add(ExactTerms& sums, std::size_t at, const double* y, const double* p,
                    const double* w, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    const bool fits = std::fabs(y[i]) <= kMostPowered && std::fabs(p[i]) <= kMostPowered;
    truth_[i] = fits ? y[i] : 0.0;
    prediction_[i] = fits ? p[i] : 0.0;
    none_[i] = fits ? 0.0 : w == nullptr ? 1.0 : w[i];
  }
  sums.add(at + kPowerSums - 1, none_.data(), n);
  y = truth_.data();
  p = prediction_.data();
  multiply(yy_, y, y, nullptr, n);
  multiply(yp_, y, p, nullptr, n);
  multiply(pp_, p, p, nullptr, n);
  multiply(weighted_yy_, y, y, w, n);
  multiply(weighted_pp_, p, p, w, n);
  const auto add_cubes = [&](std::size_t sum, const Product& of, const double* by) {
    for (std::size_t i = 0; i < of.n; ++i) sums.add_products(sum, of.parts[i].data(), by, n);
  };
  const auto add_fourths = [&](std::size_t sum, const Product& of, const Product& by) {
    for (std::size_t i = 0; i < by.n; ++i) add_cubes(sum, of, by.parts[i].data());
  };
  add_cubes(at, weighted_yy_, y);
  add_cubes(at + 1, weighted_yy_, p);
  add_cubes(at + 2, weighted_pp_, y);
  add_cubes(at + 3, weighted_pp_, p);
  add_fourths(at + 4, weighted_yy_, yy_);
  add_fourths(at + 5, weighted_yy_, yp_);
  add_fourths(at + 6, weighted_yy_, pp_);
  add_fourths(at + 7, weighted_pp_, yp_);
  add_fourths(at + 8, weighted_pp_, pp_);
}

// The products a * b, or w * a * b, without rounding.
void PowerSums::multiply(Product& out, const double* a, const double* b, const double* w,
                         std::size_t n) {
  const auto two_products = kernels().two_products;
  out.n = w == nullptr ? 2 : 4;
  if (w == nullptr) return two_products(a, b, n, out.parts[0].data(), out.parts[1].data());
  two_products(a, b, n, high_.data(), low_.data());
  two_products(w, high_.data(), n, out.parts[0].data(), out.parts[1].data());
  two_products(w, low_.data(), n, out.parts[2].data(), out.parts[3].data());
}

}  // namespace confmat
