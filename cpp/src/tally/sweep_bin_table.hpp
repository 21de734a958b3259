// Sums of the rows of each bin and class.
#pragma once

#include <algorithm>
#include <cstddef>
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
    for (std::size_t i = 0; i < block.n; ++i) {
      const std::size_t bin = bins.bin(block.keys[i]);
      low = std::min(low, bin);
      high = std::max(high, bin);
      see(bin, block.keys[i]);
      if constexpr (std::is_same_v<Weight, Unweighted>) {
        ++cells_.get()[bin * 2 + block.positive[i]];
      } else {
        add_to(cells_.get()[bin * 2 + block.positive[i]], block.weights[i]);
      }
    }
    low_ = low;
    high_ = high;
  }

  // Moves all sums to `total`.
  void move_to(BinTable& total) noexcept {
    if (low_ > high_) return;
    for (std::size_t i = low_ * 2; i < high_ * 2 + 2; ++i) {
      add_to(total.cells_.get()[i], std::exchange(cells_.get()[i], Sum{}));
    }
    total.low_ = std::min(total.low_, low_);
    total.high_ = std::max(total.high_, high_);
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
