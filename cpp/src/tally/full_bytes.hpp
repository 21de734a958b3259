// How often counts of one byte became full: what a table of bytes leaves to be told apart.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace confmat {

class FullBytes {
 public:
  struct Full {
    std::uint32_t cell;  // bin * 2 + side
    std::uint64_t times;
  };

  // A byte went over 255 so many times.
  void add(std::uint32_t bin, std::size_t side, std::uint64_t times) {
    if (all_.size() >= n_sorted_ + n_sorted_ / 4 + kLeast) join();
    all_.push_back({bin * 2 + static_cast<std::uint32_t>(side), times});
  }
  // Those of bins first ... last, ascending and each once.
  [[nodiscard]] std::span<const Full> of_bins(std::uint32_t first, std::uint32_t last) {
    join();
    const auto from = std::ranges::lower_bound(all_, first * 2, {}, &Full::cell);
    return {from, std::ranges::upper_bound(from, all_.end(), last * 2 + 1, {}, &Full::cell)};
  }

 private:
  static constexpr std::size_t kLeast = 64;

  void join() {
    if (n_sorted_ == all_.size()) return;
    const auto middle = all_.begin() + static_cast<std::ptrdiff_t>(n_sorted_);
    std::ranges::sort(middle, all_.end(), {}, &Full::cell);
    std::ranges::inplace_merge(all_, middle, {}, &Full::cell);
    std::size_t n = 0;
    for (const Full& of : all_) {
      if (n > 0 && all_[n - 1].cell == of.cell) {
        all_[n - 1].times += of.times;
      } else {
        all_[n++] = of;
      }
    }
    all_.resize(n);
    n_sorted_ = n;
    all_.reserve(n + n / 4 + kLeast);
  }

  std::vector<Full> all_;
  std::size_t n_sorted_ = 0;
};

}  // namespace confmat
