// Words said the other way round, and edit distance over the catalogue.
#include "confmat/metrics/nearest.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "confmat/metrics/catalogue.hpp"
#include "confmat/metrics/regression_row.hpp"
#include "confmat/metrics/score_row.hpp"
#include "confmat/metrics/suffixes.hpp"
#include "name_text.hpp"

namespace confmat::metrics {
namespace {

constexpr std::size_t kShown = 3;
constexpr std::size_t kLongest = 64;  // longer input is cut: it is no misspelling

std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> line(b.size() + 1);
  std::iota(line.begin(), line.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t corner = line[0]++;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = corner + (a[i - 1] != b[j - 1] ? 1 : 0);
      corner = line[j];
      line[j] = std::min({replaced, line[j] + 1, line[j - 1] + 1});
    }
  }
  return line[b.size()];
}

template <class Row>
bool has_name(std::span<const Row> rows, std::string_view name) {
  return places_of(rows).contains(name);
}

}  // namespace

std::string other_way_round(std::string_view name) {
  const auto known = [](std::string_view metric, std::string_view word) -> std::string {
    std::string out = std::string(metric).append("_").append(word);
    return catalogue().find(out) != nullptr ? out : "";
  };
  const std::size_t first = name.find('_'), last = name.rfind('_');
  if (first == std::string_view::npos) return "";
  const std::string_view macro = suffix_of(Average::kMacro).text;
  for (const std::string_view mean : {"mean", "avg", "average"}) {
    if (name.substr(0, first) == mean) return known(name.substr(first + 1), macro);
    if (name.substr(last + 1) == mean) return known(name.substr(0, last), macro);
  }
  return known(name.substr(first + 1), name.substr(0, first));
}

std::string nearest_names(std::string_view name) {
  if (const std::string other = other_way_round(name); !other.empty()) return quoted(other);
  std::vector<std::string_view> known;
  for (const auto& [each, entry] : catalogue().names()) known.push_back(each);
  // Those of scores and numbers are told apart where they are written right.
  const std::string small = lowered(name);
  if (small != name && (has_name(score_rows(), small) || has_name(regression_rows(), small))) {
    return quoted(small);
  }
  return nearest_of(name, known);
}

std::string nearest_of(std::string_view written, std::span<const std::string_view> known) {
  const std::string small = lowered(written.substr(0, kLongest));
  const std::string_view name = small;
  if (std::ranges::find(known, name) != known.end()) return quoted(name);
  const std::size_t most = 1 + name.size() / 4;
  std::vector<std::pair<std::size_t, std::string_view>> found;
  for (const std::string_view each : known) {
    const bool part = name.size() > 2 && each.find(name) != std::string_view::npos;
    // At least as many changes as one is longer than the other.
    const std::size_t longer =
        std::max(name.size(), each.size()) - std::min(name.size(), each.size());
    if (!part && longer > most) continue;
    const std::size_t far = distance(name, each);
    if (part || far <= most) found.emplace_back(far, each);
  }
  std::sort(found.begin(), found.end());
  std::string out;
  for (std::size_t i = 0; i < std::min(kShown, found.size()); ++i) {
    if (i > 0) out += ", ";
    out += '\'';
    out += found[i].second;
    out += '\'';
  }
  return out;
}

}  // namespace confmat::metrics
