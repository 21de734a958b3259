// How label values become classes 0 ... K - 1, with K for "another label" and K + 1 for null.
// The cheapest form that fits is used: a window of neighbouring integers, a window with a lookup
// table, or a hash table of integers or texts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "confmat/batch/class_width.hpp"
#include "confmat/batch/int_set.hpp"
#include "confmat/batch/labels.hpp"
#include "confmat/batch/text_set.hpp"

namespace confmat {

// Classes, "other" and "null" fit 16 bits, and 65 535 stays free as a mark.
inline constexpr std::int64_t kMostClasses = 65533;
// Of 32 bits: pairs of classes have codes below 2^62.
inline constexpr std::int64_t kMostWideClasses = (std::int64_t{1} << 31) - 1;

struct ClassSet {
  enum class Form : std::uint8_t {
    kWindow,  // value - base, for span == classes values
    kLookup,  // lookup[value - base], for span values
    kInts,    // ints.find(value)
    kTexts,   // texts.find(value)
  };

  Form form = Form::kWindow;
  std::uint32_t classes = 0;  // K; in a hash table that still grows: the room there is
  bool grows = false;         // labels may be added later
  std::int64_t base = 0;
  std::uint32_t span = 0;
  std::vector<std::uint16_t> lookup;  // span + 1 entries, the last one for values outside
  IntSet ints;
  TextSet texts;

  [[nodiscard]] std::uint32_t other() const noexcept { return classes; }
  [[nodiscard]] std::uint32_t null() const noexcept { return classes + 1; }
  [[nodiscard]] ClassWidth width() const noexcept {
    return classes <= 254 ? kClass8 : classes <= kMostClasses ? kClass16 : kClass32;
  }
  // How many labels there are. Needs: no window that grows, which knows no number.
  [[nodiscard]] std::uint32_t size() const noexcept {
    if (!grows) return classes;
    return form == Form::kTexts ? texts.size() : ints.size();
  }

  // Of a text, with its head_of(). Needs: kTexts.
  [[nodiscard]] std::uint32_t class_of(std::uint64_t head, const char* text,
                                       std::size_t length) const noexcept {
    const std::uint32_t number = texts.find(head, text, length);
    return number == TextSet::kAbsent ? other() : number;
  }
  // Whether a value of this class keeps it: what is "other" now may become a label later.
  [[nodiscard]] bool settled(std::uint32_t found) const noexcept {
    return found != other() || !grows;
  }
};

// The classes of a fixed, ordered label set.
// Throws InputError, which names `argument`: a label twice, a text above 64 KiB, more than `most`
// labels.
ClassSet fixed_classes(const Labels& labels, std::int64_t most = kMostClasses,
                       const char* argument = "labels");

// A hash table without a label yet, and room for kMostWideClasses.
ClassSet growing_classes(Labels::Kind kind);

}  // namespace confmat
