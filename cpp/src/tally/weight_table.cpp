// Adds weights as fixed-point numbers in a window, and the rest to exact sums.
#include "confmat/tally/weight_table.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "confmat/base/pages.hpp"
#include "confmat/batch/gather.hpp"
#include "confmat/batch/weight_check.hpp"
#include "confmat/kernels/wide_loop.hpp"

namespace confmat {
namespace {

constexpr std::size_t kMostFresh = (std::size_t{1} << (64U - kWeightBits)) - kBlock;
constexpr std::uint64_t kMostOutside = kBlock / 64;    // of a block: the window stays
constexpr std::size_t kLarge = std::size_t{1} << 13U;  // cells, which the nearest cache holds

std::uint64_t exponent_of(double x) noexcept { return std::bit_cast<std::uint64_t>(x) >> 52U; }

// Small weights are more common than large ones. No window holds 0, subnormals or infinity.
std::uint64_t window_around(double x) noexcept {
  constexpr std::uint64_t kBelow = kWeightPlaces * 3 / 4;
  return std::clamp<std::uint64_t>(exponent_of(x), kBelow + 1, 2047 - kWeightPlaces + kBelow) -
         kBelow;
}

std::uint32_t most(const std::vector<std::uint32_t>& values) noexcept {
  std::uint32_t out = 0;
  wide_loop([&] {
    std::uint32_t found = 0;
    for (const std::uint32_t value : values) found = std::max(found, value);
    out = found;
  });
  return out;
}

WeightWindow windows_around(double weight) noexcept {
  return {.weights = window_around(weight), .squares = window_around(weight * weight)};
}

}  // namespace

WeightWindow first_window(Chunks sample_weight) {
  constexpr std::int64_t kRows = 1024;
  double most = 0;
  for (const Column& chunk : sample_weight) {
    if (!is_float(chunk.type)) continue;
    for (std::int64_t i = 0; i < std::min(kRows, chunk.length); ++i) {
      if (const double weight = float_value(chunk, i); chunk.valid(i) && is_weight(weight)) {
        most = std::max(most, weight);
      }
    }
    if (most > 0) break;
  }
  return most > 0 ? windows_around(most) : WeightWindow{};
}

WeightTable::WeightTable(std::size_t cells, const WeightWindow& window)
    : kernels_(kernels()),
      is_large_(cells > kLarge),
      window_(window),
      sums_(large_zeros<WeightSums>(cells)),
      fresh_(cells),
      rows_(large_zeros<std::int64_t>(cells)) {}

void WeightTable::begin(std::size_t n, Budget& budget) {
  if (most_fresh_ + n > kMostFresh) {
    most_fresh_ = most(fresh_);
    if (most_fresh_ > kMostFresh / 2) {
      settle(kMostFresh / 4, budget);
      most_fresh_ = kMostFresh / 4;
    }
  }
  most_fresh_ += n;
  followed_ += n;
  seen_ += n;
}

bool WeightTable::is_outside(double weight) const noexcept {
  return weight != 0 && (exponent_of(weight) - window_.weights >= kWeightPlaces ||
                         exponent_of(weight * weight) - window_.squares >= kWeightPlaces);
}

void WeightTable::add_outside(const std::uint32_t* codes, const double* weights, std::size_t n,
                              std::uint64_t outside, Budget& budget) {
  make_cells();
  outside_ += outside;
  for (std::size_t i = 0; i < n; ++i) {
    if (is_outside(weights[i])) cells_[codes[i]].add(weights[i], budget);
  }
  if (outside > kMostOutside || outside * 2 > n) follow(weights, n, budget);
}

// Moves the window, as often as settling all cells is cheap beside the rows.
void WeightTable::follow(const double* weights, std::size_t n, Budget& budget) {
  if (followed_ < sums_.size()) return;
  const double* const first =
      std::find_if(weights, weights + n, [&](double weight) { return is_outside(weight); });
  if (first == weights + n) return;
  settle(0, budget);
  window_ = windows_around(*first);
  most_fresh_ = 0;
  followed_ = 0;
}

void WeightTable::settle(std::uint32_t more_than, Budget& budget) {
  make_cells();
  for (std::size_t i = 0; i < sums_.size(); ++i) {
    if (fresh_[i] <= more_than) continue;
    cells_[i].add(sums_[i], window_, budget);
    sums_[i] = {};
    rows_[i] += std::exchange(fresh_[i], 0);
  }
}

void WeightTable::make_cells() {
  if (cells_.empty()) cells_ = large_zeros<FloatWeightCell>(sums_.size());
}

std::vector<FloatWeightCell> WeightTable::take(Budget& budget) {
  settle(0, budget);
  return std::move(cells_);
}

}  // namespace confmat
