// Texts numbered in the order they were added: an open-addressing hash table whose slots carry the
// first eight bytes, so short texts are compared without touching the stored copy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace confmat {

inline constexpr std::size_t kLongestLabel = 65536;  // bytes

// A text of fewer than eight bytes, zero-filled. By loads that may overlap: bytes written one after
// the other would have to reach memory before they could be read as one number.
inline std::uint64_t short_head(const char* text, std::size_t length) noexcept {
  if (length >= 4) {
    std::uint32_t low, high;
    std::memcpy(&low, text, 4);
    std::memcpy(&high, text + length - 4, 4);
    return low | std::uint64_t{high} << (8 * (length - 4));
  }
  if (length == 0) return 0;
  const auto byte = [&](std::size_t at) {
    return std::uint64_t{static_cast<unsigned char>(text[at])} << (8 * at);
  };
  return byte(0) | byte(length / 2) | byte(length - 1);
}

// The first bytes of a text, zero-filled to eight. `readable` is how many bytes may be read there.
inline std::uint64_t head_of(const char* text, std::size_t length, std::size_t readable) noexcept {
  if (readable < 8) return short_head(text, length);
  std::uint64_t head;
  std::memcpy(&head, text, 8);
  if (length >= 8) return head;
  // Little-endian: the text is in the low bytes; `length` 0 leaves nothing.
  return length == 0 ? 0 : head & (~std::uint64_t{0} >> (64 - 8 * length));
}

inline std::uint64_t word_at(const char* text) noexcept {
  std::uint64_t word;
  std::memcpy(&word, text, sizeof word);
  return word;
}

// Whether texts of more than eight bytes, the first eight equal, are equal: labels are too short
// for a call to pay.
inline bool same_after_head(const char* a, const char* b, std::size_t length) noexcept {
  const auto differ = [&](std::size_t at) { return word_at(a + at) ^ word_at(b + at); };
  std::uint64_t any = differ(length - 8);
  if (length <= 16) return any == 0;
  any |= differ(8) | differ(length - 16);
  for (std::size_t at = 16; at + 16 < length; at += 8) any |= differ(at);
  return any == 0;
}

class TextSet {
 public:
  static constexpr std::uint32_t kAbsent = UINT32_MAX;

  TextSet() : slots_(64) {}

  // `head` as given by head_of.
  [[nodiscard]] std::uint32_t find(std::uint64_t head, const char* text,
                                   std::size_t length) const noexcept {
    if (length > 8) return find_long(head, text, length);
    for (std::size_t at = home_of_short(head, length);; at = next(at)) {
      const Slot& slot = slots_[at];
      if (slot.number == kAbsent || (slot.head == head && slot.length == length)) {
        return slot.number;
      }
    }
  }

  [[nodiscard]] std::uint32_t find(std::string_view text) const noexcept {
    return find(head_of(text.data(), text.size(), text.size()), text.data(), text.size());
  }

  // The number of the text, a new one if it is absent. Needs: at most kLongestLabel bytes.
  std::uint32_t add(std::string_view text) {
    const std::uint32_t known = find(text);
    if (known != kAbsent) return known;
    if ((texts_.size() + 1) * 2 > slots_.size()) grow();
    texts_.emplace_back(text);
    const auto number = static_cast<std::uint32_t>(texts_.size() - 1);
    put(number);
    return number;
  }

  [[nodiscard]] const std::vector<std::string>& texts() const noexcept { return texts_; }
  [[nodiscard]] std::uint32_t size() const noexcept {
    return static_cast<std::uint32_t>(texts_.size());
  }

 private:
  struct Slot {
    std::uint64_t head = 0;
    std::uint32_t length = 0;
    std::uint32_t number = kAbsent;
  };

  // Apart, so that short ones need few registers.
  [[nodiscard, gnu::noinline]] std::uint32_t find_long(std::uint64_t head, const char* text,
                                                       std::size_t length) const noexcept {
    for (std::size_t at = home(head, text, length);; at = next(at)) {
      const Slot& slot = slots_[at];
      if (slot.number == kAbsent) return kAbsent;
      if (slot.head == head && slot.length == length &&
          same_after_head(texts_[slot.number].data(), text, length)) {
        return slot.number;
      }
    }
  }

  [[nodiscard]] std::size_t next(std::size_t at) const noexcept {
    return (at + 1) & (slots_.size() - 1);
  }

  [[nodiscard]] std::size_t home_of_short(std::uint64_t head, std::size_t length) const noexcept {
    return static_cast<std::size_t>(((head + length) * kMix[0]) >> shift_);
  }

  [[nodiscard]] std::size_t home(std::uint64_t head, const char* text,
                                 std::size_t length) const noexcept {
    if (length <= 8) return home_of_short(head, length);
    // Words from both ends, which may overlap: all bytes of 32 at most.
    std::uint64_t mixed = fold(head ^ kMix[0], (word_at(text + length - 8) ^ kMix[1]) + length);
    if (length > 16) {
      mixed ^= fold(word_at(text + 8) ^ kMix[2], word_at(text + length - 16) ^ kMix[3]);
      for (std::size_t at = 16; at + 16 < length; at += 8) {
        mixed = fold(mixed ^ word_at(text + at), kMix[1]);
      }
    }
    return static_cast<std::size_t>(mixed >> shift_);
  }

  static constexpr std::uint64_t kMix[4] = {0x9E3779B97F4A7C15U, 0xBF58476D1CE4E5B9U,
                                            0x94D049BB133111EBU, 0xD6E8FEB86659FD93U};

  // Every bit depends on all bits of both.
  static std::uint64_t fold(std::uint64_t a, std::uint64_t b) noexcept {
    __extension__ using Wide = unsigned __int128;
    const Wide product = Wide{a} * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64U);
  }

  void put(std::uint32_t number) noexcept {
    const std::string& text = texts_[number];
    const std::uint64_t head = head_of(text.data(), text.size(), text.size());
    std::size_t at = home(head, text.data(), text.size());
    while (slots_[at].number != kAbsent) at = next(at);
    slots_[at] = {head, static_cast<std::uint32_t>(text.size()), number};
  }

  void grow() {
    slots_.assign(slots_.size() * 2, Slot{});
    --shift_;
    for (std::size_t i = 0; i < texts_.size(); ++i) put(static_cast<std::uint32_t>(i));
  }

  std::vector<Slot> slots_;
  unsigned shift_ = 64 - 6;
  std::vector<std::string> texts_;
};

}  // namespace confmat
