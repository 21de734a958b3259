// How often errors of each bin occur. Cost: about 10 ns a row.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "confmat/base/exact_sum.hpp"
#include "confmat/state/error_bins.hpp"
#include "confmat/state/exact_sums.hpp"

namespace confmat {

class ErrorTally {
 public:
  // `w` may be null: rows count once.
  void add(const double* y, const double* p, const double* w, std::size_t n, int bits) {
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint64_t bin = bin_of_error(p[i] - y[i], bits);
      if (w == nullptr) {
        ++counts_[bin];
      } else {
        weights_[bin].add(w[i]);
      }
    }
  }

  void add(const ErrorTally& other) {
    for (const auto& [bin, count] : other.counts_) counts_[bin] += count;
    for (const auto& [bin, weight] : other.weights_) weights_[bin].add(weight);
  }

  // Appends the sums of the bins, whose numbers it returns; then there are none.
  std::vector<std::uint64_t> take(ExactSumsBuilder& sums) {
    std::vector<std::uint64_t> bins;
    bins.reserve(counts_.size() + weights_.size());
    for (const auto& [bin, count] : counts_) bins.push_back(bin);
    for (const auto& [bin, weight] : weights_) bins.push_back(bin);
    std::ranges::sort(bins);
    for (const std::uint64_t bin : bins) {
      if (const auto at = counts_.find(bin); at != counts_.end()) {
        sums.add_whole(at->second);
      } else {
        sums.add(weights_.at(bin));
      }
    }
    counts_.clear();
    weights_.clear();
    return bins;
  }

 private:
  std::unordered_map<std::uint64_t, std::uint64_t> counts_;
  std::unordered_map<std::uint64_t, ExactSum> weights_;
};

}  // namespace confmat
