// A saved sweep of counts in unit bins whose scores are not known: most sweeps of large logs. It is
// checked and stays as it lies, as adding it to others needs no more.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "confmat/state/sweep.hpp"

namespace confmat {

class SavedBins {
 public:
  // None: it has another form, or is not as it should be; decode_sweep reads it, or says what.
  // Needs: the bytes stay where they are.
  static std::optional<SavedBins> open(Bytes bytes);

  // All but the entries.
  [[nodiscard]] const Sweep& about() const noexcept { return about_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::uint64_t total() const noexcept { return total_; }
  [[nodiscard]] Sweep decoded() const { return decode_sweep(bytes_); }

  // Calls visit with bins, descending, and the counts of their positives and negatives, of which
  // both may be 0.
  template <class Visit>
  void each(const Visit& visit) const {
    std::uint32_t bin = highest_;
    for (std::size_t first = 0; first < written_; first += kBlock) {
      Block block;
      const std::size_t n = read(first, block);
      for (std::size_t i = 0; i < n; ++i) {
        bin -= block.steps[i];
        visit(bin, block.positives[i], block.negatives[i]);
      }
    }
  }

 private:
  static constexpr std::size_t kBlock = 1024;
  using Numbers = std::array<std::uint32_t, kBlock>;
  struct Block {
    Numbers steps;  // from the bin before
    Numbers positives, negatives;
  };

  // Of the entries from `first` on; returns how many.
  std::size_t read(std::size_t first, Block& block) const;
  [[nodiscard]] bool check();

  Sweep about_;
  Bytes bytes_;
  std::size_t entries_at_ = 0;          // in the bytes
  std::size_t size_ = 0, written_ = 0;  // bins with rows; all that are written
  unsigned gap_bytes_ = 0, positive_bytes_ = 0, negative_bytes_ = 0;
  std::uint32_t highest_ = 0;
  std::uint64_t total_ = 0;
};

}  // namespace confmat
