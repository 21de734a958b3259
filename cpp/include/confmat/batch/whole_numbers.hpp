// Whole numbers in floats are integer labels: what an integer column with nulls becomes elsewhere.
// A nan is a null; fractions, infinities and what is beyond 2^53 are refused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "confmat/batch/column.hpp"
#include "confmat/batch/gather.hpp"
#include "confmat/batch/place.hpp"

namespace confmat {

// A block of rows as integers; null rows are 0.
struct WholeBlock {
  std::int64_t values[kBlock];
  std::uint8_t valid[kBlock / 8];  // as an Arrow bitmap; set where `nulls`
  bool nulls = false;              // some row is null or nan
};

// Reads rows at ... at + n - 1 of a column of floats. Needs: n <= kBlock.
// Throws InputError naming the row, and for fractions that they look like scores.
void read_whole(const Column& column, std::int64_t at, std::size_t n, const Place& place,
                Scratch& scratch, WholeBlock& out);

// A column of floats as one of integers, which lies in memory of its own.
class WholeColumn {
 public:
  WholeColumn(const Column& floats, const Place& place);
  // A copy would point into the memory of the original.
  WholeColumn(WholeColumn&&) noexcept = default;
  WholeColumn& operator=(WholeColumn&&) noexcept = default;
  [[nodiscard]] const Column& column() const noexcept { return column_; }

 private:
  std::vector<std::int64_t> values_;
  std::vector<std::uint8_t> valid_;
  Column column_;
};

}  // namespace confmat
