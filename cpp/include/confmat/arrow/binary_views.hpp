// Byte strings of ours as Arrow's binary views, written by several threads, for others to read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "confmat/arrow/data.hpp"
#include "confmat/base/pages.hpp"

namespace confmat {

// A column of them. What is not put is null.
class BinaryViews {
 public:
  struct Buffers {
    std::int64_t nulls = 0;
    PageBlock validity;  // there if there are nulls
    PageBlock views;
    std::vector<PageBlock> blobs;
    Pages<std::int64_t> sizes;  // of the blobs
  };

  explicit BinaryViews(std::size_t rows);
  // From any thread, once a row. Throws InputError: 4 GiB or more.
  void put(std::size_t row, std::span<const std::uint8_t> bytes);

  [[nodiscard]] std::size_t size() const noexcept { return views_.size(); }
  [[nodiscard]] std::span<const std::uint8_t> operator[](std::size_t row) const noexcept;  // or {}
  // As Arrow orders them; then there is nothing here.
  [[nodiscard]] Buffers take();

 private:
  struct View {
    std::uint32_t length, head, blob, offset;
  };
  struct Blob {
    PageBlock memory;
    std::size_t size, used;
  };
  View room_for(std::size_t bytes, std::byte*& place);

  Pages<View> views_;
  std::unique_ptr<std::mutex> growing_;
  std::vector<Blob> blobs_;
  std::size_t held_ = 0;  // bytes of all of them
};

std::shared_ptr<const ArrowData> arrow_data_of(BinaryViews column);

}  // namespace confmat
