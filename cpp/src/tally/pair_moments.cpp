// Most rows as whole numbers of a unit, which one kernel sums at once; those with bits below it as
// doubles without rounding.
#include "pair_moments.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "confmat/state/moments.hpp"

namespace confmat {
namespace {

constexpr std::size_t kFewRows = 8;  // are faster as doubles
constexpr std::size_t kMostFine = 64;

// Whether x is a multiple of 2^-exponent.
bool is_whole(double x, double per_unit) noexcept {
  const double units = x * per_unit;
  return units == std::trunc(units) && (units != 0 || x == 0);
}

void add_sums(ExactTerms& sums, const PairSums& of, int exponent) {
  const auto add = [&](MomentSum sum, const std::int64_t* units, std::span<const int> bits,
                       int at) {
    for (std::size_t i = 0; i < bits.size(); ++i) sums.add_units(sum, units[i], at - bits[i]);
  };
  add(kSumTruth, of.truth, kPairBits, exponent);
  add(kSumPrediction, of.prediction, kPairBits, exponent);
  add(kSumError, of.error, kPairBits, exponent);
  add(kSumTruthSquared, of.truth_squared, kPairSquareBits, 2 * exponent);
  add(kSumPredictionSquared, of.prediction_squared, kPairSquareBits, 2 * exponent);
  add(kSumProduct, of.product, kPairSquareBits, 2 * exponent);
}

}  // namespace

void PairMoments::add(ExactTerms& sums, const double* y, const double* p, std::size_t n,
                      double size, double* largest_error) {
  int exponent = 0;
  std::frexp(size, &exponent);
  if (n < kFewRows || exponent < kLeastPairExponent || exponent > kMostPairExponent) {
    return add_each(sums, y, p, n, largest_error);
  }
  PairSums of;
  if (!kernels().sum_pairs(y, p, n, exponent, &of)) {
    const std::size_t fine = part(y, p, n, std::ldexp(1.0, kPairBits[1] - exponent));
    if (fine > kMostFine ||
        !kernels().sum_pairs(coarse_.truth.data(), coarse_.prediction.data(), n, exponent, &of)) {
      return add_each(sums, y, p, n, largest_error);
    }
    add_each(sums, fine_.truth.data(), fine_.prediction.data(), fine, largest_error);
  }
  *largest_error = std::max(*largest_error, of.largest_error);
  add_sums(sums, of, exponent);
}

std::size_t PairMoments::part(const double* y, const double* p, std::size_t n, double per_unit) {
  std::size_t fine = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const bool fits = is_whole(y[i], per_unit) && is_whole(p[i], per_unit);
    coarse_.truth[i] = fits ? y[i] : 0.0;
    coarse_.prediction[i] = fits ? p[i] : 0.0;
    fine_.truth[fine] = y[i];
    fine_.prediction[fine] = p[i];
    fine += fits ? 0U : 1U;
  }
  return fine;
}

void PairMoments::add_each(ExactTerms& sums, const double* y, const double* p, std::size_t n,
                           double* largest_error) {
  const Kernels& run = kernels();
  run.distances(y, p, n, distance_.data(), distance_low_.data());
  double least = 0;
  run.widen_bounds(distance_.data(), n, 2 * kMostNumber, &least, largest_error);
  sums.add(kSumTruth, y, n);
  sums.add(kSumPrediction, p, n);
  sums.add(kSumError, distance_.data(), n);
  sums.add(kSumError, distance_low_.data(), n);
  sums.add_products(kSumTruthSquared, y, y, n);
  sums.add_products(kSumPredictionSquared, p, p, n);
  sums.add_products(kSumProduct, y, p, n);
}

}  // namespace confmat
