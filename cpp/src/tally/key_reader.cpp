// Dictionary keys: every entry of the dictionary is looked up once a chunk, then keys cost one
// table look-up each.
#include <algorithm>
#include <cstring>
#include <string>

#include "confmat/batch/number_dispatch.hpp"
#include "confmat/tally/int_reader.hpp"
#include "confmat/tally/text_reader.hpp"

namespace confmat {
namespace {

// A dictionary much longer than its chunk is not worth a table of its own.
bool deserves_table(const Column& chunk) noexcept {
  return chunk.dictionary->length <= 4096 || chunk.dictionary->length / 4 <= chunk.length;
}

// The class of each key; those beyond the dictionary, and negative ones, get the last entry.
template <class Key, class Class>
void look_up(const std::byte* keys, std::size_t n, const std::uint32_t* class_of_key,
             std::uint64_t size, Class* classes) noexcept {
  for (std::size_t i = 0; i < n; ++i) {
    Key key;
    std::memcpy(&key, keys + i * sizeof(Key), sizeof key);
    const auto index = static_cast<std::uint64_t>(static_cast<std::int64_t>(key));
    classes[i] = static_cast<Class>(class_of_key[index < size ? index : size]);
  }
}

}  // namespace

void KeyReader::start(const Column& chunk, const ClassSet& set, const Place& place) {
  chunk_ = &chunk;
  set_ = &set;
  place_ = place;
  texts_ = TextSource(*chunk.dictionary, {place.argument, 0, "dictionary entry"});
  class_of_key_.clear();
  if (!deserves_table(chunk)) return;
  const auto size = static_cast<std::size_t>(chunk.dictionary->length);
  class_of_key_.assign(size + 1, kUnseen);
  close_ = set.width() == kClass8;
  low_ = 0;
  high_ = -1;
}

template <class Class>
bool KeyReader::translate(const Run& keys, std::size_t n, Class* classes) const {
  if (sizeof(Class) == 1 && close_ && low_ <= high_) {
    kernels_.classify[kClass8][static_cast<std::size_t>(keys.type)](keys.values, n, window_,
                                                                    classes);
    kernels_.translate8(byte_of_key_.data(), static_cast<std::size_t>(high_ - low_) + 2, n,
                        classes);
  } else {
    with_int_type(keys.type, [&](auto like) {
      look_up<decltype(like)>(keys.values, n, class_of_key_.data(), class_of_key_.size() - 1,
                              classes);
    });
  }
  return kernels_.contains[kWidthOf<Class>](classes, n, static_cast<Class>(kUnseen));
}

std::int64_t dictionary_key(const Column& column, std::int64_t at, const Place& place) {
  const std::uint64_t bits = fixed_bits(column, at);
  if (bits >= static_cast<std::uint64_t>(column.dictionary->length)) {
    const bool is_signed = column.key_type <= DType::kInt64;
    place.fail(
        "key " +
            (is_signed ? std::to_string(static_cast<std::int64_t>(bits)) : std::to_string(bits)),
        at,
        "is not in its dictionary of " + std::to_string(column.dictionary->length) + " entries");
  }
  return static_cast<std::int64_t>(bits);
}

std::uint32_t KeyReader::class_of(std::int64_t at) {
  if (!chunk_->valid(at)) return set_->null();
  const std::int64_t entry = dictionary_key(*chunk_, at, place_);
  const bool remembers = !class_of_key_.empty();
  if (remembers) {
    const std::uint32_t known = class_of_key_[static_cast<std::size_t>(entry)];
    if (known != kUnseen) return known;
  }
  std::uint32_t found = set_->null();
  if (texts_.column().valid(entry)) {
    const TextSource::Text text = texts_[entry];
    found = set_->class_of(text.head, text.data, text.length);
  }
  if (remembers && set_->settled(found)) keep(entry, found);
  return found;
}

void KeyReader::keep(std::int64_t entry, std::uint32_t found) {
  class_of_key_[static_cast<std::size_t>(entry)] = found;
  if (!close_) return;
  const bool first = low_ > high_;
  low_ = first ? entry : std::min(low_, entry);
  high_ = first ? entry : std::max(high_, entry);
  const std::int64_t span = high_ - low_ + 1;
  const auto other = static_cast<std::uint32_t>(span);
  close_ = span <= 255 && window_of(chunk_->key_type, low_, other, other, window_);
  if (!close_) return;
  byte_of_key_.fill(static_cast<std::uint8_t>(kUnseen));
  for (std::int64_t i = 0; i < span; ++i) {
    byte_of_key_[static_cast<std::size_t>(i)] =
        static_cast<std::uint8_t>(class_of_key_[static_cast<std::size_t>(low_ + i)]);
  }
}

template <class Class>
void KeyReader::fill(std::int64_t at, std::size_t n, Class* classes) {
  if (class_of_key_.empty()) {
    for (std::size_t i = 0; i < n; ++i) {
      classes[i] = static_cast<Class>(class_of(at + static_cast<std::int64_t>(i)));
    }
    return;
  }
  const Run keys = gather(*chunk_, at, n, scratch_);
  const bool unseen = translate(keys, n, classes);
  const bool nulls = any_null(*chunk_, at, n);
  if (!unseen && !nulls) return;
  for (std::size_t i = 0; i < n; ++i) {
    const std::int64_t row = at + static_cast<std::int64_t>(i);
    if (nulls && !chunk_->valid(row)) {
      classes[i] = static_cast<Class>(set_->null());
    } else if (unseen && classes[i] == static_cast<Class>(kUnseen)) {
      classes[i] = static_cast<Class>(class_of(row));
    }
  }
}

void KeyReader::read(std::int64_t at, std::size_t n, ClassWidth width, void* classes) {
  with_width(width, classes, [&](auto* out) { fill(at, n, out); });
}

std::string_view KeyReader::label(std::int64_t at) const {
  return texts_.label(dictionary_key(*chunk_, at, place_));
}

}  // namespace confmat
