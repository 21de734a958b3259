// Searches for how fine bins are, as the number of those with numbers falls with their bits.
#include "confmat/state/number_bins.hpp"

#include <algorithm>

namespace confmat {
namespace {

// How many there are of fewer bits. Needs: they ascend, and so do those of fewer bits but for 0.
std::size_t coarser_count(const std::vector<std::uint64_t>& bins, int bits, int fewer) {
  std::size_t out = 0;
  bool has_zero = false;
  std::uint64_t last = 0;
  for (const std::uint64_t bin : bins) {
    const std::uint64_t coarser = coarser_bin(bin, bits, fewer);
    if (coarser == 0) {
      has_zero = true;
    } else if (coarser != last) {
      last = coarser;
      ++out;
    }
  }
  return out + (has_zero ? 1 : 0);
}

}  // namespace

int fitting_bits(std::vector<std::uint64_t> bins, int bits) {
  if (!std::ranges::is_sorted(bins)) std::ranges::sort(bins);
  const auto fits = [&](int fewer) { return coarser_count(bins, bits, fewer) <= kFewBins; };
  if (fits(bits)) return bits;
  int low = kUsualBits, high = bits;  // the bits of high are too many
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    (fits(middle) ? low : high) = middle;
  }
  return low;
}

}  // namespace confmat
