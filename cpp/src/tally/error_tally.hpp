// How often errors of each bin occur. Cost: some 10 ns a row; 16 bytes a row
// where each error is a bin of its own.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
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
      if (bits == kAllErrorBits) {
        each_.emplace_back(bin, w == nullptr ? 1.0 : w[i]);
      } else if (w == nullptr) {
        ++counts_[bin];
      } else {
        weights_[bin].add(w[i]);
      }
    }
  }

  void add(const ErrorTally& other) {
    for (const auto& [bin, count] : other.counts_) counts_[bin] += count;
    for (const auto& [bin, weight] : other.weights_) weights_[bin].add(weight);
    each_.insert(each_.end(), other.each_.begin(), other.each_.end());
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
    take_each(bins, sums);
    return bins;
  }

 private:
  void take_each(std::vector<std::uint64_t>& bins, ExactSumsBuilder& sums) {
    std::ranges::sort(each_);
    for (std::size_t i = 0; i < each_.size();) {
      bins.push_back(each_[i].first);
      std::size_t end = i + 1;
      while (end < each_.size() && each_[end].first == bins.back()) ++end;
      if (end == i + 1) {
        sums.add(each_[i].second);
      } else {
        ExactSum weight;
        for (std::size_t at = i; at < end; ++at) weight.add(each_[at].second);
        sums.add(weight);
      }
      i = end;
    }
    each_.clear();
    each_.shrink_to_fit();
  }

  std::unordered_map<std::uint64_t, std::uint64_t> counts_;
  std::unordered_map<std::uint64_t, ExactSum> weights_;
  std::vector<std::pair<std::uint64_t, double>> each_;  // rows, where each error is a bin
};

}  // namespace confmat
