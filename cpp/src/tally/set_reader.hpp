// Rows with sets of a few labels as bits.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <variant>

#include "confmat/tally/set_side.hpp"

namespace confmat {

// Up to eight labels of the rows of a table as bits: label j is bit j.
class SetReader {
 public:
  SetReader(const BoolTable& table, std::int64_t n, unsigned labels) noexcept
      : table_(table),
        labels_(labels),
        in_words_(table.step == 1 && table.stride > 0 && !table.packed ? words_within(n) : 0),
        used_(labels == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * labels)) - 1) {}

  // sets[i] |= the set of row first + i, shifted.
  void read(std::int64_t first, std::int64_t last, unsigned shift,
            std::uint16_t* sets) const noexcept {
    if (table_.packed) return read_packed(first, last, shift, sets);
    const std::int64_t words = std::clamp(in_words_, first, last);
    for (std::int64_t row = first; row < words; ++row, ++sets) {
      std::uint64_t word;
      std::memcpy(&word, table_.data + row * table_.stride, sizeof word);
      *sets = static_cast<std::uint16_t>(*sets | (set_of(word & used_) << shift));
    }
    const auto n = static_cast<std::size_t>(last - words);
    for (unsigned label = 0; label < labels_ && n > 0; ++label) {
      const std::byte* const bytes = table_.data + words * table_.stride + label * table_.step;
      if (table_.stride == 1) {
        add_label(bytes, 1, n, label + shift, sets);
      } else {
        add_label(bytes, table_.stride, n, label + shift, sets);
      }
    }
  }

 private:
  void read_packed(std::int64_t first, std::int64_t last, unsigned shift,
                   std::uint16_t* sets) const noexcept {
    const unsigned known = (1U << labels_) - 1;
    for (std::int64_t row = first; row < last; ++row, ++sets) {
      const auto set = std::to_integer<unsigned>(table_.data[row * table_.stride]) & known;
      *sets = static_cast<std::uint16_t>(*sets | set << shift);
    }
  }
  // The rows whose eight bytes lie within the table.
  [[nodiscard]] std::int64_t words_within(std::int64_t n) const noexcept {
    const std::int64_t beyond = 8 - static_cast<std::int64_t>(labels_);
    return std::max<std::int64_t>(n - (beyond + table_.stride - 1) / table_.stride, 0);
  }
  // Any byte but 0 becomes 1 in its highest bit; these bits are brought together.
  static std::uint64_t set_of(std::uint64_t word) noexcept {
    constexpr std::uint64_t kHigh = 0x8080808080808080U;
    const std::uint64_t any = (((word & ~kHigh) + ~kHigh) | word) & kHigh;
    return ((any >> 7U) * 0x0102040810204080U) >> 56U;
  }
  [[gnu::always_inline]] static void add_label(const std::byte* bytes, std::int64_t stride,
                                               std::size_t n, unsigned bit,
                                               std::uint16_t* sets) noexcept {
    const auto there = static_cast<std::uint16_t>(1U << bit);
    for (std::size_t i = 0; i < n; ++i) {
      const bool is = bytes[static_cast<std::int64_t>(i) * stride] != std::byte{0};
      sets[i] = static_cast<std::uint16_t>(sets[i] | (is ? there : 0));
    }
  }

  BoolTable table_;
  unsigned labels_;
  std::int64_t in_words_;
  std::uint64_t used_;
};

// Up to eight labels of rows, however these lie.
class FewLabels {
 public:
  FewLabels(const SetSide& side, std::int64_t n, unsigned labels) {
    if (const auto* const table = std::get_if<BoolTable>(&side)) {
      side_.emplace<SetReader>(*table, n, labels);
    } else {
      side_ = std::get<SetLists>(side);
    }
  }

  // As SetReader does.
  void read(std::int64_t first, std::int64_t last, unsigned shift,
            std::uint16_t* sets) const noexcept {
    if (const auto* const table = std::get_if<SetReader>(&side_)) {
      return table->read(first, last, shift, sets);
    }
    const SetLists& lists = *std::get_if<SetLists>(&side_);
    const std::int64_t* const ends = lists.ends.data();
    const std::uint32_t* label = lists.labels.data() + (first > 0 ? ends[first - 1] : 0);
    for (std::int64_t row = first; row < last; ++row, ++sets) {
      const std::uint32_t* const end = lists.labels.data() + ends[row];
      unsigned set = *sets;
      for (; label != end; ++label) set |= 1U << (*label + shift);
      *sets = static_cast<std::uint16_t>(set);
    }
  }

 private:
  std::variant<SetLists, SetReader> side_;
};

}  // namespace confmat
