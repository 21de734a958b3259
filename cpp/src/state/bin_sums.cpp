// Sums of bins that become one are added, all but the sizes of numbers that are as good as 0.
#include "bin_sums.hpp"

#include <algorithm>
#include <iterator>
#include <ranges>
#include <utility>

#include "confmat/state/number_bins.hpp"

namespace confmat {

BinSums bin_sums(const Moments& of, MomentTerm term, int bits) {
  const int before = of.bits_of(term);
  const std::vector<std::uint64_t>& bins = of.bins_of(term);
  if (bits == before) return {bins, of.sums, of.first_bin(term)};
  const std::size_t each = of.sums_of_bin(term);
  std::vector<std::pair<std::uint64_t, std::size_t>> parts;  // bins, and where their sums begin
  parts.reserve(bins.size());
  for (std::size_t i = 0; i < bins.size(); ++i) {
    parts.emplace_back(coarser_bin(bins[i], before, bits), of.first_bin(term) + each * i);
  }
  if (!std::ranges::is_sorted(parts)) std::ranges::sort(parts);  // of those that become 0
  BinSums out;
  ExactSumsBuilder sums;
  for (std::size_t i = 0, end = 0; i < parts.size(); i = end) {
    out.bins.push_back(parts[i].first);
    while (end < parts.size() && parts[end].first == parts[i].first) ++end;
    for (std::size_t sum = 0; sum < each; ++sum) {
      const auto place = [&](std::size_t at) { return parts[at].second + sum; };
      if (sum == 1 && parts[i].first == 0) {
        sums.add(0.0);
      } else if (end - i <= 2) {
        const std::size_t other = end - i == 2 ? place(i + 1) : ExactSumsBuilder::kNone;
        sums.add(of.sums, place(i), of.sums, other, 1.0);
      } else {
        ExactTotal total;
        for (std::size_t at = i; at < end; ++at) total.add(of.sums, place(at));
        sums.add(total);
      }
    }
  }
  out.sums = sums.take();
  return out;
}

int joined_bits(const Moments& one, const Moments& other) {
  constexpr auto kTerm = MomentTerm::kTruths;
  const int bits = std::min(one.bits_of(kTerm), other.bits_of(kTerm));
  if (!one.has_few_bins(kTerm)) return bits;
  if (one.truths.size() + other.truths.size() <= kFewBins) return bits;
  // What becomes 0 keeps its sign here, so that they ascend.
  const auto coarser = [bits](const Moments& of) {
    const auto shift = static_cast<unsigned>(of.truth_bits - bits);
    return of.truths | std::views::transform([shift](std::uint64_t bin) {
             return (bin & kSignOfBin) | size_of_bin(bin) >> shift;
           });
  };
  std::vector<std::uint64_t> bins;
  bins.reserve(one.truths.size() + other.truths.size());
  std::ranges::merge(coarser(one), coarser(other), std::back_inserter(bins));
  return fitting_bits(std::move(bins), bits);
}

}  // namespace confmat
