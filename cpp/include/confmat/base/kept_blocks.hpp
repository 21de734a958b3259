// Blocks of memory that were given up lately, for those who ask next: the first touch of fresh
// pages costs as much as sorting what is put there. A few blocks and bytes are kept, the rest goes.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace confmat {

struct MemoryBlock {
  enum class From : std::uint8_t { kMalloc, kHugePages, kUsualPages };

  std::byte* memory = nullptr;
  std::size_t size = 0;
  From from = From::kMalloc;
};

// Any thread may call; one that comes while another is at it takes nothing, and keeps nothing.
class KeptBlocks {
 public:
  static constexpr std::size_t kLeast = std::size_t{1} << 16U, kMost = std::size_t{1} << 25U;
  static constexpr std::size_t kTotal = std::size_t{1} << 26U;
  static constexpr std::size_t kBlocks = 16;

  // The smallest block that holds so many bytes and little more; without memory where none does.
  MemoryBlock take(std::size_t bytes, MemoryBlock::From from) noexcept;

  // Keeps a block. Returns how many others must be freed for it, which stand in `gone`; where it
  // cannot be kept, that is the block itself.
  std::size_t put(MemoryBlock block, std::array<MemoryBlock, kBlocks>& gone) noexcept;

 private:
  std::atomic_flag busy_;
  std::array<MemoryBlock, kBlocks> blocks_{};  // the oldest first
  std::size_t n_ = 0, bytes_ = 0;

  void remove(std::size_t at) noexcept;
};

}  // namespace confmat
