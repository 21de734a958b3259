// The score of each bin, for as long as no bin has a second one.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

#include "confmat/kernels/wide_loop.hpp"
#include "sweep_bin_table.hpp"
#include "sweep_entries.hpp"

namespace confmat {

// One thread's. `single`, which all threads share, falls with the first bin of two scores: on
// scores without ties within a few rows, and from then on nothing is kept. Whether it falls does
// not depend on the order of the rows.
template <class Key>
class BinScores {
 public:
  BinScores(std::size_t bins, std::atomic<bool>& single)
      : keys_(static_cast<Key*>(std::calloc(bins, sizeof(Key)))), groups_(bins), single_(single) {
    if (keys_ == nullptr) throw std::bad_alloc();
  }

  [[nodiscard]] bool single() const noexcept { return single_.load(std::memory_order_relaxed); }

  template <class Bins, class Weight>
  void add(const Bins& bins, const RowBlock<Key, Weight>& block) noexcept {
    constexpr std::size_t kAtOnce = 512;
    std::uint32_t found[kAtOnce];
    for (std::size_t first = 0; first < block.n; first += kAtOnce) {
      const std::size_t n = std::min(kAtOnce, block.n - first);
      const Key* const keys = block.keys + first;
      wide_loop([&bins, keys, n, to = found] { bins.bins(keys, n, to); });
      for (std::size_t i = 0; i < n; ++i) {
        if (!put(found[i], keys[i])) return;
      }
    }
  }

  void add_to(BinScores& total) const noexcept {
    groups_.for_each([&](std::size_t bin) {
      if (single() && keys_.get()[bin] != kNone) total.put(bin, keys_.get()[bin]);
    });
  }

  // 0 of a bin without one.
  [[nodiscard]] Key of(std::size_t bin) const noexcept { return keys_.get()[bin]; }

 private:
  static constexpr Key kNone = 0;  // the key of a nan

  bool put(std::size_t bin, Key key) noexcept {
    Key& held = keys_.get()[bin];
    if (held == key) return true;
    if (held != kNone) {
      single_.store(false, std::memory_order_relaxed);
      return false;
    }
    held = key;
    groups_.mark(bin);
    return true;
  }

  struct Free {
    void operator()(Key* p) const noexcept { std::free(p); }
  };
  std::unique_ptr<Key, Free> keys_;
  BinGroups groups_;
  std::atomic<bool>& single_;
};

}  // namespace confmat
