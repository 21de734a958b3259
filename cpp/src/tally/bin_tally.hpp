// How often numbers of each bin occur. Cost: some 10 ns a row; 16 bytes a row where each number is
// a bin of its own.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <unordered_map>
#include <utility>
#include <vector>

#include "confmat/base/exact_sum.hpp"
#include "confmat/base/radix_sort.hpp"
#include "confmat/state/exact_sums.hpp"
#include "confmat/state/number_bins.hpp"

namespace confmat {

class BinTally {
 public:
  // -1 bits: nothing is added.
  explicit BinTally(int bits) : bits_(bits) {}

  // `w` may be null: rows count once.
  void add(const double* x, const double* w, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint64_t bin = bin_of_number(x[i], bits_);
      if (bits_ == kAllBits) {
        each_.emplace_back(bin, w == nullptr ? 1.0 : w[i]);
      } else if (w == nullptr) {
        ++counts_[bin];
      } else {
        weights_[bin].add(w[i]);
      }
    }
  }

  void add(const BinTally& other) {
    for (const auto& [bin, count] : other.counts_) counts_[bin] += count;
    for (const auto& [bin, weight] : other.weights_) weights_[bin].add(weight);
    each_.insert(each_.end(), other.each_.begin(), other.each_.end());
  }

  void clear() {
    if (bits_ >= 0) *this = BinTally(bits_);
  }

  // Appends the sums of the bins, whose numbers it returns; then there are none.
  std::vector<std::uint64_t> take(ExactSumsBuilder& sums) {
    std::vector<std::uint64_t> bins;
    if (bits_ < 0) return bins;
    bins.reserve(counts_.size() + weights_.size());
    for (const auto& [bin, count] : counts_) bins.push_back(bin);
    for (const auto& [bin, weight] : weights_) bins.push_back(bin);
    std::ranges::sort(bins);
    for (const std::uint64_t bin : bins) put(bin, sums);
    take_each(bins, sums);
    clear();
    return bins;
  }

 private:
  using Row = std::pair<std::uint64_t, double>;  // a bin and a weight

  void put(std::uint64_t bin, ExactSumsBuilder& sums) const {
    const auto at = counts_.find(bin);
    if (at != counts_.end()) {
      sums.add_whole(at->second);
    } else {
      sums.add(weights_.at(bin));
    }
  }

  // By the first bits that differ, then where others do: the rest is nearly always in order.
  void sort_each() {
    constexpr unsigned kFirst = 33;  // three digits
    if (each_.empty()) return;
    std::uint64_t differ = 0;
    for (const Row& row : each_) differ |= row.first ^ each_.front().first;
    const auto bits = static_cast<unsigned>(std::bit_width(differ));
    const unsigned rest = std::max(bits, kFirst) - kFirst;
    const auto first_bits = [rest](const Row& row) { return row.first >> rest; };
    std::vector<Row> scratch;
    sort_records(each_, scratch, first_bits);
    if (rest == 0) return;
    for (auto row = each_.begin(); row != each_.end();) {
      auto end = row + 1;
      while (end != each_.end() && first_bits(*end) == first_bits(*row)) ++end;
      const std::ranges::subrange run(row, end);
      if (!std::ranges::is_sorted(run, {}, &Row::first)) std::ranges::sort(run, {}, &Row::first);
      row = end;
    }
  }

  void take_each(std::vector<std::uint64_t>& bins, ExactSumsBuilder& sums) {
    sort_each();
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
  }

  int bits_;
  std::unordered_map<std::uint64_t, std::uint64_t> counts_;
  std::unordered_map<std::uint64_t, ExactSum> weights_;
  std::vector<Row> each_;  // where each number is a bin
};

}  // namespace confmat
