// Memory of many slices: blocks of 64 bytes to 8 KiB. What one slice gives back another one takes,
// be it for its list or for its table.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "confmat/base/pages.hpp"

namespace confmat {

// Of so many bytes is a block of a size class.
inline constexpr unsigned kSizeClasses = 8;
constexpr std::size_t block_bytes(unsigned size_class) noexcept {
  return std::size_t{64} << size_class;
}
inline constexpr unsigned kLargest = kSizeClasses - 1;

// The largest blocks, which all threads share.
class LargestBlocks {
 public:
  // Throws std::bad_alloc.
  std::byte* take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) map_more();
    std::byte* const block = free_.back();
    free_.pop_back();
    return block;
  }
  void give(std::byte* block) {
    const std::lock_guard lock(mutex_);
    free_.push_back(block);
  }

 private:
  void map_more() {
    constexpr std::size_t kLeast = 32;
    constexpr std::size_t kMost = 1024;  // 8 MiB
    const std::size_t n = maps_.empty() ? kLeast : std::min(kMost, 2 * last_);
    PageBlock map(n * block_bytes(kLargest), PageSize::kUsual);
    n_blocks_ += n;
    free_.reserve(n_blocks_);  // of all, so that none is lost where one is given back
    maps_.push_back(std::move(map));
    last_ = n;
    for (std::size_t i = n; i-- > 0;)
      free_.push_back(maps_.back().get() + i * block_bytes(kLargest));
  }

  std::mutex mutex_;
  std::vector<PageBlock> maps_;
  std::vector<std::byte*> free_;
  std::size_t last_ = 0;
  std::size_t n_blocks_ = 0;
};

// The blocks of one thread at a time: the largest ones, cut in halves.
class Blocks {
 public:
  explicit Blocks(LargestBlocks& largest) noexcept : largest_(&largest) {}

  // Throws std::bad_alloc. Needs: size_class < kSizeClasses.
  std::byte* take(unsigned size_class) {
    if (size_class == kLargest) return largest_->take();
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
    if (size_class == kLargest) return largest_->give(block);
    free_[size_class] = new (block) Free{free_[size_class]};
  }

 private:
  struct Free {
    Free* next;
  };
  LargestBlocks* largest_;
  std::array<Free*, kLargest> free_{};
};

}  // namespace confmat
