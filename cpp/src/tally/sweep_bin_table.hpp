// Sums of the rows of each bin and class.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "confmat/base/sum2.hpp"
#include "sweep_entries.hpp"

namespace confmat {

// The system gives zeroed memory page by page: what stays empty is free.
// Of floats, sums are Sum2: rounded, they are the same in any order of the rows.
template <class Sum>
class BinTable {
 public:
  using Value = std::conditional_t<std::is_same_v<Sum, Sum2>, double, Sum>;

  explicit BinTable(std::size_t bins)
      : cells_(static_cast<Sum*>(std::calloc(bins * 2, sizeof(Sum)))) {
    if (cells_ == nullptr) throw std::bad_alloc();
  }

  // Calls see(bin, key) for each row.
  template <class Bins, class Key, class Weight, class See>
  void add(const Bins& bins, const RowBlock<Key, Weight>& block, See&& see) noexcept {
    std::size_t low = low_;
    std::size_t high = high_;
    for (std::size_t first = 0; first < block.n; first += kAtOnce) {
      const std::size_t n = std::min(kAtOnce, block.n - first);
      std::uint32_t found[kAtOnce];
      bins.bins(block.keys + first, n, found);
      for (std::size_t i = 0; i < n; ++i) {
        const std::size_t bin = found[i];
        const std::size_t row = first + i;
        low = std::min(low, bin);
        high = std::max(high, bin);
        see(bin, block.keys[row]);
        if constexpr (std::is_same_v<Weight, Unweighted>) {
          ++cells_.get()[bin * 2 + block.positive[row]];
        } else {
          add_to(cells_.get()[bin * 2 + block.positive[row]], block.weights[row]);
        }
      }
    }
    low_ = low;
    high_ = high;
  }

  // Moves all sums to `total`, which may have wider ones.
  template <class Wider>
  void move_to(BinTable<Wider>& total) noexcept {
    if (low_ > high_) return;
    for (std::size_t i = low_ * 2; i < high_ * 2 + 2; ++i) {
      total.add_cell(i, std::exchange(cells_.get()[i], Sum{}));
    }
    total.widen(low_, high_);
  }
  template <class More>
  void add_cell(std::size_t cell, const More& more) noexcept {
    add_to(cells_.get()[cell], more);
  }
  void widen(std::size_t low, std::size_t high) noexcept {
    low_ = std::min(low_, low);
    high_ = std::max(high_, high);
  }

  [[nodiscard]] std::size_t low() const noexcept { return low_; }
  [[nodiscard]] std::size_t end() const noexcept { return low_ > high_ ? low_ : high_ + 1; }
  [[nodiscard]] Value of(std::size_t bin, std::size_t positive) const noexcept {
    const Sum& sum = cells_.get()[bin * 2 + positive];
    if constexpr (std::is_same_v<Sum, Sum2>) {
      return sum.value();
    } else {
      return sum;
    }
  }
  [[nodiscard]] bool used(std::size_t bin) const noexcept {
    return of(bin, 0) != 0 || of(bin, 1) != 0;
  }
  [[nodiscard]] std::size_t used() const noexcept {
    std::size_t n = 0;
    for (std::size_t bin = low(); bin < end(); ++bin) n += used(bin) ? 1U : 0U;
    return n;
  }

 private:
  static constexpr std::size_t kAtOnce = 512;

  template <class More>
  static void add_to(Sum& sum, const More& more) noexcept {
    if constexpr (std::is_same_v<Sum, Sum2>) {
      sum.add(more);
    } else {
      sum += more;
    }
  }

  struct Free {
    void operator()(Sum* p) const noexcept { std::free(p); }
  };
  std::unique_ptr<Sum, Free> cells_;
  // Bins from low_ to high_ may hold something.
  std::size_t low_ = std::numeric_limits<std::size_t>::max();
  std::size_t high_ = 0;
};

}  // namespace confmat
