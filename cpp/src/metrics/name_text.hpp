// Pieces of "name(parameter = 2)": what names of metrics of classes, scores and numbers share.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "confmat/base/shown.hpp"

namespace confmat::metrics {

inline std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// With small letters of ASCII, as names of metrics have them.
inline std::string lowered(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

// In quotes, for a message; of a long text the start, in whole UTF-8 sequences.
inline std::string quoted(std::string_view text) {
  constexpr std::size_t kLongest = 200;
  std::size_t end = std::min(text.size(), kLongest);
  const auto inside = [&](std::size_t at) {
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
  };
  while (end > 0 && inside(end)) --end;
  return "'" + shown_text(text.substr(0, end)) + "'";
}

inline std::optional<double> number_in(std::string_view text) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// The words of a text, which single spaces separate.
inline std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    out.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

using NamePlaces = std::map<std::string, std::int32_t, std::less<>>;

// Where the row of each name and alias is.
template <class Row>
NamePlaces places_of(std::span<const Row> rows) {
  NamePlaces out;
  std::int32_t index = 0;
  for (const Row& row : rows) {
    out.emplace(row.name, index);
    for (std::string& alias : words_of(row.aliases)) out.emplace(std::move(alias), index);
    ++index;
  }
  return out;
}

}  // namespace confmat::metrics
