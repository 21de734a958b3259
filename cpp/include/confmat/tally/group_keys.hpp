// Columns that rows are grouped by, each value as a number: of integers, dates and Booleans its
// distance from the least one; of texts, and of integers that are few and far apart, its place
// among all of them, sorted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "confmat/batch/class_set.hpp"
#include "confmat/batch/column.hpp"
#include "confmat/batch/cursor.hpp"
#include "confmat/batch/gather.hpp"
#include "confmat/batch/labels.hpp"
#include "confmat/kernels/table.hpp"
#include "confmat/tally/class_reader.hpp"

namespace confmat {

struct GroupKey {
  Chunks values;
  std::uint32_t size = 0;       // numbers 0 ... size - 1
  std::int64_t base = 0;        // of a window of integers: what 0 stands for
  Labels listed;                // or what the numbers stand for
  std::optional<ClassSet> set;  // of those that are listed

  // Of values that came into the column while it was read, and of nulls.
  [[nodiscard]] std::uint32_t outside() const noexcept { return size; }
  [[nodiscard]] std::uint32_t null() const noexcept { return size + 1; }
  [[nodiscard]] std::int64_t numbers() const noexcept { return std::int64_t{size} + 2; }
};

// One pass over the column, of integers far apart a second. nullopt: it holds other values, or more
// than kMostListed texts or integers in a range of 2^31 or more.
std::optional<GroupKey> group_key(Chunks column, int threads);

// Of more, tables of all groups are so large that sorting rows into groups is faster.
inline constexpr std::int64_t kMostListed = std::int64_t{1} << 14;
// Integers in a window of so many numbers need not be listed.
inline constexpr std::int64_t kAlwaysWindow = std::int64_t{1} << 12;

// The key of these values, sorted, each once.
GroupKey listed_key(Chunks column, Labels&& values);

// Whether a reader of the key can read the column: texts for texts, numbers for numbers.
bool can_read(const GroupKey& key, Chunks column) noexcept;

// Reads the numbers of one key, block by block; serves one thread.
class GroupKeyReader {
 public:
  GroupKeyReader(const GroupKey& key, std::int64_t row, Scratch& scratch);

  [[nodiscard]] std::int64_t left() const noexcept { return cursor_.left(); }
  // Of the next n rows. Needs: n <= kBlock and n <= left().
  void read(std::size_t n, std::uint32_t* numbers);
  void advance(std::int64_t n) { cursor_.advance(n); }
  [[nodiscard]] const Cursor& cursor() const noexcept { return cursor_; }

 private:
  void read_window(const Column& column, std::size_t n, std::uint32_t* numbers);
  void read_listed(const Column& column, std::size_t n, std::uint32_t* numbers);

  const GroupKey& key_;
  const ClassSet* set_;  // of listed values
  const Kernels& loops_ = kernels();
  Scratch& scratch_;
  Cursor cursor_;
  ClassReader listed_;
  const Column* chunk_ = nullptr;
  std::vector<std::uint16_t> classes_;  // of listed values: one block
};

}  // namespace confmat
