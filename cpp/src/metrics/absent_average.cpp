// Names that end like an average of a metric that has none of that kind.
#include "confmat/metrics/absent_average.hpp"

#include <utility>
#include <vector>

#include "confmat/metrics/catalogue.hpp"
#include "name_text.hpp"

namespace confmat::metrics {
namespace {

std::string why_not(const Row& row, const Suffix& suffix) {
  if (suffix.pooled_sign && row.facts.lo < 0.0 && row.facts.averages != kNoAverage) {
    return " can be negative, and this mean needs values that are not";
  }
  if (row.kind != Kind::kBinary) return " is one number of the whole table";
  if (row.facts.averages == kNoAverage) {
    if (row.facts.unaveraged.empty()) return " is a size of one class and is not averaged";
    return std::string(" ").append(row.facts.unaveraged);
  }
  return " of pooled cells has no meaning: of the cells of all classes together fp is fn, and "
         "it would be a function of the accuracy and the number of classes";
}

// The names that there are: the averages, or the number itself.
std::string names_to_take(std::string_view stem, const Row& row) {
  std::vector<std::string> names;
  if (row.kind != Kind::kBinary || row.facts.averages == kNoAverage) names.emplace_back(stem);
  for (const Suffix& suffix : suffixes()) {
    std::string name = std::string(stem).append("_").append(suffix.text);
    const Entry* known = catalogue().find(name);
    if (known != nullptr && known->average == suffix.average) names.push_back(std::move(name));
  }
  // A name of one class alone has no averages; those of the row are by its own name.
  if (names.empty())
    return stem == row.facts.name ? quoted(stem) : names_to_take(row.facts.name, row);
  std::string out = quoted(names.front());
  for (std::size_t i = 1; i < names.size(); ++i) {
    out += i + 1 < names.size() ? ", " : " or ";
    out += quoted(names[i]);
  }
  return out;
}

}  // namespace

std::string absent_average(std::string_view name) {
  for (const Suffix& suffix : suffixes()) {
    if (name.size() <= suffix.text.size() + 1 || !name.ends_with(suffix.text)) continue;
    std::string_view stem = name.substr(0, name.size() - suffix.text.size());
    if (stem.back() != '_') continue;
    stem.remove_suffix(1);
    const Entry* entry = catalogue().find(stem);
    if (entry == nullptr || entry->average != Average::kNone) continue;
    const Row& row = catalogue().row(entry->row);
    std::string out = "there is no ";
    const std::string own = std::string(row.facts.name).append("_").append(suffix.text);
    const bool is_of_one = catalogue().find(own) != nullptr;  // as the row has such an average
    out.append(name).append(": ").append(stem);
    out.append(is_of_one ? " is a name for one class and has no averages" : why_not(row, suffix));
    return out.append("; take ").append(names_to_take(stem, row));
  }
  return "";
}

}  // namespace confmat::metrics
