// Requests as python/confmat/frames/asked.py packs them, field by field.
#pragma once

#include <cstdint>
#include <vector>

#include "confmat/base/bytes.hpp"
#include "confmat/evaluate/spec.hpp"

namespace confmat::host {

// Fields are wanted in the order of their numbers.
class Message {
 public:
  Message() {
    out_.put(kMessageVersion);
    out_.put(std::uint32_t{0});
  }
  template <class Texts>
  Message& names(MessageField field, const Texts& texts) {
    on(field);
    out_.put(static_cast<std::uint32_t>(texts.size()));
    for (const auto& text : texts) out_.text(text);
    return *this;
  }
  Message& labels(MessageField field, const Labels& labels) {
    on(field);
    out_.put(labels.kind);
    out_.put(static_cast<std::uint32_t>(labels.size()));
    for (const auto& label : labels.texts) out_.text(label);
    for (const auto label : labels.ints) out_.put(label);
    return *this;
  }
  template <class T>  // a double, or a byte
  Message& value(MessageField field, T value) {
    on(field);
    out_.put(value);
    return *this;
  }
  Message& on(MessageField field, bool is_on = true) {
    if (is_on) out_.put(field);
    return *this;
  }
  [[nodiscard]] std::vector<std::uint8_t> bytes() {
    constexpr std::size_t kHead = 5;
    out_.put_at(1, static_cast<std::uint32_t>(out_.bytes().size() - kHead));
    return out_.bytes();
  }

 private:
  ByteWriter out_;
};

}  // namespace confmat::host
