// Checks UTF-8, several bytes at a time where they are ASCII.
#include "confmat/base/utf8.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace confmat {
namespace {

std::uint32_t byte(std::string_view text, std::size_t at) noexcept {
  return static_cast<unsigned char>(text[at]);
}

// The length of the sequence at the start; 0: there is none.
std::size_t sequence(std::string_view text) noexcept {
  const std::uint32_t first = byte(text, 0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  std::uint32_t point = first & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(text, i) & 0xC0U) != 0x80) return 0;
    point = point << 6U | (byte(text, i) & 0x3FU);
  }
  constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = point >= 0xD800 && point < 0xE000;
  return point >= kLeast[length] && point <= 0x10FFFF && !surrogate ? length : 0;
}

}  // namespace

bool is_utf8(std::string_view text) noexcept {
  while (!text.empty()) {
    std::uint64_t word = 0;
    while (text.size() >= sizeof word) {
      std::memcpy(&word, text.data(), sizeof word);
      if ((word & 0x8080808080808080U) != 0) break;
      text.remove_prefix(sizeof word);
    }
    if (text.empty()) return true;
    const std::size_t length = sequence(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

bool append_utf8(std::uint32_t point, std::string& text) {
  if ((point >= 0xD800 && point < 0xE000) || point > 0x10FFFF) return false;
  if (point < 0x80) {
    text += static_cast<char>(point);
    return true;
  }
  const int more = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;  // bytes of six bits each
  constexpr std::uint32_t kFirst[] = {0, 0xC0, 0xE0, 0xF0};
  text += static_cast<char>(kFirst[more] | point >> (6 * more));
  for (int left = more - 1; left >= 0; --left) {
    text += static_cast<char>(0x80U | ((point >> (6 * left)) & 0x3FU));
  }
  return true;
}

std::string printable(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = sequence(text);
    if (length == 0) {
      constexpr char kDigits[] = "0123456789abcdef";
      out += "\\x";
      out += kDigits[byte(text, 0) >> 4U];
      out += kDigits[byte(text, 0) & 0xFU];
      text.remove_prefix(1);
    } else {
      out += text.substr(0, length);
      text.remove_prefix(length);
    }
  }
  return out;
}

}  // namespace confmat
