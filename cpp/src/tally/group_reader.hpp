// Reads the rows of one range of a frame: their slots among the combinations of keys, and the codes
// of their label pairs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "confmat/batch/cursor.hpp"
#include "confmat/tally/class_reader.hpp"
#include "confmat/tally/encode.hpp"
#include "confmat/tally/group_keys.hpp"
#include "confmat/tally/look_ahead.hpp"
#include "key_slots.hpp"

namespace confmat {

// Tables for every combination of the numbers of the keys.
struct GroupPlan {
  std::span<const GroupKey> keys;
  Chunks y_true;
  Chunks y_pred;
  const ClassSet* set;
  std::size_t tables = 1;
  std::size_t cells = 0;  // of one table
};

class GroupReader {
 public:
  GroupReader(const GroupPlan& plan, std::int64_t first, std::int64_t last)
      : plan_(plan),
        row_(first),
        last_(last),
        width_(code_width(plan.set->classes)),
        combine_(width_ == CodeWidth::k8    ? kernels().combine8
                 : width_ == CodeWidth::k16 ? kernels().combine16
                                            : kernels().combine32),
        truth_("y_true", scratch_),
        prediction_("y_pred", scratch_),
        truth_at_(plan.y_true, first),
        prediction_at_(plan.y_pred, first),
        keys_(plan.keys, first, scratch_) {}

  // The row after the last one that was read, also where read() threw.
  [[nodiscard]] std::int64_t row() const noexcept { return row_; }
  [[nodiscard]] std::int64_t last() const noexcept { return last_; }
  // Whether a row had a label that is none of the set, or the value of a key that is not known.
  [[nodiscard]] bool met_other_label() const noexcept { return met_other_label_; }
  [[nodiscard]] bool met_other_key() const noexcept { return met_other_key_; }

  // Reads the next block, of rows before `end`; returns how many. Needs: row() < end <= last().
  std::size_t read(std::int64_t end) {
    const ClassSet& set = *plan_.set;
    const auto n = std::min({static_cast<std::int64_t>(kBlock), end - row_, truth_at_.left(),
                             prediction_at_.left(), keys_.left()});
    const auto size = static_cast<std::size_t>(n);
    start(truth_, truth_at_, truth_chunk_);
    start(prediction_, prediction_at_, prediction_chunk_);
    met_other_label_ |= truth_.read(truth_at_.at(), size, set.width(), buffers_->truth);
    met_other_label_ |=
        prediction_.read(prediction_at_.at(), size, set.width(), buffers_->prediction);
    combine_(buffers_->truth, buffers_->prediction, size, set.classes + 2, buffers_->codes);
    met_other_key_ |= keys_.read(size, buffers_->keys);
    return size;
  }
  // Steps over what was read.
  void advance(std::size_t size) {
    const auto n = static_cast<std::int64_t>(size);
    row_ += n;  // first, as the cursors may be interrupted
    truth_at_.advance(n);
    prediction_at_.advance(n);
    keys_.advance(n);
  }
  // Calls visit(slots, codes) for the block that was read: codes of 8, 16 or 32 bits.
  template <class Visit>
  void with_codes(const Visit& visit) const {
    const void* const codes = buffers_->codes;
    switch (width_) {
      case CodeWidth::k8:
        return visit(buffers_->keys, static_cast<const std::uint8_t*>(codes));
      case CodeWidth::k16:
        return visit(buffers_->keys, static_cast<const std::uint16_t*>(codes));
      case CodeWidth::k32:
        return visit(buffers_->keys, static_cast<const std::uint32_t*>(codes));
    }
  }
  // The memory of the n rows after a block of n rows: of labels, and of the first key.
  void look_beyond(std::size_t size, Ahead& labels, Ahead& keys) const {
    const auto n = static_cast<std::int64_t>(size);
    look_ahead(truth_at_.chunk(), truth_at_.at() + n, size, labels, 0);
    look_ahead(prediction_at_.chunk(), prediction_at_.at() + n, size, labels, 1);
    const Cursor& key = keys_.cursor();
    look_ahead(key.chunk(), key.at() + n, size, keys, 0);
  }

 private:
  void start(ClassReader& reader, const Cursor& at, const Column*& chunk) {
    if (chunk == &at.chunk()) return;
    chunk = &at.chunk();
    reader.start(*chunk, *plan_.set, row_ - at.at());
  }

  struct Buffers {
    alignas(64) std::uint16_t truth[kBlock];
    alignas(64) std::uint16_t prediction[kBlock];
    alignas(64) std::uint32_t codes[kBlock];
    alignas(64) std::uint32_t keys[kBlock];
  };

  const GroupPlan& plan_;
  std::int64_t row_;
  std::int64_t last_;
  CodeWidth width_;
  decltype(Kernels::combine8) combine_;
  Scratch scratch_;
  ClassReader truth_;
  ClassReader prediction_;
  Cursor truth_at_;
  Cursor prediction_at_;
  KeySlots keys_;
  const Column* truth_chunk_ = nullptr;
  const Column* prediction_chunk_ = nullptr;
  bool met_other_label_ = false;
  bool met_other_key_ = false;
  std::unique_ptr<Buffers> buffers_ = std::make_unique_for_overwrite<Buffers>();
};

}  // namespace confmat
