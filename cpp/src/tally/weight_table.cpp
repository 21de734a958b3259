// Adds weights as fixed-point numbers in a window, and the rest to exact sums.
#include "confmat/tally/weight_table.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "confmat/batch/gather.hpp"

namespace confmat {
namespace {

constexpr std::size_t kMostPending = (std::size_t{1} << (64U - kWeightBits)) - kBlock;
constexpr std::uint64_t kMostOutside = kBlock / 64;  // of a block: the window stays

std::uint64_t exponent_of(double x) noexcept { return std::bit_cast<std::uint64_t>(x) >> 52U; }

// Small weights are more common than large ones. No window holds 0, subnormals or infinity.
std::uint64_t window_around(double x) noexcept {
  constexpr std::uint64_t kBelow = kWeightPlaces * 3 / 4;
  return std::clamp<std::uint64_t>(exponent_of(x), kBelow + 1, 2047 - kWeightPlaces + kBelow) -
         kBelow;
}

}  // namespace

WeightTable::WeightTable(std::uint32_t classes)
    : kernels_(kernels()),
      classes_(classes),
      sums_(std::size_t{classes + 2} * (classes + 2)),
      fresh_(sums_.size()),
      rows_(sums_.size()),
      cells_(sums_.size()) {}

void WeightTable::begin(std::size_t n, Budget& budget) {
  if (pending_ + n > kMostPending) settle(budget);
  pending_ += n;
}

bool WeightTable::is_outside(double weight) const noexcept {
  return weight != 0 && (exponent_of(weight) - window_.weights >= kWeightPlaces ||
                         exponent_of(weight * weight) - window_.squares >= kWeightPlaces);
}

void WeightTable::add_outside(const std::uint32_t* codes, const double* weights, std::size_t n,
                              std::uint64_t outside, Budget& budget) {
  for (std::size_t i = 0; i < n; ++i) {
    if (is_outside(weights[i]) && is_counted(codes[i])) cells_[codes[i]].add(weights[i], budget);
  }
  if (outside > kMostOutside || outside * 2 > n) follow(weights, n, budget);
}

void WeightTable::follow(const double* weights, std::size_t n, Budget& budget) {
  const double* const first =
      std::find_if(weights, weights + n, [&](double weight) { return is_outside(weight); });
  if (first == weights + n) return;
  settle(budget);
  window_ = {.weights = window_around(*first), .squares = window_around(*first * *first)};
}

void WeightTable::settle(Budget& budget) {
  for (std::size_t i = 0; i < sums_.size(); ++i) {
    if (fresh_[i] == 0) continue;
    if (is_counted(i)) cells_[i].add(sums_[i], window_, budget);
    sums_[i] = {};
    rows_[i] += std::exchange(fresh_[i], 0);
  }
  pending_ = 0;
}

std::vector<std::int64_t> WeightTable::take(std::vector<FloatWeightCell>& cells, Budget& budget) {
  settle(budget);
  cells = std::move(cells_);
  return std::move(rows_);
}

}  // namespace confmat
