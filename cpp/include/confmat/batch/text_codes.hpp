// Codes for rows whose texts only their owner can read: one call a distinct object, or one a cell.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "confmat/batch/column.hpp"

namespace confmat {

// Who can read the cells of a column.
class CellOwner {
 public:
  static constexpr std::uint32_t kRefused = UINT32_MAX;
  static constexpr std::uint32_t kUnknown = UINT32_MAX - 1;  // no code

  CellOwner() = default;
  CellOwner(const CellOwner&) = delete;
  CellOwner& operator=(const CellOwner&) = delete;
  virtual ~CellOwner() = default;

  // The code of what the cell holds, or kRefused.
  virtual std::uint32_t code(const std::byte* cell) = 0;

  // The same if that needs nothing but reading, else kUnknown. Several threads ask at once.
  [[nodiscard]] virtual std::uint32_t known(const std::byte* /*cell*/) const noexcept {
    return kUnknown;
  }
  // Of so many cells, one after the other. Returns whether all are known.
  virtual bool known(const std::byte* cells, std::int64_t stride, std::size_t n,
                     std::uint32_t* codes) const noexcept {
    bool all = true;
    for (std::size_t i = 0; i < n; ++i) {
      codes[i] = known(cells + static_cast<std::int64_t>(i) * stride);
      all &= codes[i] != kUnknown;
    }
    return all;
  }

  // Of cells that hold pointers: asks for the object some cells behind this one, if as many are
  // left there. One that nobody looked at yet is far away.
  static void look_ahead(const std::byte* cell, std::int64_t stride, std::size_t left) noexcept {
    constexpr std::size_t kAhead = 32;
    if (left <= kAhead) return;
    const void* object = nullptr;
    std::memcpy(static_cast<void*>(&object), cell + static_cast<std::int64_t>(kAhead) * stride,
                sizeof(void*));
    __builtin_prefetch(object);
  }

  // Around each stride of rows: in between nothing that a cell holds changes or goes away.
  virtual void begin() {}
  virtual void end() noexcept {}
};

// Writes the code of every row. `cells`: the first cell, their stride and number. False, and the
// codes are worth nothing: a cell was refused. May be interrupted between strides of rows.
bool codes_of_cells(const Column& cells, CellOwner& owner, std::uint32_t* codes);

// The same of cells that hold a pointer each, to an object that is read: `owner` is asked once for
// each pointer of a stride of rows, or a little more often; what it knows, on every core.
bool codes_of_pointers(const Column& cells, CellOwner& owner, std::uint32_t* codes);

}  // namespace confmat
