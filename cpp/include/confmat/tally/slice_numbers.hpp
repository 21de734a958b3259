// Numbers of slices, 0, 1, ... as they are met: of each row, by the values of its keys, for batch
// after batch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "confmat/batch/column.hpp"
#include "confmat/tally/group_keys.hpp"

namespace confmat {

class SliceNumbers {
 public:
  explicit SliceNumbers(int threads) noexcept : threads_(threads) {}

  // Writes the number of the slice of each row. False: the keys have too many combinations for a
  // table, or values that none holds; no slice was added. So it is where it throws.
  // Needs: at least one key, and as many as before; `out` has room for every row.
  bool of_rows(std::span<const Chunks> keys, std::uint32_t* out);

  [[nodiscard]] std::int64_t size() const noexcept { return size_; }
  [[nodiscard]] std::span<const GroupKey> keys() const noexcept { return keys_; }
  // The numbers of the values of a key, a slice each.
  [[nodiscard]] std::span<const std::uint32_t> values(std::size_t key) const noexcept {
    return values_[key];
  }

 private:
  bool learn(std::span<const Chunks> keys);
  bool number(std::int64_t rows, std::uint32_t* out);
  void add_slots(std::vector<std::uint32_t>&& slots);
  [[nodiscard]] std::uint32_t slot_of(std::size_t slice) const noexcept;

  int threads_;
  std::int64_t size_ = 0;
  std::vector<GroupKey> keys_;
  std::vector<std::vector<std::uint32_t>> values_;  // (keys)(slices)
  // By the numbers of all keys, the first key first: the number of the slice, or kNone.
  std::vector<std::uint32_t> slices_;
};

}  // namespace confmat
