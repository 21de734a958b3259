// A saved sweep of counts in bins whose scores are not known: most sweeps of large logs. It is
// checked and stays as it lies, as adding it to others needs no more.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <variant>

#include "confmat/base/interrupt.hpp"
#include "confmat/state/sweep.hpp"

namespace confmat {

struct OpenedSweep;

class SavedBins {
 public:
  // Whether it has this form.
  static bool is_one(const OpenedSweep& opened) noexcept;
  // Throws StateError: what no sweep has. Needs: is_one(opened); the bytes stay where they are.
  explicit SavedBins(const OpenedSweep& opened);

  // All but the entries.
  [[nodiscard]] const Sweep& about() const noexcept { return about_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::uint64_t total() const noexcept { return total_; }
  [[nodiscard]] Sweep decoded() const;

  // Calls visit with bins, descending, and the counts of their positives and negatives, of which
  // both may be 0.
  template <class Visit>
  void each(const Visit& visit) const {
    with_count([&]<class Count>(Count) {
      std::uint32_t last = highest_;
      each_block<Count>([&](std::size_t, std::size_t n, const Block<Count>& block) {
        std::uint32_t bin = last;  // stays in a register
        for (std::size_t i = 0; i < n; ++i) {
          bin -= block.steps[i];
          visit(bin, block.positives[i], block.negatives[i]);
        }
        last = bin;
      });
    });
  }

 private:
  static constexpr std::size_t kBlock = 1024;  // of which there are whole ones in a stride
  template <class Count>
  struct Block {
    std::array<std::uint32_t, kBlock> steps;  // from the bin before
    std::array<Count, kBlock> positives, negatives;
  };

  // Calls visit with a number of the type that holds each count.
  template <class Visit>
  void with_count(const Visit& visit) const {
    if (positive_bytes_ > sizeof(std::uint32_t) || negative_bytes_ > sizeof(std::uint32_t)) {
      visit(std::uint64_t{});
    } else {
      visit(std::uint32_t{});
    }
  }
  // Calls visit with the first entry of each block, how many it has, and these.
  template <class Count, class Visit>
  void each_block(const Visit& visit) const {
    Block<Count> block;
    for (const auto [from, to] : Strides(written_)) {
      for (std::size_t first = from; first < to; first += kBlock) {
        const std::size_t n = read(first, block);
        visit(first, n, block);
      }
    }
  }
  // Of the entries from `first` on; returns how many.
  template <class Count>
  std::size_t read(std::size_t first, Block<Count>& block) const;
  template <class Count>
  void check();
  template <class Count>
  void fill(Sweep& out) const;

  Sweep about_;
  Bytes entries_;
  std::size_t size_ = 0, written_ = 0;  // bins with rows; all that are written
  unsigned gap_bytes_ = 0, positive_bytes_ = 0, negative_bytes_ = 0;
  std::uint32_t highest_ = 0;
  std::uint64_t total_ = 0;
};

// A saved sweep as it lies, where it has that form.
using AnySweep = std::variant<Sweep, SavedBins>;
// Throws StateError, as decode_sweep. Needs: the bytes stay where they are.
AnySweep open_sweep(Bytes bytes);

extern template std::size_t SavedBins::read(std::size_t, Block<std::uint32_t>&) const;
extern template std::size_t SavedBins::read(std::size_t, Block<std::uint64_t>&) const;

}  // namespace confmat
