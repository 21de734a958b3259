// Asks the system for pages, huge ones where it has them, and gives tails back.
#include "confmat/base/pages.hpp"

#include <cstdint>
#include <cstdlib>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace confmat {
namespace {

#ifdef __linux__
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
#ifdef __linux__
  if (bytes >= 2 * kHuge) {
    mapped_ = whole_pages(bytes);
    memory_ = map(mapped_, size);
    if (memory_ == nullptr) throw std::bad_alloc();
    return;
  }
#endif
  memory_ = static_cast<std::byte*>(std::aligned_alloc(64, (bytes / 64 + 1) * 64));
  if (memory_ == nullptr) throw std::bad_alloc();
}

PageBlock::~PageBlock() {
#ifdef __linux__
  if (mapped_ > 0) {
    munmap(memory_, mapped_);
    return;
  }
#endif
  std::free(memory_);
}

void PageBlock::trim([[maybe_unused]] std::size_t bytes) noexcept {
#ifdef __linux__
  const std::size_t kept = whole_pages(bytes + (bytes == 0 ? 1 : 0));
  if (kept >= mapped_) return;
  munmap(memory_ + kept, mapped_ - kept);
  mapped_ = kept;
#endif
}

}  // namespace confmat
