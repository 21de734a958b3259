// Bodies of TextSource, inlined into the loops that read texts.
#pragma once

#include <algorithm>
#include <cstring>

#include "confmat/tally/text_reader.hpp"

namespace confmat {

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

// The text and, in the last byte, its length: of 15 bytes at most.
template <class Offset>
inline TextKey TextSource::sliced_key(std::int64_t i) const noexcept {
  constexpr std::int64_t kRead = 16;
  if (end_ < kRead || texts_->bytes == nullptr) return kNoKey;
  Offset offsets[2];
  std::memcpy(offsets, texts_->data + i * static_cast<std::int64_t>(sizeof(Offset)),
              sizeof offsets);
  const auto begin = static_cast<std::int64_t>(offsets[0]);
  // What descends becomes huge.
  const auto length = static_cast<std::uint64_t>(offsets[1]) - static_cast<std::uint64_t>(begin);
  const bool fits = length < kRead && begin >= 0 && begin <= end_ - kRead;
  TextKey key;
  std::memcpy(&key, texts_->bytes + (fits ? begin : 0), sizeof key);
  const std::uint64_t bits = 8 * (fits ? length : 0);
  const auto lowest = [](std::uint64_t n) {
    return n < 64 ? (std::uint64_t{1} << n) - 1 : ~std::uint64_t{0};
  };
  key.first &= lowest(bits);
  key.second &= lowest(bits > 64 ? bits - 64 : 0);
  key.second |= fits ? length << 56U : kNoKey.second;
  return key;
}

template <TextLayout kLayout>
inline TextKey TextSource::key(std::int64_t i) const noexcept {
  if constexpr (kLayout == TextLayout::kOffsets64) {
    return sliced_key<std::int64_t>(i);
  } else if constexpr (kLayout == TextLayout::kOffsets32) {
    return sliced_key<std::int32_t>(i);
  } else {
    TextKey key;
    std::memcpy(&key, texts_->data + i * 16, sizeof key);
    return key;
  }
}

template <TextLayout kLayout>
inline TextSource::Text TextSource::at(std::int64_t i) const {
  if constexpr (kLayout == TextLayout::kView) {
    return view(i);
  } else if constexpr (kLayout == TextLayout::kOffsets64) {
    return slice<std::int64_t>(i);
  } else {
    return slice<std::int32_t>(i);
  }
}

inline constexpr std::int64_t kEarlyBytes = 2048;

template <TextLayout kLayout>
inline const void* TextSource::early_key(std::int64_t i) const noexcept {
  constexpr std::int64_t kWidth = kLayout == TextLayout::kView        ? 16
                                  : kLayout == TextLayout::kOffsets64 ? 8
                                                                      : 4;
  return texts_->data + std::min(i + kEarlyBytes / kWidth, texts_->length - 1) * kWidth;
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
  if constexpr (kLayout == TextLayout::kOffsets64) {
    return early_slice<std::int64_t>(i);
  } else if constexpr (kLayout == TextLayout::kOffsets32) {
    return early_slice<std::int32_t>(i);
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
