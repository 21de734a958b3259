// Asks the system for pages, huge ones where it has them, and gives tails back.
#include "confmat/base/pages.hpp"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace confmat {
namespace {

constexpr std::size_t kLine = 64;

#ifdef __linux__
constexpr std::size_t kWorthTrim = 4;  // a tail of less than one such part stays
constexpr std::size_t kHuge = std::size_t{1} << 21U;

std::size_t whole_pages(std::size_t bytes) noexcept {
  static const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return (bytes + page - 1) / page * page;
}

// `bytes` of memory that begin at a multiple of 2 MiB.
std::byte* map(std::size_t bytes, [[maybe_unused]] PageSize size) noexcept {
  const std::size_t asked = bytes + kHuge;
  void* const got =
      mmap(nullptr, asked, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (got == MAP_FAILED) return nullptr;
  auto* const first = static_cast<std::byte*>(got);
  const std::size_t before = (kHuge - reinterpret_cast<std::uintptr_t>(got) % kHuge) % kHuge;
  if (before > 0) munmap(first, before);
  if (before < kHuge) munmap(first + before + bytes, kHuge - before);
#ifdef MADV_HUGEPAGE
  if (size == PageSize::kHuge) {
    static_cast<void>(madvise(first + before, bytes, MADV_HUGEPAGE));  // a refusal changes nothing
  }
#endif
  return first + before;
}
#endif

void release(const MemoryBlock& block) noexcept {
#ifdef __linux__
  if (block.from != MemoryBlock::From::kMalloc) {
    munmap(block.memory, block.size);
    return;
  }
#endif
  std::free(block.memory);
}

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kKeeps = false;  // so that a use after the end is seen
#else
constexpr bool kKeeps = true;
#endif
KeptBlocks kept;

}  // namespace

void prefer_huge_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) noexcept {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  const auto first = reinterpret_cast<std::uintptr_t>(memory);
  const std::size_t before = (kHuge - first % kHuge) % kHuge;
  if (bytes < before + kHuge) return;
  const std::size_t whole = (bytes - before) / kHuge * kHuge;
  static_cast<void>(madvise(static_cast<std::byte*>(memory) + before, whole, MADV_HUGEPAGE));
#endif
}

PageBlock::PageBlock(std::size_t bytes, [[maybe_unused]] PageSize size) {
  MemoryBlock block{.size = (bytes / kLine + 1) * kLine};
#ifdef __linux__
  if (bytes >= 2 * kHuge) {
    block.size = whole_pages(bytes);
    block.from =
        size == PageSize::kHuge ? MemoryBlock::From::kHugePages : MemoryBlock::From::kUsualPages;
  }
#endif
  if (const MemoryBlock found = kept.take(block.size, block.from); found.memory != nullptr) {
    block_ = found;
    return;
  }
#ifdef __linux__
  block.memory = block.from == MemoryBlock::From::kMalloc
                     ? static_cast<std::byte*>(std::aligned_alloc(kLine, block.size))
                     : map(block.size, size);
#else
  block.memory = static_cast<std::byte*>(std::aligned_alloc(kLine, block.size));
#endif
  if (block.memory == nullptr) throw std::bad_alloc();
  block_ = block;
}

PageBlock::~PageBlock() {
  if (block_.memory == nullptr) return;
  if constexpr (!kKeeps) {
    release(block_);
    return;
  }
  std::array<MemoryBlock, KeptBlocks::kBlocks> gone;
  const std::size_t n = kept.put(block_, gone);
  for (std::size_t i = 0; i < n; ++i) release(gone[i]);
}

void PageBlock::trim([[maybe_unused]] std::size_t bytes) noexcept {
#ifdef __linux__
  if (block_.from == MemoryBlock::From::kMalloc) return;
  const std::size_t whole = whole_pages(bytes + (bytes == 0 ? 1 : 0));
  if (whole + block_.size / kWorthTrim >= block_.size) return;
  munmap(block_.memory + whole, block_.size - whole);
  block_.size = whole;
#endif
}

}  // namespace confmat
