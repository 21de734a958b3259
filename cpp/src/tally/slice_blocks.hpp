// Memory of many slices: blocks of 64 bytes to 64 KiB, in huge pages where the system has them.
// What one slice gives back another one takes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "confmat/base/pages.hpp"

namespace confmat {

// Of so many bytes is a block of a size class.
inline constexpr unsigned kSizeClasses = 11;
constexpr std::size_t block_bytes(unsigned size_class) noexcept {
  return std::size_t{64} << size_class;
}
inline constexpr std::size_t kSlabBytes = block_bytes(kSizeClasses - 1);

// The largest blocks, which all threads share.
class Slabs {
 public:
  // Throws std::bad_alloc.
  std::byte* take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) map_more();
    std::byte* const slab = free_.back();
    free_.pop_back();
    return slab;
  }
  void give(std::byte* slab) {
    const std::lock_guard lock(mutex_);
    free_.push_back(slab);
  }

 private:
  void map_more() {
    constexpr std::size_t kLeast = 4;
    constexpr std::size_t kMost = 128;  // 8 MiB
    const std::size_t n = maps_.empty() ? kLeast : std::min(kMost, 2 * last_);
    PageBlock map(n * kSlabBytes);
    free_.reserve(free_.size() + n);
    maps_.push_back(std::move(map));
    last_ = n;
    for (std::size_t i = n; i-- > 0;) free_.push_back(maps_.back().get() + i * kSlabBytes);
  }

  std::mutex mutex_;
  std::vector<PageBlock> maps_;
  std::vector<std::byte*> free_;
  std::size_t last_ = 0;
};

// The blocks of one thread at a time: slabs, cut in halves.
class Blocks {
 public:
  explicit Blocks(Slabs& slabs) noexcept : slabs_(&slabs) {}

  // Throws std::bad_alloc. Needs: size_class < kSizeClasses.
  std::byte* take(unsigned size_class) {
    if (size_class == kSizeClasses - 1) return slabs_->take();
    Free*& first = free_[size_class];
    if (first == nullptr) {
      std::byte* const twice = take(size_class + 1);
      give(twice + block_bytes(size_class), size_class);
      return twice;
    }
    Free* const block = first;
    first = block->next;
    return reinterpret_cast<std::byte*>(block);
  }
  void give(std::byte* block, unsigned size_class) {
    if (size_class == kSizeClasses - 1) return slabs_->give(block);
    free_[size_class] = new (block) Free{free_[size_class]};
  }

 private:
  struct Free {
    Free* next;
  };
  Slabs* slabs_;
  std::array<Free*, kSizeClasses - 1> free_{};
};

}  // namespace confmat
