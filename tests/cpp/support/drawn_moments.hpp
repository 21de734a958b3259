// Moments of numbers that are drawn, with every kind of term.
#pragma once

#include <random>
#include <vector>

#include "confmat/state/moments.hpp"
#include "confmat/state/number_bins.hpp"
#include "support/numbers.hpp"

namespace confmat::host {

inline const std::vector<TermAsk> kTerms = {
    {MomentTerm::kHuber, 0.5}, {MomentTerm::kPercentage},
    {MomentTerm::kPowers},     {MomentTerm::kErrors, kUsualBits},
    {MomentTerm::kDensity},    {MomentTerm::kTruths, kUsualBits}};

inline Moments summed(const std::vector<double>& y, const std::vector<double>& p,
                      const std::vector<double>& w = {}, int threads = 1) {
  return moments_of_numbers(y, p, w, kTerms, threads);
}

inline std::vector<double> drawn(std::mt19937_64& random, std::size_t n, double mean) {
  std::normal_distribution<double> of(mean, 1.0);
  std::vector<double> out(n);
  for (double& x : out) x = of(random);
  return out;
}

inline std::vector<double> part(const std::vector<double>& of, std::size_t first,
                                std::size_t last) {
  if (of.empty()) return of;
  return {of.begin() + static_cast<std::ptrdiff_t>(first),
          of.begin() + static_cast<std::ptrdiff_t>(last)};
}

}  // namespace confmat::host
