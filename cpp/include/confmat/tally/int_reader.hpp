// Classes of integer, boolean and whole-number floating columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "confmat/batch/class_set.hpp"
#include "confmat/batch/column.hpp"
#include "confmat/batch/gather.hpp"
#include "confmat/batch/place.hpp"
#include "confmat/batch/whole_numbers.hpp"
#include "confmat/kernels/table.hpp"

namespace confmat {

// The part of base, base + 1, ..., base + span - 1 that a column of this type can hold. Values
// there become value - base + `shift_of_base`, all others `other`. False: no value can be there.
bool window_of(DType type, std::int64_t base, std::uint32_t span, std::uint32_t other,
               Window& window) noexcept;

// Validity of a block: null where every row is valid.
struct Nulls {
  const std::uint8_t* validity = nullptr;
  std::int64_t offset = 0;
};

class IntReader {
 public:
  explicit IntReader(Scratch& scratch) noexcept : scratch_(scratch), kernels_(kernels()) {}

  void start(const Column& chunk, const ClassSet& set, const Place& place);

  // As ClassReader::read, but null rows hold any class: see nulls(). False: no row, null or not,
  // has the class "other".
  bool read(std::int64_t at, std::size_t n, ClassWidth width, void* classes);

  // Which of the rows read last are null.
  [[nodiscard]] Nulls nulls(std::int64_t at, std::size_t n) const noexcept;

  // Widens `extremes` to the valid values of the rows.
  void widen(std::int64_t at, std::size_t n, Extremes& extremes);

  // Needs: read() has passed over the row. Throws InputError for a value beyond 2^63 - 1.
  [[nodiscard]] std::int64_t label(std::int64_t at) const;

 private:
  Run run(std::int64_t at, std::size_t n);

  Scratch& scratch_;
  const Kernels& kernels_;
  const Column* chunk_ = nullptr;
  const ClassSet* set_ = nullptr;
  Place place_;
  Window window_;
  bool reachable_ = false;                    // some value of the column's type lies in the window
  std::unique_ptr<std::uint16_t[]> offsets_;  // Form::kLookup: one block
  std::unique_ptr<WholeBlock> whole_;         // of floats
};

}  // namespace confmat
