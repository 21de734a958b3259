// Blocks of terms by the kernels; where these cannot, term by term.
#include "exact_terms.hpp"

namespace confmat {

void ExactTerms::add(std::size_t sum, const double* terms, std::size_t n) {
  constexpr std::size_t kFew = 8;
  ExactSum& to = sums_[sum];
  const std::size_t whole = n < kFew ? 0 : n - n % kExactGrain;
  std::size_t added = 0;
  double parts[kExactParts];
  if (whole > 0 && kernels().exact_parts(terms, whole, parts)) {
    for (const double part : parts) {
      if (part != 0) to.add(part);
    }
    added = whole;
  }
  for (std::size_t i = added; i < n; ++i) to.add(terms[i]);
}

void ExactTerms::add_products(std::size_t sum, const double* a, const double* b, std::size_t n) {
  kernels().two_products(a, b, n, rooms_->one.data(), rooms_->two.data());
  add(sum, rooms_->one.data(), n);
  add(sum, rooms_->two.data(), n);
}

void ExactTerms::add_products(std::size_t sum, const double* a, const double* b, const double* w,
                              std::size_t n) {
  if (w == nullptr) return add_products(sum, a, b, n);
  kernels().two_products(a, b, n, rooms_->high.data(), rooms_->low.data());
  add_products(sum, w, rooms_->high.data(), n);
  add_products(sum, w, rooms_->low.data(), n);
}

void ExactTerms::add_units(std::size_t sum, std::int64_t units, int exponent) {
  if (units != 0) sums_[sum].add(units, exponent);
}

}  // namespace confmat
