// Bodies of TextSource, inlined into the loops that read texts.
#pragma once

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

}  // namespace confmat
