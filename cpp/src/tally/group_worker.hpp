// Counts the rows of one range into tables, one for each combination of the numbers of keys.
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

// Tables of 32-bit counters for every combination of the numbers of the keys.
struct GroupPlan {
  std::span<const GroupKey> keys;
  Chunks y_true;
  Chunks y_pred;
  const ClassSet* set;
  std::size_t tables = 1;
  std::size_t cells = 0;  // of one table
};

class GroupWorker {
 public:
  // 1: rows are counted; 2^32 - 1: what was counted before is taken back.
  enum class Step : std::uint32_t { kCount = 1, kTakeBack = UINT32_MAX };

  GroupWorker(const GroupPlan& plan, std::int64_t first, std::int64_t last)
      : plan_(plan),
        row_(first),
        last_(last),
        truth_("y_true", scratch_),
        prediction_("y_pred", scratch_),
        truth_at_(plan.y_true, first),
        prediction_at_(plan.y_pred, first),
        keys_(plan.keys, first, scratch_) {}

  // The row after the last one that was counted, also where run() threw.
  [[nodiscard]] std::int64_t row() const noexcept { return row_; }
  // Whether a row had a label that is none of the set, or the value of a key that is not known.
  [[nodiscard]] bool met_other_label() const noexcept { return met_other_label_; }
  [[nodiscard]] bool met_other_key() const noexcept { return met_other_key_; }

  // Counts rows up to the end of the range, at most `most` of them; false when none are left.
  bool run(std::int64_t most, std::uint32_t* tables, Step step = Step::kCount) {
    const ClassSet& set = *plan_.set;
    const CodeWidth width = code_width(set.classes);
    const auto combine = width == CodeWidth::k8    ? loops_.combine8
                         : width == CodeWidth::k16 ? loops_.combine16
                                                   : loops_.combine32;
    const std::int64_t end = std::min(last_, row_ + most);
    while (row_ < end) {
      const std::int64_t n = std::min({static_cast<std::int64_t>(kBlock), end - row_,
                                       truth_at_.left(), prediction_at_.left(), keys_.left()});
      const auto size = static_cast<std::size_t>(n);
      start(truth_, truth_at_, truth_chunk_);
      start(prediction_, prediction_at_, prediction_chunk_);
      met_other_label_ |= truth_.read(truth_at_.at(), size, set.width(), buffers_->truth);
      met_other_label_ |=
          prediction_.read(prediction_at_.at(), size, set.width(), buffers_->prediction);
      combine(buffers_->truth, buffers_->prediction, size, set.classes + 2, buffers_->codes);
      met_other_key_ |= keys_.read(size, buffers_->keys);
      count_block(width, size, tables, step);
      truth_at_.advance(n);
      prediction_at_.advance(n);
      keys_.advance(n);
      row_ += n;
    }
    return row_ < last_;
  }

 private:
  void count_block(CodeWidth width, std::size_t n, std::uint32_t* tables, Step step) noexcept {
    const auto next = static_cast<std::int64_t>(n);
    Ahead labels;
    Ahead keys;
    look_ahead(truth_at_.chunk(), truth_at_.at() + next, n, labels, 0);
    look_ahead(prediction_at_.chunk(), prediction_at_.at() + next, n, labels, 1);
    const Cursor& key = keys_.cursor();
    look_ahead(key.chunk(), key.at() + next, n, keys, 0);
    switch (width) {
      case CodeWidth::k8:
        return scatter<std::uint8_t>(n, labels, keys, tables, step);
      case CodeWidth::k16:
        return scatter<std::uint16_t>(n, labels, keys, tables, step);
      case CodeWidth::k32:
        return scatter<std::uint32_t>(n, labels, keys, tables, step);
    }
  }

  template <class Code>
  void scatter(std::size_t n, const Ahead& labels, const Ahead& keys, std::uint32_t* tables,
               Step step) const noexcept {
    const auto* codes = reinterpret_cast<const Code*>(buffers_->codes);
    const auto one = static_cast<std::uint32_t>(step);
    const std::size_t cells = plan_.cells;
    std::size_t i = 0;
    for (; i + 8 <= n; i += 8) {
      __builtin_prefetch(labels.at[0] + i * labels.width[0]);
      __builtin_prefetch(labels.at[1] + i * labels.width[1]);
      __builtin_prefetch(keys.at[0] + i * keys.width[0]);
      for (std::size_t k = i; k < i + 8; ++k) tables[buffers_->keys[k] * cells + codes[k]] += one;
    }
    for (; i < n; ++i) tables[buffers_->keys[i] * cells + codes[i]] += one;
  }

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
  const Kernels& loops_ = kernels();
  std::int64_t row_;
  std::int64_t last_;
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
