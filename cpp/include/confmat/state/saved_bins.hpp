// A saved sweep of counts in bins whose scores are not known: most sweeps of large logs. It is
// checked and stays as it lies, as adding it to others needs no more.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <variant>

#include "confmat/base/interrupt.hpp"
#include "confmat/state/packed_numbers.hpp"
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
  [[nodiscard]] std::uint32_t highest() const noexcept { return highest_; }
  [[nodiscard]] std::uint32_t lowest() const noexcept { return lowest_; }
  [[nodiscard]] Sweep decoded() const;

  // Calls visit with bins, descending, and the counts of their positives and negatives, of which
  // both may be 0.
  template <class Visit>
  void each(const Visit& visit) const {
    with_numbers([&](auto gaps, auto positives, auto negatives) {
      std::uint32_t last = highest_;
      visit(last, positives[0], negatives[0]);
      for (const auto [from, to] : Strides(written_)) {
        std::uint32_t bin = last;  // stays in a register
        for (std::size_t i = std::max<std::size_t>(from, 1); i < to; ++i) {
          bin -= static_cast<std::uint32_t>(gaps[i - 1]) + 1;
          visit(bin, positives[i], negatives[i]);
        }
        last = bin;
      }
    });
  }

 private:
  // Calls visit with the gaps in front of all bins but the first, the positives and the negatives,
  // each of its own type.
  template <class Visit>
  void with_numbers(const Visit& visit) const {
    const std::uint8_t* const gaps = entries_.data();
    const std::uint8_t* const positives = gaps + (written_ - 1) * gap_bytes_;
    const std::uint8_t* const negatives = positives + written_ * positive_bytes_;
    with_unsigned(positive_bytes_, [&]<class Positive>(Positive) {
      with_unsigned(negative_bytes_, [&]<class Negative>(Negative) {
        const PackedNumbers<Positive> of_positives(positives);
        const PackedNumbers<Negative> of_negatives(negatives);
        switch (gap_bytes_) {
          case 0:
            return visit(PackedZeros(), of_positives, of_negatives);
          case 1:
            return visit(PackedNumbers<std::uint8_t>(gaps), of_positives, of_negatives);
          case 2:
            return visit(PackedNumbers<std::uint16_t>(gaps), of_positives, of_negatives);
          default:
            return visit(PackedNumbers<std::uint32_t>(gaps), of_positives, of_negatives);
        }
      });
    });
  }
  void check();
  template <class Count>
  void fill(Sweep& out) const;

  Sweep about_;
  Bytes entries_;
  std::size_t size_ = 0, written_ = 0;  // bins with rows; all that are written
  unsigned gap_bytes_ = 0, positive_bytes_ = 0, negative_bytes_ = 0;
  std::uint32_t highest_ = 0, lowest_ = 0;
  std::uint64_t total_ = 0;
};

// A saved sweep as it lies, where it has that form.
using AnySweep = std::variant<Sweep, SavedBins>;
// Throws StateError, as decode_sweep. Needs: the bytes stay where they are.
AnySweep open_sweep(Bytes bytes);

}  // namespace confmat
