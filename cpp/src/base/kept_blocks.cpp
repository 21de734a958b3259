// Which blocks are kept: the youngest that fit.
#include "confmat/base/kept_blocks.hpp"

#include <algorithm>

namespace confmat {
namespace {

// A lock that is never waited for: after a fork it may stay taken.
class Turn {
 public:
  explicit Turn(std::atomic_flag& busy) noexcept
      : busy_(busy), mine_(!busy.test_and_set(std::memory_order_acquire)) {}
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  ~Turn() {
    if (mine_) busy_.clear(std::memory_order_release);
  }
  [[nodiscard]] bool mine() const noexcept { return mine_; }

 private:
  std::atomic_flag& busy_;
  bool mine_;
};

}  // namespace

MemoryBlock KeptBlocks::take(std::size_t bytes, MemoryBlock::From from) noexcept {
  if (bytes < kLeast || bytes > kMost) return {};
  const Turn turn(busy_);
  if (!turn.mine()) return {};
  std::size_t best = n_;
  for (std::size_t i = 0; i < n_; ++i) {
    const MemoryBlock& block = blocks_[i];
    if (block.from != from || block.size < bytes || block.size > bytes + bytes / 4) continue;
    if (best == n_ || block.size < blocks_[best].size) best = i;
  }
  if (best == n_) return {};
  const MemoryBlock found = blocks_[best];
  remove(best);
  return found;
}

std::size_t KeptBlocks::put(MemoryBlock block, std::array<MemoryBlock, kBlocks>& gone) noexcept {
  std::size_t n_gone = 0;
  const Turn turn(busy_);
  if (block.size < kLeast || block.size > kMost || !turn.mine()) {
    gone[n_gone++] = block;
    return n_gone;
  }
  while (n_ == kBlocks || bytes_ + block.size > kTotal) {
    gone[n_gone++] = blocks_[0];
    remove(0);
  }
  blocks_[n_++] = block;
  bytes_ += block.size;
  return n_gone;
}

void KeptBlocks::remove(std::size_t at) noexcept {
  bytes_ -= blocks_[at].size;
  std::copy(blocks_.begin() + static_cast<std::ptrdiff_t>(at) + 1,
            blocks_.begin() + static_cast<std::ptrdiff_t>(n_),
            blocks_.begin() + static_cast<std::ptrdiff_t>(at));
  --n_;
}

}  // namespace confmat
