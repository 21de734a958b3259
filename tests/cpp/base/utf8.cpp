// UTF-8: every kind of fault at every place of a block.
#include "confmat/base/utf8.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>

using confmat::append_utf8;
using confmat::is_utf8;
using confmat::printable;

namespace {

// As RFC 3629 writes a code point.
std::string encoded(std::uint32_t point) {
  const auto tail = [point](unsigned shift) {
    return static_cast<char>(0x80U | (point >> shift & 0x3FU));
  };
  if (point < 0x80) return {static_cast<char>(point)};
  if (point < 0x800) return {static_cast<char>(0xC0U | point >> 6U), tail(0)};
  if (point < 0x10000) return {static_cast<char>(0xE0U | point >> 12U), tail(6), tail(0)};
  return {static_cast<char>(0xF0U | point >> 18U), tail(12), tail(6), tail(0)};
}

}  // namespace

TEST_CASE("every code point is UTF-8 wherever it stands, but for surrogates") {
  for (std::uint32_t point = 0; point < 0x110000; ++point) {
    const std::string text = encoded(point);
    const bool good = point < 0xD800 || point > 0xDFFF;
    REQUIRE(is_utf8(text) == good);
    if (point % 61 != 0) continue;
    REQUIRE(is_utf8("seven b" + text + "and more than a word") == good);
    if (good) {
      REQUIRE(printable(text) == text);
      if (text.size() > 1) REQUIRE_FALSE(is_utf8(text.substr(0, text.size() - 1)));
      if (text.size() > 1) REQUIRE_FALSE(is_utf8("eight by" + text.substr(1)));
    }
  }
}

TEST_CASE("overlong forms and what lies beyond Unicode are not UTF-8") {
  for (const char* text :
       {"\xC0\x80", "\xC1\xBF", "\xE0\x80\x80", "\xE0\x9F\xBF", "\xF0\x80\x80\x80",
        "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF", "\x80", "a\xC3"}) {
    CHECK_FALSE(is_utf8(text));
  }
  CHECK(is_utf8(""));
  CHECK(is_utf8(std::string(3, '\0')));
  CHECK(printable("a\xFF\xC3\xA4\xC3") == "a\\xff\xC3\xA4\\xc3");
}

TEST_CASE("code points become what RFC 3629 writes, and what is none becomes nothing") {
  for (std::uint32_t point = 0; point < 0x110100; ++point) {
    std::string text = "before";
    const bool good = point < 0x110000 && (point < 0xD800 || point > 0xDFFF);
    REQUIRE(append_utf8(point, text) == good);
    REQUIRE(text == (good ? "before" + encoded(point) : "before"));
  }
  std::string text;
  CHECK(!append_utf8(UINT32_MAX, text));
}
