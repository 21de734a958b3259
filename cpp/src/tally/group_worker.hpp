// Counts the rows of one range into tables, one for each combination of the numbers of keys.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "group_reader.hpp"

namespace confmat {

// In tables of 32-bit counters.
class GroupWorker {
 public:
  // 1: rows are counted; 2^32 - 1: what was counted before is taken back.
  enum class Step : std::uint32_t { kCount = 1, kTakeBack = UINT32_MAX };

  GroupWorker(const GroupPlan& plan, std::int64_t first, std::int64_t last)
      : cells_(plan.cells), rows_(plan, first, last) {}

  // How far it read; also where run() threw.
  [[nodiscard]] const GroupReader& rows() const noexcept { return rows_; }

  // Counts rows up to the end of the range, at most `most` of them; false when none are left.
  bool run(std::int64_t most, std::uint32_t* tables, Step step = Step::kCount) {
    const std::int64_t end = std::min(rows_.last(), rows_.row() + most);
    while (rows_.row() < end) {
      const std::size_t n = rows_.read(end);
      rows_.with_codes([&](const std::uint32_t* slots, const auto* codes) {
        scatter(slots, codes, n, tables, static_cast<std::uint32_t>(step));
      });
      rows_.advance(n);
    }
    return end < rows_.last();
  }

 private:
  template <class Code>
  void scatter(const std::uint32_t* slots, const Code* codes, std::size_t n, std::uint32_t* tables,
               std::uint32_t one) const noexcept {
    Ahead labels;
    Ahead keys;
    rows_.look_beyond(n, labels, keys);
    const std::size_t cells = cells_;
    std::size_t i = 0;
    for (; i + 8 <= n; i += 8) {
      __builtin_prefetch(labels.at[0] + i * labels.width[0]);
      __builtin_prefetch(labels.at[1] + i * labels.width[1]);
      __builtin_prefetch(keys.at[0] + i * keys.width[0]);
      for (std::size_t k = i; k < i + 8; ++k) tables[slots[k] * cells + codes[k]] += one;
    }
    for (; i < n; ++i) tables[slots[i] * cells + codes[i]] += one;
  }

  std::size_t cells_;
  GroupReader rows_;
};

}  // namespace confmat
