// How often true numbers of each bin occur and what the sizes of those in a bin sum to, in bins as
// fine as few are. Cost: about 4 ns a row, 12 with weights, 100 in turn with a thousand others.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "confmat/base/short_sum.hpp"
#include "confmat/base/wide.hpp"
#include "confmat/state/exact_sums.hpp"
#include "confmat/state/moments.hpp"
#include "confmat/state/number_bins.hpp"

namespace confmat {

class TruthTally {
 public:
  // `w` may be null: rows count once.
  void add(const double* x, const double* w, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint64_t bin = bin_of_number(x[i], bits_);
      if (w == nullptr) {
        counted_[bin].add(x[i]);
      } else {
        weighed_[bin].add(std::fabs(x[i]), w[i]);
      }
      if (size() > kMostBins) fit();
    }
  }

  void add(const TruthTally& other) {
    if (other.bits_ < bits_) coarsen(other.bits_);
    add(counted_, other.counted_, other.bits_);
    add(weighed_, other.weighed_, other.bits_);
    fit();
  }

  void clear() { *this = TruthTally(); }

  // Sets the bins, whose sums it appends; then there are none.
  void take(ExactSumsBuilder& sums, Moments& out) {
    fit();
    out.truth_bits = bits_;
    out.truths = found();
    std::ranges::sort(out.truths);
    for (const std::uint64_t bin : out.truths) put(bin, sums);
    clear();
  }

 private:
  // Twice as many as are left of them, so that they seldom become coarser.
  static constexpr std::size_t kMostBins = 2 * kFewBins;

  struct Counted {
    std::uint64_t rows = 0;
    UInt128 units = 0;  // of sizes: those of their exponent, which is that of the bin

    void add(double x) noexcept {
      const std::uint64_t size = size_of_bin(std::bit_cast<std::uint64_t>(x));
      const std::uint64_t fraction = size & ((std::uint64_t{1} << 52U) - 1);
      units += size == fraction ? fraction : fraction | std::uint64_t{1} << 52U;
      ++rows;
    }
    void add(const Counted& other) noexcept {
      rows += other.rows;
      units += other.units;
    }
  };

  struct Weighed {
    ShortSum weight, size;

    void add(double x, double w) {
      const double product = x * w;
      weight.add(w);
      size.add(product);
      size.add(std::fma(x, w, -product));
    }
    void add(const Weighed& other) {
      weight.add(other.weight);
      size.add(other.size);
    }
  };

  template <class Value>
  using Bins = std::unordered_map<std::uint64_t, Value>;

  [[nodiscard]] std::size_t size() const noexcept { return counted_.size() + weighed_.size(); }

  [[nodiscard]] std::vector<std::uint64_t> found() const {
    std::vector<std::uint64_t> bins;
    bins.reserve(size());
    for (const auto& [bin, sums] : counted_) bins.push_back(bin);
    for (const auto& [bin, sums] : weighed_) bins.push_back(bin);
    return bins;
  }

  // Adds bins of as many bits, or more.
  template <class Value>
  void add(Bins<Value>& to, const Bins<Value>& bins, int bits) const {
    for (const auto& [bin, sums] : bins) to[coarser_bin(bin, bits, bits_)].add(sums);
  }

  void fit() {
    if (size() > kFewBins && bits_ > kUsualBits) coarsen(fitting_bits(found(), bits_));
  }

  void coarsen(int bits) {
    const int before = std::exchange(bits_, bits);
    add(counted_, std::exchange(counted_, {}), before);
    add(weighed_, std::exchange(weighed_, {}), before);
  }

  // Of the bin of 0 sizes are none.
  void put(std::uint64_t bin, ExactSumsBuilder& sums) const {
    if (const auto at = counted_.find(bin); at != counted_.end()) {
      const std::uint64_t exponent = size_of_bin(bin) >> static_cast<unsigned>(bits_);
      sums.add_whole(at->second.rows);
      sums.add(bin == 0 ? 0 : at->second.units, std::max<std::uint64_t>(exponent, 1));
    } else {
      const Weighed& of = weighed_.at(bin);
      sums.add(of.weight.exact());
      sums.add(bin == 0 ? ExactSum() : of.size.exact());
    }
  }

  int bits_ = kAllBits;
  Bins<Counted> counted_;
  Bins<Weighed> weighed_;
};

}  // namespace confmat
