// One column of a pair on one thread, block by block, as classes of a set that may grow.
#pragma once

#include <algorithm>
#include <cstdint>

#include "confmat/tally/class_reader.hpp"

namespace confmat {

inline constexpr std::int64_t kPairStep = 1024;  // rows of a block, at most

// The classes of one column, block by block; one row stands for all where the other has more.
class PairSide {
 public:
  explicit PairSide(const char* argument) : reader_(argument, scratch_) {}
  // The reader holds the address of the scratch memory.
  PairSide(const PairSide&) = delete;
  PairSide& operator=(const PairSide&) = delete;

  void start(const Column& column, const ClassSet& set, std::int64_t first_row) {
    column_ = &column;
    reader_.start(column, set, first_row);
  }
  // Whether one of the classes is "other".
  bool read(std::int64_t at, std::size_t n, ClassWidth width) {
    if (column_->length != 1) return reader_.read(at, n, width, classes);
    const bool other = reader_.read(0, 1, width, classes);
    fill_classes(class_at(0, width), n, width, classes);
    return other;
  }
  [[nodiscard]] bool has_null(std::int64_t at, std::size_t n) const noexcept {
    const bool one = column_->length == 1;
    return column_->type == DType::kNull || any_null(*column_, one ? 0 : at, one ? 1 : n);
  }
  [[nodiscard]] std::uint32_t class_at(std::size_t i, ClassWidth width) const noexcept {
    return confmat::class_at(classes, i, width);
  }
  // Adds the labels of the block that the set lacks; false where it has no room for all.
  bool learn(std::int64_t at, std::size_t n, ClassSet& set) {
    const bool one = column_->length == 1;
    for (std::size_t i = 0; i < (one ? 1 : n); ++i) {
      if (class_at(i, set.width()) != set.other()) continue;
      const std::int64_t row = one ? 0 : at + static_cast<std::int64_t>(i);
      if (set.form == ClassSet::Form::kTexts) {
        const std::string_view label = reader_.text_label(row);
        if (set.texts.find(label) != TextSet::kAbsent) continue;
        if (set.texts.size() == set.classes) return false;
        set.texts.add(label);
      } else {
        const std::int64_t label = reader_.int_label(row);
        if (set.ints.find(label) != IntSet::kAbsent) continue;
        if (set.ints.size() == set.classes) return false;
        set.ints.add(label);
      }
    }
    return true;
  }

  alignas(64) std::uint16_t classes[kPairStep];  // 8 or 16 bits

 private:
  Scratch scratch_;
  ClassReader reader_;
  const Column* column_ = nullptr;
};

}  // namespace confmat
