// Remembers objects by their address and cells by their bytes.
#include "confmat/batch/text_codes.hpp"

#include <array>
#include <cstring>

#include "confmat/base/interrupt.hpp"

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

constexpr unsigned kSlotBits = 10;

// Objects lie 16 bytes apart, or multiples of that.
std::size_t home(std::uintptr_t pointer) noexcept {
  return static_cast<std::size_t>((std::uint64_t{pointer >> 4U} * 0x9E3779B97F4A7C15U) >>
                                  (64U - kSlotBits));
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
  constexpr std::size_t kAhead = 16;  // rows; an object that nobody looked at yet is far away
  std::array<Known, std::size_t{1} << kSlotBits> known;
  for (const auto [first, last] : Strides(static_cast<std::size_t>(cells.length))) {
    const Stay stay(owner);
    known.fill(Known{});  // between strides an object may have made room for another one
    for (std::size_t row = first; row < last; ++row) {
      const std::byte* cell = cells.data + static_cast<std::int64_t>(row) * cells.stride;
      const std::uintptr_t pointer = pointer_in(cell);
      Known& slot = known[home(pointer)];
      if (slot.pointer != pointer || slot.code == CellOwner::kRefused) {
        if (row + kAhead < last) {
          const auto* next = cell + static_cast<std::int64_t>(kAhead) * cells.stride;
          const void* object = nullptr;
          std::memcpy(static_cast<void*>(&object), next, sizeof(void*));
          __builtin_prefetch(object);
        }
        slot = {pointer, owner.code(cell)};
        if (slot.code == CellOwner::kRefused) return false;
      }
      codes[row] = slot.code;
    }
  }
  return true;
}

}  // namespace confmat
