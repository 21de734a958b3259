// The bins of the errors and of the truths of a regression as ranges of numbers.
#include <algorithm>

#include "confmat/state/moments.hpp"
#include "confmat/state/number_bins.hpp"

namespace confmat {

NumberRanges number_ranges(const Moments& of, MomentTerm term) {
  const int bits = of.bits_of(term);
  const std::vector<std::uint64_t>& bins = of.bins_of(term);
  const std::size_t first = of.first_bin(term), sums = of.sums_of_bin(term);
  NumberRanges out;
  for (auto* const part : {&out.low, &out.high, &out.mean, &out.weight}) part->reserve(bins.size());
  const auto put = [&](std::size_t i, bool is_below) {
    const std::uint64_t size = size_of_bin(bins[i]);
    const double least = least_in_bin(size, bits), end = end_of_bin(size, bits);
    const double weight = of.sums.leads[first + sums * i];
    double mean = middle_of_bin(size, bits);
    if (sums == 2) mean = std::clamp(of.sums.leads[first + sums * i + 1] / weight, least, end);
    out.low.push_back(is_below ? -end : least);
    out.high.push_back(is_below ? -least : end);
    out.mean.push_back(is_below ? -mean : mean);
    out.weight.push_back(weight);
  };
  const auto first_below = std::ranges::lower_bound(bins, kSignOfBin) - bins.begin();
  const auto above = static_cast<std::size_t>(first_below);
  for (std::size_t i = bins.size(); i > above; --i) put(i - 1, true);
  for (std::size_t i = 0; i < above; ++i) put(i, false);
  return out;
}

bool sizes_fit_bins(const Moments& of) {
  if (!of.has_few_bins(MomentTerm::kTruths)) return true;
  const int bits = of.bits_of(MomentTerm::kTruths);
  for (std::size_t i = 0; i < of.truths.size(); ++i) {
    const std::size_t at = of.first_bin(MomentTerm::kTruths) + 2 * i;
    const double mean = of.sums.leads[at + 1] / of.sums.leads[at];
    const std::uint64_t size = size_of_bin(of.truths[i]);
    const double slack = 1e-9 * end_of_bin(size, bits) + 1e-200;
    const bool fits = mean >= least_in_bin(size, bits) - slack &&
                      mean <= end_of_bin(size, bits) + slack && mean >= 0;
    if (!fits || (size == 0 && mean != 0)) return false;
  }
  return true;
}

}  // namespace confmat
