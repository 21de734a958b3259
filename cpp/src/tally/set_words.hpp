// Rows with sets of many labels, block by block: as words of bits, or as lists.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <variant>
#include <vector>

#include "confmat/batch/gather.hpp"
#include "confmat/state/label_sets.hpp"
#include "set_reader.hpp"

namespace confmat {

// Label j is bit j % 64 of word j / 64.
class SetWords {
 public:
  SetWords(const SetSide& side, std::int64_t rows, std::size_t n_labels)
      : side_(side), words_((n_labels + 63) / 64) {
    const auto* const table = std::get_if<BoolTable>(&side);
    for (std::size_t label = 0; table != nullptr && label < n_labels; label += 8) {
      BoolTable part = *table;
      part.data += static_cast<std::int64_t>(table->packed ? label / 8 : label) * table->step;
      readers_.emplace_back(part, rows,
                            static_cast<unsigned>(std::min<std::size_t>(n_labels - label, 8)));
    }
  }
  [[nodiscard]] std::size_t words() const noexcept { return words_; }

  // Needs: at most kBlock rows.
  void read(std::int64_t first, std::int64_t last, std::vector<std::uint64_t>& sets) const {
    const auto n = static_cast<std::size_t>(last - first);
    sets.assign(n * words_, 0);
    if (const auto* const lists = std::get_if<SetLists>(&side_)) {
      std::uint64_t* to = sets.data();
      for (std::int64_t row = first; row < last; ++row, to += words_) {
        for (const std::uint32_t label : lists->of(row)) {
          to[label / 64] |= std::uint64_t{1} << (label % 64);
        }
      }
      return;
    }
    constexpr std::size_t kWord = sizeof(std::uint64_t);
    std::array<std::uint16_t, kBlock> eight;
    for (std::size_t part = 0; part < readers_.size(); ++part) {
      std::fill_n(eight.data(), n, std::uint16_t{0});
      readers_[part].read(first, last, 0, eight.data());
      std::uint64_t* const to = sets.data() + part / kWord;
      for (std::size_t i = 0; i < n; ++i) {
        to[i * words_] |= std::uint64_t{eight[i]} << (8 * (part % kWord));
      }
    }
  }

 private:
  SetSide side_;
  std::size_t words_;
  std::vector<SetReader> readers_;
};

// The labels of each row, ascending.
class SetRows {
 public:
  SetRows(const SetSide& side, std::int64_t rows, std::size_t n_labels)
      : side_(side), table_(side, rows, std::holds_alternative<BoolTable>(side) ? n_labels : 0) {}

  // Calls visit(row, set) for each; good until the next.
  template <class Visit>
  void read(std::int64_t first, std::int64_t last, const Visit& visit) {
    if (const auto* const lists = std::get_if<SetLists>(&side_)) {
      for (std::int64_t row = first; row < last; ++row) visit(row, ascending(lists->of(row)));
      return;
    }
    // So few rows that their words stay in the caches.
    const auto step = static_cast<std::int64_t>(
        std::clamp<std::size_t>(kBlock / std::max<std::size_t>(table_.words(), 1), 1, kBlock));
    for (std::int64_t from = first; from < last; from += step) {
      const std::int64_t to = std::min(from + step, last);
      table_.read(from, to, words_);
      for (std::int64_t row = from; row < to; ++row) {
        const auto at = static_cast<std::size_t>(row - from) * table_.words();
        set_.clear();
        for (std::size_t i = 0; i < table_.words(); ++i) {
          for (std::uint64_t word = words_[at + i]; word != 0; word &= word - 1) {
            set_.push_back(static_cast<std::uint32_t>(64 * i) +
                           static_cast<std::uint32_t>(std::countr_zero(word)));
          }
        }
        visit(row, SetMembers(set_));
      }
    }
  }

 private:
  SetMembers ascending(SetMembers list) {
    if (std::ranges::adjacent_find(list, std::greater_equal()) == list.end()) return list;
    set_.assign(list.begin(), list.end());
    std::ranges::sort(set_);
    set_.erase(std::ranges::unique(set_).begin(), set_.end());
    return set_;
  }

  SetSide side_;
  SetWords table_;
  std::vector<std::uint64_t> words_;
  std::vector<std::uint32_t> set_;
};

}  // namespace confmat
