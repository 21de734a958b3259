// Classes of texts in cells of one width: a cell is its own key, compared as it lies, and becomes
// UTF-8 when it is first seen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "confmat/batch/class_set.hpp"
#include "confmat/batch/column.hpp"
#include "confmat/batch/place.hpp"

namespace confmat {

class CellReader {
 public:
  void start(const Column& chunk, const ClassSet& set, const Place& place);

  // As ClassReader::read. Throws InputError for a cell that is no text.
  void read(std::int64_t at, std::size_t n, ClassWidth width, void* classes);

  // Good until the next one is asked for.
  [[nodiscard]] std::string_view label(std::int64_t at) const;

 private:
  struct Slot {
    std::uint64_t mark = 0;           // hash of the cell, or the cell itself
    const std::byte* cell = nullptr;  // where it was first seen; null: the slot is free
    std::uint32_t number = 0;         // its class
  };

  template <std::size_t kWidth, class Class>
  void fill(std::int64_t at, std::size_t n, Class* classes);
  // What lies in a cell, in `text_`.
  void read_utf8(std::int64_t at) const;
  void read_utf32(std::int64_t at) const;
  std::uint32_t look_up(std::int64_t at, std::uint64_t mark);
  void keep(const Slot& slot);
  [[nodiscard]] std::size_t home(std::uint64_t mark) const noexcept;

  const Column* chunk_ = nullptr;
  const ClassSet* set_ = nullptr;
  Place place_;
  std::vector<Slot> slots_;  // a power of two, at most a quarter of them taken
  unsigned shift_ = 0;       // 64 less the power
  std::size_t kept_ = 0;
  mutable std::string text_;
};

}  // namespace confmat
