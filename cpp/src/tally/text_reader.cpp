// Blocks of texts as classes: one look at a key each, then one comparison.
#include "confmat/tally/text_reader.hpp"

#include <algorithm>
#include <string>

#include "text_source.inl.hpp"

namespace confmat {

void TextReader::start(const Column& chunk, const ClassSet& set, const Place& place) {
  set_ = &set;
  texts_ = TextSource(chunk, place);
  const bool pays = TextKeys::pays(set.texts.size(), chunk.length);
  if (pays) keys_.clear(set.texts.size());
  rest_ = pays ? 0 : kNever;
  constexpr std::int64_t kRowsForFew = std::int64_t{1} << 15U;
  const bool view = chunk.layout == TextLayout::kView;
  find_few_ = chunk.length < kRowsForFew || !(view || texts_.bytes().size >= kKeyBytes)
                  ? nullptr
                  : kernels().find_texts[static_cast<std::size_t>(chunk.layout)];
  learned_ = true;
}

template <TextLayout kLayout, class Class>
void TextReader::fill(std::int64_t at, std::size_t n, Class* classes) {
  const Column& column = texts_.column();
  const std::uint32_t null = set_->null();
  const auto search = [&](std::int64_t row) {
    if (!column.valid(row)) return null;
    const TextSource::Text text = texts_.at<kLayout>(row);
    return set_->class_of(text.head, text.data, text.length);
  };
  constexpr std::size_t kStep = 256;
  constexpr std::size_t kRowsALine = 4;  // views
  std::uint32_t found[kStep];
  std::uint16_t missed[kStep];
  for (std::size_t first = 0; first < n; first += kStep) {
    const std::size_t size = std::min(kStep, n - first);
    const std::int64_t row = at + static_cast<std::int64_t>(first);
    const auto row_of = [&](std::size_t i) { return row + static_cast<std::int64_t>(i); };
    if (rest_ > 0) {
      --rest_;
      for (std::size_t i = 0; i < size; ++i) {
        if (i % kRowsALine == 0) __builtin_prefetch(texts_.early_key<kLayout>(row_of(i)));
        __builtin_prefetch(texts_.early_text<kLayout>(row_of(i)));
        classes[first + i] = static_cast<Class>(search(row_of(i)));
      }
      continue;
    }
    const FewTexts* few = find_few_ != nullptr && !learned_ ? keys_.few() : nullptr;
    std::size_t done = 0;
    if (few != nullptr) {
      for (std::size_t i = 0; i < size; i += kRowsALine) {
        __builtin_prefetch(texts_.early_key<kLayout>(row_of(i)));
      }
      done = size - size % kFewTextRows;
      find_few_(texts_.row_at<kLayout>(row), texts_.bytes(), done, *few, found);
    }
    using Offset = OffsetOf<kLayout>;
    const std::uint64_t longest =
        kLayout == TextLayout::kView ? 0 : texts_.longest<Offset>(row_of(done), size - done);
    const auto look_up = [&](auto key_of_row) {
      const TextKeys::Finder keys = keys_.newer();
      const auto look = [&](std::size_t i) { found[i] = keys.find(key_of_row(row_of(i))); };
      std::size_t i = done;
      for (; i + kRowsALine <= size; i += kRowsALine) {
        __builtin_prefetch(texts_.early_key<kLayout>(row_of(i)));
        if (longest >= 8) __builtin_prefetch(texts_.early_text<kLayout>(row_of(i)));
        for (std::size_t k = 0; k < kRowsALine; ++k) look(i + k);
      }
      for (; i < size; ++i) look(i);
    };
    if (kLayout == TextLayout::kView || longest >= 16) {
      look_up([&](std::int64_t i) { return texts_.key<kLayout>(i); });
    } else if (longest < 8) {
      look_up([&](std::int64_t i) { return texts_.short_key<Offset, 1>(i); });
    } else {
      look_up([&](std::int64_t i) { return texts_.short_key<Offset, 2>(i); });
    }
    learned_ = false;
    if (kernels().contains[kClass32](found, size, TextKeys::kUnknown)) {
      std::size_t misses = 0;
      for (std::size_t i = 0; i < size; ++i) {
        missed[misses] = static_cast<std::uint16_t>(i);
        misses += found[i] == TextKeys::kUnknown ? 1U : 0U;
      }
      for (std::size_t j = 0; j < misses; ++j) {
        const std::int64_t here = row_of(missed[j]);
        std::uint32_t& one = found[missed[j]];
        const TextKey key = texts_.key<kLayout>(here);
        one = keys_.older().find(key);
        if (one != TextKeys::kUnknown) continue;
        one = keys_.newer().find(key);  // one met before in this step
        if (one != TextKeys::kUnknown) continue;
        one = search(here);
        if (one == null || !set_->settled(one) || key == kNoKey) continue;
        keys_.keep(key, one);
        learned_ = true;
      }
      if (2 * misses > size) rest_ = kRest;
    }
    for (std::size_t i = 0; i < size; ++i) classes[first + i] = static_cast<Class>(found[i]);
  }
}

void TextReader::read(std::int64_t at, std::size_t n, ClassWidth width, void* classes) {
  // Texts that were met since the chunk began: with too little room keys take each other's.
  const std::size_t texts = set_->texts.size();
  if (rest_ < kNever && keys_.are_small_for(texts) &&
      TextKeys::pays(texts, texts_.column().length - at)) {
    keys_.clear(texts);
    rest_ = 0;
    learned_ = true;
  }
  with_width(width, classes, [&](auto* out) {
    switch (texts_.column().layout) {
      case TextLayout::kOffsets32:
        return fill<TextLayout::kOffsets32>(at, n, out);
      case TextLayout::kOffsets64:
        return fill<TextLayout::kOffsets64>(at, n, out);
      case TextLayout::kView:
        return fill<TextLayout::kView>(at, n, out);
    }
  });
}

std::string_view TextReader::label(std::int64_t at) const { return texts_.label(at); }

}  // namespace confmat
