// Keys of scores of slices: listed row by row, and one for each bin.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>
#include <vector>

#include "confmat/scores/unit_bins.hpp"
#include "slice_blocks.hpp"

namespace confmat {

struct BlockHead {
  BlockHead* previous;
  std::uint32_t size_class;
  std::uint32_t number;  // of blocks up to this one
};
static_assert(sizeof(BlockHead) == 16);

// Blocks of keys, of which all but the last one are full.
template <class Key>
struct KeyList {
  Key* at = nullptr;  // where the next one comes
  Key* end = nullptr;
  BlockHead* block = nullptr;

  static Key* begin_of(BlockHead* block) noexcept { return reinterpret_cast<Key*>(block + 1); }
  void open(std::byte* memory, unsigned size_class) noexcept {
    block = new (memory) BlockHead{block, size_class, blocks() + 1};
    at = begin_of(block);
    end = reinterpret_cast<Key*>(memory + block_bytes(size_class));
  }
  [[nodiscard]] std::uint32_t blocks() const noexcept {
    return block == nullptr ? 0 : block->number;
  }
  [[nodiscard]] std::size_t size() const noexcept {
    std::size_t n = 0;
    for_each_block([&n](const Key* /*keys*/, std::size_t some) { n += some; });
    return n;
  }
  // Calls visit(keys, n) for each block.
  template <class Visit>
  void for_each_block(Visit&& visit) const {
    const Key* last = at;
    for (BlockHead* of = block; of != nullptr; of = of->previous) {
      if (of != block) {
        last =
            reinterpret_cast<Key*>(reinterpret_cast<std::byte*>(of) + block_bytes(of->size_class));
      }
      const Key* const first = begin_of(of);
      if (last > first) visit(first, static_cast<std::size_t>(last - first));
    }
  }
  // Gives all blocks back.
  void clear(Blocks& blocks) {
    for (BlockHead* of = block; of != nullptr;) {
      BlockHead* const previous = of->previous;
      blocks.give(reinterpret_cast<std::byte*>(of), of->size_class);
      of = previous;
    }
    *this = {};
  }
};

// The score of each bin, one slice after the other; one thread's.
template <class Key>
class BinKeys {
 public:
  static constexpr Key kNone = 0;  // the key of a nan

  // Puts the key into its bin. False: another one is there.
  bool put(std::uint32_t bin, Key key) {
    if (keys_.empty()) keys_.resize(unit_size());
    Key& held = keys_[bin];
    if (held == key) return true;
    if (held != kNone) return false;
    held = key;
    used_.push_back(bin);
    return true;
  }
  // Of a bin into which one was put.
  [[nodiscard]] Key of(std::uint32_t bin) const noexcept { return keys_[bin]; }
  // All that were put, in that order; then it is empty.
  [[nodiscard]] std::vector<Key> take() {
    std::vector<Key> out;
    out.reserve(used_.size());
    for (const std::uint32_t bin : used_) out.push_back(std::exchange(keys_[bin], kNone));
    used_.clear();
    return out;
  }
  void clear() noexcept {
    for (const std::uint32_t bin : used_) keys_[bin] = kNone;
    used_.clear();
  }

 private:
  std::vector<Key> keys_;
  std::vector<std::uint32_t> used_;
};

}  // namespace confmat
