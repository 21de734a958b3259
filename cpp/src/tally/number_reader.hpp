// Reads blocks of a column of numbers as doubles: where they lie, if they are such.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "confmat/batch/column.hpp"
#include "confmat/batch/gather.hpp"
#include "confmat/state/moments.hpp"

namespace confmat {

class NumberReader {
 public:
  // `room`: of kExactTerms doubles, for what is no array of doubles.
  NumberReader(const char* argument, double* room) noexcept : argument_(argument), room_(room) {}

  // `first_row`: that of the block. Needs: n <= kExactTerms. Throws InputError: an integer that is
  // no double.
  const double* read(const Column& column, std::int64_t at, std::size_t n, std::int64_t first_row);
  // Whether no row of the block is null, and whether one is not.
  [[nodiscard]] bool has_all() const noexcept { return has_all_; }
  [[nodiscard]] bool has(std::size_t i) const noexcept {
    return has_all_ || column_->valid(at_ + static_cast<std::int64_t>(i));
  }
  // Throws InputError: nan, infinite, or beyond kMostNumber.
  void require_number(double value, std::int64_t first_row, std::size_t i) const;

 private:
  const char* argument_;
  double* room_;
  Scratch scratch_;
  const Column* column_ = nullptr;
  std::int64_t at_ = 0;
  bool has_all_ = true;
};

}  // namespace confmat
