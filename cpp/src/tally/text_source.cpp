// The text of a row, in each of the three layouts.
#include <string>

#include "confmat/base/utf8.hpp"
#include "text_source.inl.hpp"

namespace confmat {

TextSource::TextSource(const Column& texts, const Place& place) noexcept
    : texts_(&texts), place_(place) {
  if (texts.length == 0) return;
  if (texts.layout == TextLayout::kOffsets64) {
    std::memcpy(&end_, texts.data + texts.length * 8, sizeof end_);
  } else if (texts.layout == TextLayout::kOffsets32) {
    std::int32_t end = 0;
    std::memcpy(&end, texts.data + texts.length * 4, sizeof end);
    end_ = end;
  }
}

TextSource::Text TextSource::operator[](std::int64_t i) const {
  switch (texts_->layout) {
    case TextLayout::kOffsets32:
      return at<TextLayout::kOffsets32>(i);
    case TextLayout::kOffsets64:
      return at<TextLayout::kOffsets64>(i);
    case TextLayout::kView:
      break;
  }
  return at<TextLayout::kView>(i);
}

std::string_view TextSource::label(std::int64_t i) const {
  const Text text = (*this)[i];
  const std::string_view label(text.data, text.length);
  if (!is_utf8(label))
    place_.fail("the text", i, "is not UTF-8: " + printable(label.substr(0, kShownBytes)));
  return label;
}

void TextSource::fail(std::int64_t i, std::int64_t length) const {
  if (length < 0) place_.fail("the text", i, "lies outside its buffer");
  place_.fail("the label", i, "has " + std::to_string(length) + " bytes; the limit is 64 KiB");
}

}  // namespace confmat
