// Whether bytes from elsewhere are text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace confmat {

// RFC 3629: no overlong forms, no surrogates, nothing beyond U+10FFFF.
bool is_utf8(std::string_view text) noexcept;

// Adds a code point to a text. False, and nothing added: it is a surrogate, or beyond U+10FFFF.
bool append_utf8(std::uint32_t point, std::string& text);

// The text, with \x.. for each byte that is no part of UTF-8.
std::string printable(std::string_view text);
// Of a text that a message shows.
inline constexpr std::size_t kShownBytes = 80;

}  // namespace confmat
