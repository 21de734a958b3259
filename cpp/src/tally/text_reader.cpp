#include "confmat/tally/text_reader.hpp"

#include <string>

#include "text_source.inl.hpp"

namespace confmat {

void TextReader::start(const Column& chunk, const ClassSet& set, const Place& place) {
  set_ = &set;
  texts_ = TextSource(chunk, place);
}

template <TextLayout kLayout, class Class>
void TextReader::fill(std::int64_t at, std::size_t n, Class* classes) const {
  const Column& column = texts_.column();
  const bool nulls = any_null(column, at, n);
  const auto other = static_cast<Class>(set_->other());
  const auto null = static_cast<Class>(set_->null());
  for (std::size_t i = 0; i < n; ++i) {
    const std::int64_t row = at + static_cast<std::int64_t>(i);
    if (nulls && !column.valid(row)) {
      classes[i] = null;
      continue;
    }
    const TextSource::Text text = texts_.at<kLayout>(row);
    const std::uint32_t number = set_->texts.find(text.head, text.data, text.length);
    classes[i] = number == TextSet::kAbsent ? other : static_cast<Class>(number);
  }
}

template <class Class>
void TextReader::fill(std::int64_t at, std::size_t n, Class* classes) const {
  switch (texts_.column().layout) {
    case TextLayout::kOffsets32:
      return fill<TextLayout::kOffsets32>(at, n, classes);
    case TextLayout::kOffsets64:
      return fill<TextLayout::kOffsets64>(at, n, classes);
    case TextLayout::kView:
      return fill<TextLayout::kView>(at, n, classes);
  }
}

void TextReader::read(std::int64_t at, std::size_t n, bool wide, void* classes) const {
  if (wide) {
    fill(at, n, static_cast<std::uint16_t*>(classes));
  } else {
    fill(at, n, static_cast<std::uint8_t*>(classes));
  }
}

std::string_view TextReader::label(std::int64_t at) const { return texts_.label(at); }

}  // namespace confmat
