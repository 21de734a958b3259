// A position in the chunks of a column: walks several columns in lock-step however they are cut.
// Work that is not wanted any more ends where its cursors advance.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "confmat/base/interrupt.hpp"
#include "confmat/batch/column.hpp"

namespace confmat {

inline std::int64_t total_length(Chunks chunks) noexcept {
  std::int64_t length = 0;
  for (const Column& chunk : chunks) length += chunk.length;
  return length;
}

class Cursor {
 public:
  // Needs: 0 <= row <= total length.
  Cursor(Chunks chunks, std::int64_t row) noexcept : chunks_(chunks) {
    while (index_ < chunks_.size() && row >= chunks_[index_].length) {
      row -= chunks_[index_].length;
      ++index_;
    }
    at_ = row;
  }

  // Needs: rows are left.
  [[nodiscard]] const Column& chunk() const noexcept { return chunks_[index_]; }
  [[nodiscard]] std::int64_t at() const noexcept { return at_; }  // row within the chunk
  [[nodiscard]] std::int64_t left() const noexcept { return chunk().length - at_; }

  // Needs: n <= left().
  void advance(std::int64_t n) {
    unseen_ += n;
    if (unseen_ >= kBetweenLooks) {
      unseen_ = 0;
      sign_.obey();
    }
    at_ += n;
    while (index_ < chunks_.size() && at_ == chunks_[index_].length) {
      at_ = 0;
      ++index_;
    }
  }

 private:
  static constexpr std::int64_t kBetweenLooks = std::int64_t{1} << 16;

  Chunks chunks_;
  std::int64_t unseen_ = kBetweenLooks;  // rows since the last look; none was
  std::size_t index_ = 0;
  std::int64_t at_ = 0;
  StopSign sign_;
};

}  // namespace confmat
