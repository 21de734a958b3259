// Dictionary keys: every entry of the dictionary is looked up once a chunk, then keys cost one
// table look-up each.
#include <cstring>
#include <string>

#include "confmat/batch/int_dispatch.hpp"
#include "confmat/tally/int_reader.hpp"
#include "confmat/tally/text_reader.hpp"

namespace confmat {
namespace {

// A dictionary much longer than its chunk is not worth a table of its own.
bool deserves_table(const Column& chunk) noexcept {
  return chunk.dictionary->length <= 4096 || chunk.dictionary->length / 4 <= chunk.length;
}

// The class of each key of a dictionary beyond 16 bits; keys beyond it get the last entry.
template <class Key, class Class>
void look_up_wide(const std::byte* keys, std::size_t n,
                  const std::vector<std::uint16_t>& class_of_key, Class* classes) noexcept {
  const std::uint64_t size = class_of_key.size() - 1;
  for (std::size_t i = 0; i < n; ++i) {
    Key key;
    std::memcpy(&key, keys + i * sizeof(Key), sizeof key);
    // Negative keys become huge.
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
  if (deserves_table(chunk)) {
    class_of_key_.assign(static_cast<std::size_t>(chunk.dictionary->length) + 1, kUnseen);
  }
  const std::int64_t size = chunk.dictionary->length;
  narrow_ = size < 65535 && window_of(chunk.key_type, 0, static_cast<std::uint32_t>(size),
                                      static_cast<std::uint32_t>(size), window_);
  if (narrow_ && offsets_ == nullptr) {
    offsets_ = std::make_unique_for_overwrite<std::uint16_t[]>(kBlock);
  }
}

// False: every key has a class already.
template <class Class>
bool KeyReader::translate(const Run& keys, std::size_t n, Class* classes) const {
  const std::uint16_t* class_of_key = class_of_key_.data();
  if (narrow_) {
    std::uint16_t* offsets = offsets_.get();
    kernels_.classify[kClass16][static_cast<std::size_t>(keys.type)](keys.values, n, window_,
                                                                     offsets);
    for (std::size_t i = 0; i < n; ++i) classes[i] = static_cast<Class>(class_of_key[offsets[i]]);
  } else {
    with_int_type(keys.type, [&](auto like) {
      look_up_wide<decltype(like)>(keys.values, n, class_of_key_, classes);
    });
  }
  return kernels_.contains[sizeof(Class) == 1 ? kClass8 : kClass16](classes, n,
                                                                    static_cast<Class>(kUnseen));
}

std::int64_t KeyReader::key(std::int64_t at) const {
  const std::uint64_t bits = fixed_bits(*chunk_, at);
  if (bits >= static_cast<std::uint64_t>(chunk_->dictionary->length)) {
    const bool is_signed = chunk_->key_type <= DType::kInt64;
    place_.fail(
        "key " +
            (is_signed ? std::to_string(static_cast<std::int64_t>(bits)) : std::to_string(bits)),
        at,
        "is not in its dictionary of " + std::to_string(chunk_->dictionary->length) + " entries");
  }
  return static_cast<std::int64_t>(bits);
}

std::uint16_t KeyReader::class_of(std::int64_t at) {
  if (!chunk_->valid(at)) return static_cast<std::uint16_t>(set_->null());
  const std::int64_t entry = key(at);
  const bool has_table = !class_of_key_.empty();
  auto result = static_cast<std::uint16_t>(set_->null());
  bool settled = true;
  if (texts_.column().valid(entry)) {
    const TextSource::Text text = texts_[entry];
    const std::uint32_t number = set_->texts.find(text.head, text.data, text.length);
    settled = number != TextSet::kAbsent || !set_->grows;
    result = static_cast<std::uint16_t>(number == TextSet::kAbsent ? set_->other() : number);
  }
  if (has_table && settled) class_of_key_[static_cast<std::size_t>(entry)] = result;
  return result;
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

void KeyReader::read(std::int64_t at, std::size_t n, bool wide, void* classes) {
  if (wide) {
    fill(at, n, static_cast<std::uint16_t*>(classes));
  } else {
    fill(at, n, static_cast<std::uint8_t*>(classes));
  }
}

std::string_view KeyReader::label(std::int64_t at) const { return texts_.label(key(at)); }

}  // namespace confmat
