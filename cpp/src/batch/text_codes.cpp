// Remembers objects by their address and cells by their bytes.
#include "confmat/batch/text_codes.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>

#include "confmat/base/interrupt.hpp"
#include "confmat/base/threads.hpp"

namespace confmat {
namespace {

class Stay {
 public:
  explicit Stay(CellOwner& owner) : owner_(owner) { owner.begin(); }
  Stay(const Stay&) = delete;
  Stay& operator=(const Stay&) = delete;
  ~Stay() { owner_.end(); }

 private:
  CellOwner& owner_;
};

struct Known {
  std::uintptr_t pointer = 0;
  std::uint32_t code = CellOwner::kRefused;
};

std::uintptr_t pointer_in(const std::byte* cell) noexcept {
  std::uintptr_t pointer;
  std::memcpy(&pointer, cell, sizeof pointer);
  return pointer;
}

const std::byte* cell_of(const Column& cells, std::size_t row) noexcept {
  return cells.data + static_cast<std::int64_t>(row) * cells.stride;
}

constexpr unsigned kSlotBits = 10;

// Objects lie 16 bytes apart, or multiples of that.
std::size_t home(std::uintptr_t pointer) noexcept {
  return static_cast<std::size_t>((std::uint64_t{pointer >> 4U} * 0x9E3779B97F4A7C15U) >>
                                  (64U - kSlotBits));
}

// Pointers that were looked at in this stride of rows; between strides an object may have made room
// for another one.
using Seen = std::array<Known, std::size_t{1} << kSlotBits>;

// Whether the owner knows all of these rows.
bool code_known_part(const Column& cells, const CellOwner& owner, std::size_t first,
                     std::size_t last, std::uint32_t* codes) noexcept {
  // Steps of rows that are looked up without a look at pointers, where most of a step were new: the
  // more, the more often that was so.
  constexpr std::size_t kStep = 512, kMostRest = 31;
  std::size_t rest = 0;
  Seen seen{};
  bool all = true;
  const auto ask = [&](std::size_t row) {
    const std::byte* const cell = cell_of(cells, row);
    CellOwner::look_ahead(cell, cells.stride, last - row);
    const std::uint32_t code = owner.known(cell);
    all = all && code != CellOwner::kUnknown;
    return code;
  };
  for (std::size_t row = first; row < last;) {
    std::size_t asked = 0;
    for (const std::size_t end = std::min(last, row + kStep); row < end; ++row) {
      const std::uintptr_t pointer = pointer_in(cell_of(cells, row));
      Known& slot = seen[home(pointer)];
      if (slot.pointer != pointer || slot.code == CellOwner::kRefused) {
        slot = {pointer, ask(row)};
        ++asked;
      }
      codes[row] = slot.code;
    }
    rest = 2 * asked < kStep ? 0 : std::min(2 * rest + 1, kMostRest);
    const std::size_t many = std::min(last - row, rest * kStep);
    if (many == 0) continue;
    all &= owner.known(cell_of(cells, row), cells.stride, many, codes + row);
    row += many;
  }
  return all;
}

bool code_known(const Column& cells, const CellOwner& owner, std::size_t first, std::size_t last,
                std::uint32_t* codes) {
  const StopScope alone(nullptr);  // nobody else runs meanwhile, as Python's handlers would
  const auto rows = static_cast<std::int64_t>(last - first);
  std::atomic<bool> all{true};
  over_ranges(thread_count(0, rows), rows, [&](int, std::int64_t from, std::int64_t to) {
    const auto begin = first + static_cast<std::size_t>(from);
    const auto end = first + static_cast<std::size_t>(to);
    if (!code_known_part(cells, owner, begin, end, codes)) all = false;
  });
  return all;
}

// False: a cell was refused.
bool code_unknown(const Column& cells, CellOwner& owner, std::size_t first, std::size_t last,
                  std::uint32_t* codes) {
  Seen seen{};
  for (std::size_t row = first; row < last; ++row) {
    if (codes[row] != CellOwner::kUnknown) continue;
    const std::byte* cell = cell_of(cells, row);
    const std::uintptr_t pointer = pointer_in(cell);
    Known& slot = seen[home(pointer)];
    if (slot.pointer != pointer || slot.code == CellOwner::kRefused) {
      slot = {pointer, owner.code(cell)};
      if (slot.code == CellOwner::kRefused) return false;
    }
    codes[row] = slot.code;
  }
  return true;
}

}  // namespace

bool codes_of_cells(const Column& cells, CellOwner& owner, std::uint32_t* codes) {
  for (const auto [first, last] : Strides(static_cast<std::size_t>(cells.length))) {
    const Stay stay(owner);
    for (std::size_t row = first; row < last; ++row) {
      codes[row] = owner.code(cells.data + static_cast<std::int64_t>(row) * cells.stride);
      if (codes[row] == CellOwner::kRefused) return false;
    }
  }
  return true;
}

bool codes_of_pointers(const Column& cells, CellOwner& owner, std::uint32_t* codes) {
  // The first rows tell nearly all that there is to know, the others start threads.
  constexpr std::size_t kFirst = std::size_t{1} << 12U;
  constexpr std::size_t kMost = std::size_t{1} << 20U;
  const auto n = static_cast<std::size_t>(cells.length);
  const StopSign sign;
  for (std::size_t first = 0, stride = kFirst; first < n; stride = std::min(stride * 16, kMost)) {
    sign.obey();
    const Stay stay(owner);
    const std::size_t last = std::min(n, first + stride);
    if (!code_known(cells, owner, first, last, codes) &&
        !code_unknown(cells, owner, first, last, codes)) {
      return false;
    }
    first = last;
  }
  return true;
}

}  // namespace confmat
