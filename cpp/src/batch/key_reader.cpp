// Dictionary keys: every entry of the dictionary is looked up once a chunk, then keys cost one
// table look-up each.
#include <cstring>
#include <string>

#include "confmat/batch/int_dispatch.hpp"
#include "confmat/batch/text_reader.hpp"

namespace confmat {
namespace {

// A dictionary much longer than its chunk is not worth a table of its own.
bool deserves_table(const Column& chunk) noexcept {
  return chunk.dictionary->length <= 4096 || chunk.dictionary->length / 4 <= chunk.length;
}

// Copies the class of each key; returns whether some key has none yet.
template <class Key, class Class>
bool translate(const std::byte* keys, std::size_t n, const std::uint16_t* class_of_key,
               std::uint64_t size, Class* classes) noexcept {
  unsigned most = 0;
  for (std::size_t i = 0; i < n; ++i) {
    Key key;
    std::memcpy(&key, keys + i * sizeof(Key), sizeof key);
    const auto index = static_cast<std::uint64_t>(key);  // negative keys become huge
    const std::uint16_t found = class_of_key[index < size ? index : size];
    classes[i] = static_cast<Class>(found);
    most = found > most ? found : most;
  }
  return most == UINT16_MAX;
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
  const std::uint64_t size = class_of_key_.size() - 1;
  const bool unseen = with_int_type(keys.type, [&](auto like) {
    return translate<decltype(like)>(keys.values, n, class_of_key_.data(), size, classes);
  });
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

std::string_view KeyReader::label(std::int64_t at) const {
  const TextSource::Text text = texts_[key(at)];
  return {text.data, text.length};
}

}  // namespace confmat
