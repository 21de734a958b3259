// Compares what was asked of two tables of slices, and their columns.
#include "slice_heads.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "confmat/base/error.hpp"
#include "confmat/base/shown.hpp"

namespace confmat {
namespace {

constexpr std::size_t kMostShown = 200;

std::string shown(std::string_view text) {
  if (text.size() <= kMostShown) return shown_text(text);
  return shown_text(text.substr(0, kMostShown)) + "...";
}

// The members of a JSON object, as they are written; of another text the text itself.
std::vector<std::string_view> members(std::string_view json) {
  if (json.size() < 2 || json.front() != '{' || json.back() != '}') return {json};
  std::vector<std::string_view> out;
  std::size_t begin = 1;
  int depth = 0;
  bool in_text = false;
  for (std::size_t at = 1; at < json.size(); ++at) {
    const char c = json[at];
    if (in_text) {
      at += c == '\\' ? 1U : 0U;
      in_text = c != '"';
    } else if (c == '"') {
      in_text = true;
    } else if (c == '[' || c == '{') {
      ++depth;
    } else if ((c == ',' && depth == 0) || at + 1 == json.size()) {
      if (at > begin) out.push_back(json.substr(begin, at - begin));
      begin = at + 1;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return out;
}

std::string only_in(std::string_view json, std::string_view other) {
  const auto known = members(other);
  std::string out;
  for (const std::string_view member : members(json)) {
    if (std::ranges::find(known, member) != known.end()) continue;
    out += (out.empty() ? "" : ", ") + shown(member);
  }
  return out.empty() ? "nothing" : out;
}

std::string columns(const TableHead& head) {
  std::string out;
  for (const KeyColumn& key : head.keys) {
    out += (out.empty() ? "" : ", ") + shown(key.name) + " " + shown(key.dtype);
  }
  return out.empty() ? "no keys" : out;
}

std::string listing(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + shown(name);
  return out;
}

}  // namespace

void require_alike(const char* verb, const TableHead& one, const TableHead& other) {
  if (one == other) return;
  std::string why;
  if (one.asked != other.asked) {
    why = "what was asked differs (in the first: " + only_in(one.asked, other.asked) +
          "; in the second: " + only_in(other.asked, one.asked) + ")";
  } else if (one.keys != other.keys) {
    why = "keys differ (" + columns(one) + "; " + columns(other) + ")";
  } else {
    why = "columns of states differ (" + listing(one.states) + "; " + listing(other.states) + ")";
  }
  throw InputError("cannot " + std::string(verb) + " tables of slices: " + why);
}

}  // namespace confmat
