// The bins of the errors of a regression as ranges of numbers.
#include <algorithm>

#include "confmat/state/error_bins.hpp"
#include "confmat/state/moments.hpp"

namespace confmat {

ErrorRanges error_ranges(const Moments& of) {
  const int bits = of.error_bits();
  ErrorRanges out;
  const auto put = [&](std::size_t i, bool is_below) {
    const std::uint64_t size = size_of_bin(of.bins[i]);
    const double least = least_in_bin(size, bits);
    const bool is_one_number = bits == kAllErrorBits || size == 0;
    const double most = is_one_number ? least : least_in_bin(size + 1, bits);
    out.low.push_back(is_below ? -most : least);
    out.high.push_back(is_below ? -least : most);
    out.weight.push_back(of.sums.leads[of.size() + i]);
  };
  const auto first_below = std::ranges::lower_bound(of.bins, kSignOfBin) - of.bins.begin();
  const auto above = static_cast<std::size_t>(first_below);
  for (std::size_t i = of.bins.size(); i > above; --i) put(i - 1, true);
  for (std::size_t i = 0; i < above; ++i) put(i, false);
  return out;
}

}  // namespace confmat
