// Bodies of TextSource, inlined into the loops that read texts.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>

#include "confmat/tally/text_reader.hpp"

namespace confmat {

template <TextLayout kLayout>
using OffsetOf = std::conditional_t<kLayout == TextLayout::kOffsets64, std::int64_t, std::int32_t>;

template <class Offset>
inline TextSource::Text TextSource::slice(std::int64_t i) const {
  Offset offsets[2];
  std::memcpy(offsets, texts_->data + i * static_cast<std::int64_t>(sizeof(Offset)),
              sizeof offsets);
  const auto begin = static_cast<std::int64_t>(offsets[0]);
  const auto end = static_cast<std::int64_t>(offsets[1]);
  if (begin < 0 || end < begin || end > end_) fail(i, -1);
  const auto length = static_cast<std::size_t>(end - begin);
  if (length > kLongestLabel) fail(i, end - begin);
  const char* data = texts_->bytes + begin;
  return {data, length, head_of(data, length, static_cast<std::size_t>(end_ - begin))};
}

inline TextSource::Text TextSource::view(std::int64_t i) const {
  const std::byte* at = texts_->data + i * 16;
  std::int32_t words[4];  // length, prefix, buffer, offset
  std::memcpy(words, at, sizeof words);
  const auto length = static_cast<std::size_t>(words[0]);
  if (words[0] < 0 || length > kLongestLabel) fail(i, words[0]);
  if (length <= 12) {
    const char* data = reinterpret_cast<const char*>(at) + 4;
    return {data, length, head_of(data, length, 12)};
  }
  const char* data = texts_->viewed(words[2], words[3], length);
  if (data == nullptr) fail(i, -1);
  return {data, length, head_of(data, length, length)};
}

inline constexpr std::int64_t kKeyBytes = 16;  // read for a key, which holds 15 of a text

// The text and, in the last byte, its length, of kWords words of text.
template <int kWords>
TextKey key_of(const char* text, std::uint64_t length) noexcept {
  // The words that leave `length` bytes of a text begin kKeyBytes - `length` before the end.
  alignas(2 * kKeyBytes) static constexpr auto kOnes = [] {
    std::array<std::uint8_t, 2 * kKeyBytes> bytes{};
    std::fill_n(bytes.begin(), kKeyBytes, std::uint8_t{255});
    return bytes;
  }();
  const auto word = [&](int at) {
    const std::uint64_t ones =
        word_at(reinterpret_cast<const char*>(kOnes.data()) + kKeyBytes - length + 8 * at);
    return word_at(text + 8 * at) & ones;
  };
  return {word(0), (kWords > 1 ? word(1) : 0) | length << 56U};
}

template <class Offset>
inline TextKey TextSource::sliced_key(std::int64_t i) const noexcept {
  if (end_ < kKeyBytes || texts_->bytes == nullptr) return kNoKey;
  Offset offsets[2];
  std::memcpy(offsets, texts_->data + i * static_cast<std::int64_t>(sizeof(Offset)),
              sizeof offsets);
  const auto begin = static_cast<std::int64_t>(offsets[0]);
  // What descends becomes huge.
  const auto length = static_cast<std::uint64_t>(offsets[1]) - static_cast<std::uint64_t>(begin);
  const bool fits = length < kKeyBytes && begin >= 0 && begin <= end_ - kKeyBytes;
  return fits ? key_of<2>(texts_->bytes + begin, length) : kNoKey;
}

template <class Offset>
inline std::uint64_t TextSource::longest(std::int64_t at, std::size_t n) const noexcept {
  const std::byte* offsets = texts_->data + at * static_cast<std::int64_t>(sizeof(Offset));
  using Length = std::make_unsigned_t<Offset>;
  const auto offset = [&](std::size_t i) {
    Offset here;
    std::memcpy(&here, offsets + i * sizeof here, sizeof here);
    return here;
  };
  Length any = 0;  // what descends becomes huge
  for (std::size_t i = 0; i < n; ++i) {
    any |= static_cast<Length>(offset(i + 1)) - static_cast<Length>(offset(i));
  }
  const bool within = texts_->bytes != nullptr && offset(0) >= 0 && offset(n) >= offset(0) &&
                      static_cast<std::int64_t>(offset(n)) <= end_ - kKeyBytes;
  return within ? any : UINT64_MAX;
}

template <class Offset, int kWords>
inline TextKey TextSource::short_key(std::int64_t i) const noexcept {
  Offset offsets[2];
  std::memcpy(offsets, texts_->data + i * static_cast<std::int64_t>(sizeof(Offset)),
              sizeof offsets);
  return key_of<kWords>(texts_->bytes + offsets[0],
                        static_cast<std::uint64_t>(offsets[1] - offsets[0]));
}

template <TextLayout kLayout>
inline TextKey TextSource::key(std::int64_t i) const noexcept {
  if constexpr (kLayout == TextLayout::kView) {
    TextKey key;
    std::memcpy(&key, texts_->data + i * 16, sizeof key);
    return key;
  } else {
    return sliced_key<OffsetOf<kLayout>>(i);
  }
}

template <TextLayout kLayout>
inline TextSource::Text TextSource::at(std::int64_t i) const {
  if constexpr (kLayout == TextLayout::kView) {
    return view(i);
  } else {
    return slice<OffsetOf<kLayout>>(i);
  }
}

template <TextLayout kLayout>
inline constexpr std::int64_t kRowWidth = kLayout == TextLayout::kView        ? 16
                                          : kLayout == TextLayout::kOffsets64 ? 8
                                                                              : 4;

template <TextLayout kLayout>
inline const std::byte* TextSource::row_at(std::int64_t i) const noexcept {
  return texts_->data + i * kRowWidth<kLayout>;
}

inline constexpr std::int64_t kEarlyBytes = 2048;

template <TextLayout kLayout>
inline const void* TextSource::early_key(std::int64_t i) const noexcept {
  return row_at<kLayout>(std::min(i + kEarlyBytes / kRowWidth<kLayout>, texts_->length - 1));
}

template <class Offset>
inline const void* TextSource::early_slice(std::int64_t i) const noexcept {
  if (end_ <= kEarlyBytes || texts_->bytes == nullptr) return nullptr;
  Offset begin;
  std::memcpy(&begin, texts_->data + i * static_cast<std::int64_t>(sizeof begin), sizeof begin);
  if (begin < 0 || static_cast<std::int64_t>(begin) >= end_ - kEarlyBytes) return nullptr;
  return texts_->bytes + static_cast<std::int64_t>(begin) + kEarlyBytes;
}

template <TextLayout kLayout>
inline const void* TextSource::early_text(std::int64_t i) const noexcept {
  if constexpr (kLayout != TextLayout::kView) {
    return early_slice<OffsetOf<kLayout>>(i);
  } else {
    constexpr std::int64_t kEarlyRows = 32;
    if (i + kEarlyRows >= texts_->length) return nullptr;
    std::int32_t words[4];
    std::memcpy(words, texts_->data + (i + kEarlyRows) * 16, sizeof words);
    if (words[0] <= 12) return nullptr;
    return texts_->viewed(words[2], words[3], static_cast<std::size_t>(words[0]));
  }
}

}  // namespace confmat
