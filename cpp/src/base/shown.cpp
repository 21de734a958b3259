// Escapes what a terminal or a page would obey.
#include "confmat/base/shown.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <iterator>

namespace confmat {
namespace {

struct Range {
  std::uint32_t first, last;
};

// Unicode categories Cc, Cf, Co, Cs, Zl, Zp and Zs but the space.
constexpr Range kInvisible[] = {
    {0x0, 0x1F},        {0x7F, 0xA0},       {0xAD, 0xAD},       {0x600, 0x605},
    {0x61C, 0x61C},     {0x6DD, 0x6DD},     {0x70F, 0x70F},     {0x890, 0x891},
    {0x8E2, 0x8E2},     {0x1680, 0x1680},   {0x180E, 0x180E},   {0x2000, 0x200F},
    {0x2028, 0x202F},   {0x205F, 0x2064},   {0x2066, 0x206F},   {0x3000, 0x3000},
    {0xD800, 0xF8FF},   {0xFEFF, 0xFEFF},   {0xFFF9, 0xFFFB},   {0x110BD, 0x110BD},
    {0x110CD, 0x110CD}, {0x13430, 0x1343F}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A},
    {0xE0001, 0xE0001}, {0xE0020, 0xE007F}, {0xF0000, 0xFFFFD}, {0x100000, 0x10FFFD},
};

bool is_visible(std::uint32_t c) {
  const auto* at = std::ranges::lower_bound(kInvisible, c, {}, &Range::last);
  return at == std::end(kInvisible) || c < at->first;
}

// The character at the start of `text` and its length; length 1 and no character for other bytes.
struct Character {
  std::uint32_t code;
  std::size_t length;
  bool sound;
};
Character first_of(std::string_view text) {
  const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return {lead, 1, false};
  std::uint32_t code = lead & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return {lead, 1, false};
    code = code << 6U | (byte(i) & 0x3FU);
  }
  constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < kLeast[length] || code > 0x10FFFF) return {lead, 1, false};
  return {code, length, true};
}

void append_escaped(std::string& out, std::uint32_t code) {
  if (code == '\t' || code == '\n' || code == '\r') {
    out += code == '\t' ? "\\t" : code == '\n' ? "\\n" : "\\r";
    return;
  }
  char text[16];
  const char* format = code < 0x100 ? "\\x%02x" : code < 0x10000 ? "\\u%04x" : "\\U%08x";
  std::snprintf(text, sizeof text, format, static_cast<unsigned>(code));
  out += text;
}

}  // namespace

std::string shown_text(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Character c = first_of(text);
    if (c.sound && is_visible(c.code)) {
      out += text.substr(0, c.length);
    } else {
      append_escaped(out, c.code);
    }
    text.remove_prefix(c.length);
  }
  if (out.empty() || out.front() == ' ' || out.back() == ' ') out = '"' + out + '"';
  return out;
}

std::string shown_number(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

}  // namespace confmat
