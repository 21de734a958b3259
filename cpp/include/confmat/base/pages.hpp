// Owned, uninitialised arrays for large results that begin at a cache line, and a tail that can be
// given back. Huge pages, where the system has them, are for what is read and written in no order.
// What is filled once in small pieces takes usual ones: a first touch of a huge page is up to seven
// times dearer on machines that are virtual and give free ones back to their host. Blocks of up to
// 32 MiB that were given up lately are used again, with what stood in them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "confmat/base/interrupt.hpp"
#include "confmat/base/kept_blocks.hpp"

namespace confmat {

enum class PageSize : std::uint8_t { kHuge, kUsual };

class PageBlock {
 public:
  PageBlock() = default;
  explicit PageBlock(std::size_t bytes, PageSize size = PageSize::kHuge);  // throws std::bad_alloc
  PageBlock(PageBlock&& other) noexcept : block_(std::exchange(other.block_, {})) {}
  PageBlock& operator=(PageBlock&& other) noexcept {
    std::swap(block_, other.block_);
    return *this;
  }
  ~PageBlock();

  // Gives back whole pages beyond the first `bytes`, where they are many; the memory stays where it
  // is.
  void trim(std::size_t bytes) noexcept;
  [[nodiscard]] std::byte* get() const noexcept { return block_.memory; }

 private:
  MemoryBlock block_;
};

// Asks for huge pages for memory that nobody has touched; a wish that may change nothing.
void prefer_huge_pages(void* memory, std::size_t bytes) noexcept;

// A vector of so many zeros, in huge pages where it is large; the thread that waits for it may be
// interrupted.
template <class T>
std::vector<T> large_zeros(std::size_t size) {
  std::vector<T> zeros;
  zeros.reserve(size);
  prefer_huge_pages(zeros.data(), size * sizeof(T));
  for (const auto [first, last] : Strides(size)) zeros.resize(last);
  return zeros;
}

template <class T>
class Pages {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Pages() = default;
  explicit Pages(std::size_t size) : block_(size * sizeof(T)), size_(size) {}
  Pages(Pages&& other) noexcept
      : block_(std::move(other.block_)), size_(std::exchange(other.size_, 0)) {}
  Pages& operator=(Pages&& other) noexcept {
    block_ = std::move(other.block_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~Pages() = default;

  // Needs: size <= size().
  void shrink(std::size_t size) noexcept {
    block_.trim(size * sizeof(T));
    size_ = size;
  }

  // The memory, for an owner that knows no type.
  [[nodiscard]] PageBlock block() && noexcept {
    size_ = 0;
    return std::move(block_);
  }

  [[nodiscard]] T* data() const noexcept { return reinterpret_cast<T*>(block_.get()); }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  T& operator[](std::size_t i) const noexcept { return data()[i]; }
  [[nodiscard]] std::span<const T> span() const noexcept { return {data(), size_}; }

 private:
  PageBlock block_;
  std::size_t size_ = 0;
};

}  // namespace confmat
