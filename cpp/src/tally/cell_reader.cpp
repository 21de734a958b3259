// Looks up texts of one width as they lie.
#include "confmat/tally/cell_reader.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

#include "confmat/base/utf8.hpp"

namespace confmat {
namespace {

// Further texts are looked up each time.
constexpr std::size_t kMostKept = 65536;
constexpr std::uint64_t kSpread = 0x9E3779B97F4A7C15U;

template <class Bits>
Bits load(const std::byte* at) noexcept {
  Bits bits;
  std::memcpy(&bits, at, sizeof bits);
  return bits;
}

// Cells of up to eight bytes are their own mark. Width 0: any.
template <std::size_t kWidth>
constexpr bool kIsMark = kWidth > 0 && kWidth <= 8;

// By loads that wait for no store.
template <std::size_t kWidth>
std::uint64_t bits_of(const std::byte* cell) noexcept {
  if constexpr (kWidth == 8) return load<std::uint64_t>(cell);
  using Part = std::conditional_t<(kWidth < 4), std::uint8_t, std::uint32_t>;
  constexpr std::size_t kMiddle = kWidth < 4 ? kWidth / 2 : 0, kLast = kWidth - sizeof(Part);
  const auto part = [cell](std::size_t at) {
    return std::uint64_t{load<Part>(cell + at)} << (8 * at);
  };
  return part(0) | part(kMiddle) | part(kLast);
}

template <std::size_t kWidth>
std::uint64_t mark_of(const std::byte* cell, std::size_t width) noexcept {
  if constexpr (kIsMark<kWidth>) return bits_of<kWidth>(cell);
  const std::size_t size = kWidth == 0 ? width : kWidth;
  std::uint64_t even = 0;  // two sums, so that neither waits for the other
  std::uint64_t odd = kSpread;
  std::size_t at = 0;
  for (; at + 16 <= size; at += 16) {
    even = (even ^ (even >> 32U) ^ load<std::uint64_t>(cell + at)) * kSpread;
    odd = (odd ^ (odd >> 32U) ^ load<std::uint64_t>(cell + at + 8)) * 0xBF58476D1CE4E5B9U;
  }
  if (at + 8 <= size) {
    even = (even ^ (even >> 32U) ^ load<std::uint64_t>(cell + at)) * kSpread;
    at += 8;
  }
  std::uint64_t rest = 0;
  if (at + 4 <= size) {
    rest = load<std::uint32_t>(cell + at);
    at += 4;
  }
  for (; at < size; ++at) rest = rest << 8U | static_cast<std::uint64_t>(cell[at]);
  odd = (odd ^ (odd >> 32U) ^ rest) * 0xBF58476D1CE4E5B9U;
  return even ^ (odd >> 29U) ^ odd;
}

template <std::size_t kWidth>
bool same(const std::byte* one, const std::byte* other, std::size_t width) noexcept {
  if constexpr (kIsMark<kWidth>) return true;  // as their marks are
  return std::memcmp(one, other, kWidth == 0 ? width : kWidth) == 0;
}

}  // namespace

void CellReader::start(const Column& chunk, const ClassSet& set, const Place& place) {
  chunk_ = &chunk;
  set_ = &set;
  place_ = place;
  slots_.assign(256, Slot{});
  shift_ = 64 - 8;
  kept_ = 0;
}

std::size_t CellReader::home(std::uint64_t mark) const noexcept {
  const std::uint64_t mixed = mark * kSpread;  // by its lower bits alone, below
  return static_cast<std::size_t>(((mixed ^ (mixed >> 32U)) * kSpread) >> shift_);
}

void CellReader::keep(const Slot& slot) {
  std::size_t at = home(slot.mark);
  while (slots_[at].cell != nullptr) at = (at + 1) & (slots_.size() - 1);
  slots_[at] = slot;
}

void CellReader::read_utf8(std::int64_t at) const {
  text_.assign(reinterpret_cast<const char*>(chunk_->data + at * chunk_->stride), chunk_->cell);
  text_.resize(text_.find_last_not_of('\0') + 1);
  if (text_.size() > kLongestLabel) return;
  if (!is_utf8(text_))
    place_.fail("the text", at,
                "is not UTF-8: " + printable(std::string_view(text_).substr(0, kShownBytes)));
}

void CellReader::read_utf32(std::int64_t at) const {
  const std::byte* cell = chunk_->data + at * chunk_->stride;
  std::size_t size = chunk_->cell;
  while (size > 0 && load<std::uint32_t>(cell + size - 4) == 0) size -= 4;
  text_.clear();
  for (std::size_t i = 0; i < size; i += 4) {
    const auto bits = load<std::uint32_t>(cell + i);
    const std::uint32_t point = chunk_->swapped ? __builtin_bswap32(bits) : bits;
    if (!append_utf8(point, text_)) {
      place_.fail("the text", at,
                  "is not Unicode: its character " + std::to_string(i / 4) + " is " +
                      std::to_string(point));
    }
  }
}

std::string_view CellReader::label(std::int64_t at) const {
  if (chunk_->utf8) {
    read_utf8(at);
  } else {
    read_utf32(at);
  }
  if (text_.size() > kLongestLabel) {
    place_.fail("the label", at,
                "has " + std::to_string(text_.size()) + " bytes; the limit is 64 KiB");
  }
  return text_;
}

// The class of a cell that is not kept yet.
std::uint32_t CellReader::look_up(std::int64_t at, std::uint64_t mark) {
  const std::string_view text = label(at);
  const std::uint32_t found =
      set_->class_of(head_of(text.data(), text.size(), text.size()), text.data(), text.size());
  if (!set_->settled(found) || kept_ == kMostKept) return found;
  if ((kept_ + 1) * 4 > slots_.size()) {
    std::vector<Slot> before(slots_.size() * 2);
    std::swap(before, slots_);
    --shift_;
    for (const Slot& slot : before) {
      if (slot.cell != nullptr) keep(slot);
    }
  }
  keep({mark, chunk_->data + at * chunk_->stride, found});
  ++kept_;
  return found;
}

template <std::size_t kWidth, class Class>
void CellReader::fill(std::int64_t at, std::size_t n, Class* classes) {
  const std::size_t width = chunk_->cell;
  const std::byte* cell = chunk_->data + at * chunk_->stride;
  const std::int64_t stride = chunk_->stride;
  for (std::size_t i = 0; i < n; ++i) {
    const std::byte* const here = cell + static_cast<std::int64_t>(i) * stride;
    const std::uint64_t mark = mark_of<kWidth>(here, width);
    for (std::size_t home_at = home(mark);; home_at = (home_at + 1) & (slots_.size() - 1)) {
      const Slot& slot = slots_[home_at];
      if (slot.cell == nullptr) {
        classes[i] = static_cast<Class>(look_up(at + static_cast<std::int64_t>(i), mark));
        break;
      }
      if (slot.mark == mark && same<kWidth>(slot.cell, here, width)) {
        classes[i] = static_cast<Class>(slot.number);
        break;
      }
    }
  }
}

void CellReader::read(std::int64_t at, std::size_t n, ClassWidth width, void* classes) {
  with_width(width, classes, [&](auto* out) {
    switch (chunk_->cell) {
      case 1:
        return fill<1>(at, n, out);
      case 2:
        return fill<2>(at, n, out);
      case 3:
        return fill<3>(at, n, out);
      case 4:
        return fill<4>(at, n, out);
      case 5:
        return fill<5>(at, n, out);
      case 6:
        return fill<6>(at, n, out);
      case 7:
        return fill<7>(at, n, out);
      case 8:
        return fill<8>(at, n, out);
      case 12:
        return fill<12>(at, n, out);
      case 16:
        return fill<16>(at, n, out);
      default:
        return fill<0>(at, n, out);
    }
  });
}

}  // namespace confmat
