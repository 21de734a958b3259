// How often counts of one byte became full: what a table of bytes leaves to be told apart. A list
// of those that did, and a number for each once a list would be larger.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace confmat {

class FullBytes {
 public:
  struct Full {
    std::uint32_t cell;  // bin * 2 + side
    std::uint64_t times;
  };

  explicit FullBytes(std::size_t bins) noexcept : n_cells_(2 * bins) {}

  // What it takes at most after so many rows, but for a few that wait to be joined; and of so many
  // bins.
  static std::size_t most_bytes(std::uint64_t rows) noexcept { return listed_bytes(rows / 256); }
  static std::size_t most_bytes(std::uint64_t rows, std::size_t bins) noexcept {
    return std::min(most_bytes(rows), 2 * bins * sizeof(std::uint64_t));
  }

  // A byte went over 255 so many times.
  void add(std::uint32_t bin, std::size_t side, std::uint64_t times) {
    if (times_.empty() && listed_.size() >= n_sorted_ + n_sorted_ / 4 + kLeast) join();
    const std::uint32_t cell = bin * 2 + static_cast<std::uint32_t>(side);
    if (times_.empty()) {
      listed_.push_back({cell, times});
    } else {
      times_[cell] += times;
    }
  }
  // Those of bins first ... last, ascending and each once; they stay until the next call. They may
  // be in `held`.
  [[nodiscard]] std::span<const Full> of_bins(std::uint32_t first, std::uint32_t last,
                                              std::vector<Full>& held) {
    if (times_.empty()) join();
    if (times_.empty()) {
      const auto from = std::ranges::lower_bound(listed_, first * 2, {}, &Full::cell);
      return {from, std::ranges::upper_bound(from, listed_.end(), last * 2 + 1, {}, &Full::cell)};
    }
    held.clear();
    const std::size_t end = std::min<std::size_t>(std::size_t{last} * 2 + 2, times_.size());
    for (std::size_t cell = std::size_t{first} * 2; cell < end; ++cell) {
      if (times_[cell] > 0) held.push_back({static_cast<std::uint32_t>(cell), times_[cell]});
    }
    return held;
  }

 private:
  static constexpr std::size_t kLeast = 16;

  // Of so many in order, and a quarter more that wait.
  static std::size_t listed_bytes(std::uint64_t n) noexcept {
    return static_cast<std::size_t>(n + n / 4) * sizeof(Full);
  }

  void join() {
    if (n_sorted_ == listed_.size()) return;
    const auto middle = listed_.begin() + static_cast<std::ptrdiff_t>(n_sorted_);
    std::ranges::sort(middle, listed_.end(), {}, &Full::cell);
    std::ranges::inplace_merge(listed_, middle, {}, &Full::cell);
    std::size_t n = 0;
    for (const Full& of : listed_) {
      if (n > 0 && listed_[n - 1].cell == of.cell) {
        listed_[n - 1].times += of.times;
      } else {
        listed_[n++] = of;
      }
    }
    listed_.resize(n);
    n_sorted_ = n;
    if (listed_bytes(n) > n_cells_ * sizeof(std::uint64_t)) return spread();
    listed_.reserve(n + n / 4 + kLeast);
  }
  void spread() {
    times_.resize(n_cells_);
    for (const Full& of : std::exchange(listed_, {})) times_[of.cell] = of.times;
  }

  std::size_t n_cells_;
  std::vector<Full> listed_;
  std::size_t n_sorted_ = 0;          // of the list, which are each there once
  std::vector<std::uint64_t> times_;  // of each cell, in place of a list
};

}  // namespace confmat
