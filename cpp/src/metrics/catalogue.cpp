// The list of rows and the map of names.
#include "confmat/metrics/catalogue.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace confmat::metrics {
namespace {

// Of the mean over the classes; of a metric that has a `p` of its own the second.
constexpr Param exponent_called(std::string_view name) {
  return {.name = name,
          .symbol = name == "p" ? "p" : "q",
          .text = kExponentText,
          .value = 1.0,
          .least = -std::numeric_limits<double>::infinity(),
          .most = std::numeric_limits<double>::infinity(),
          .exponent = true};
}

struct Alias {
  std::string name;
  std::string_view bound;  // of "f2(2)" what is in brackets, with these
};

std::vector<Alias> split(std::string_view words) {
  std::vector<Alias> out;
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    const std::string_view word = words.substr(0, end);
    words.remove_prefix(std::min(end + 1, words.size()));
    const std::size_t open = std::min(word.find('('), word.size());
    out.push_back({std::string(word.substr(0, open)), word.substr(open)});
  }
  return out;
}

std::vector<Alias> aliases_in(const RowFacts& facts, Average average) {
  std::vector<Alias> out = split(facts.aliases);
  if (average == Average::kNone) {
    for (const Alias& alias : split(facts.of_one)) out.push_back(alias);
  }
  return out;
}

std::string joined(std::string_view stem, Average average) {
  std::string out(stem);
  if (average == Average::kNone) return out;
  out += '_';
  out += suffix_of(average).text;
  return out;
}

}  // namespace

bool allows(const Row& row, Average average) {
  if (average == Average::kNone) return true;
  if (row.facts.averages == kNoAverage) return false;
  const Suffix& suffix = suffix_of(average);
  if (suffix.listed) return (row.facts.averages & bit(average)) != 0;
  return !suffix.pooled_sign || row.facts.lo >= 0.0;
}

std::vector<Param> params_taken(const Row& row, Average average) {
  std::vector<Param> out(row.facts.params.begin(), row.facts.params.end());
  if (average != Average::kPower) return out;
  const bool taken = std::ranges::find(out, "p", &Param::name) != out.end();
  out.push_back(exponent_called(taken ? "mean_p" : "p"));
  return out;
}

Catalogue::Catalogue() {
  for (const auto family :
       {agreement_rows(), association_rows(), ratio_rows(), class_rows(), diagnostic_rows(),
        overlap_rows(), size_rows(), spectral_rows(), information_rows(), pair_rows()}) {
    rows_.insert(rows_.end(), family.begin(), family.end());
  }
  for (std::size_t i = 0; i < rows_.size(); ++i) add_row(static_cast<std::int32_t>(i));
  for (Row& row : rows_) {
    const ParamScope scope(row.facts);
    for (const Written& formula : {row.text, row.text_two}) {
      const Trace trace;
      // Sizes would stay in units of whole numbers.
      const bool is_size = row.kind == Kind::kBinary && !row.facts.scale;
      if (formula != nullptr && !is_size) row.subtracts |= trace.subtracts(formula());
    }
  }
}

void Catalogue::add(std::string name, Entry entry) {
  const auto [at, fresh] = names_.emplace(std::move(name), entry);
  if (!fresh) throw std::logic_error("two metrics are called " + at->first);
}

void Catalogue::add_row(std::int32_t index) {
  const Row& of = row(index);
  if (of.facts.params.size() > kMostParams) throw std::logic_error("too many parameters");
  const auto add_all = [&](Average average) {
    if (!allows(of, average)) return;
    const auto stem = of.facts.stem.empty() ? of.facts.name : of.facts.stem;
    add(joined(average == Average::kNone ? of.facts.name : stem, average), {index, average, {}});
    if (average != Average::kNone && !of.facts.stem.empty()) {
      add(joined(of.facts.name, average), {index, average, {}});
    }
    for (const Alias& alias : aliases_in(of.facts, average)) {
      add(joined(alias.name, average), {index, average, alias.bound});
    }
  };
  add_all(Average::kNone);
  for (const Suffix& suffix : suffixes()) add_all(suffix.average);
}

const Entry* Catalogue::find(std::string_view name) const {
  const auto at = names_.find(name);
  return at == names_.end() ? nullptr : &at->second;
}

const Row& Catalogue::base(const Row& of) const { return row(find(of.base)->row); }

const Row* Catalogue::one_of_two(const Row& of) const {
  const std::string_view name = of.facts.one_of_two;
  return name.empty() ? nullptr : &row(find(name)->row);
}

std::string Catalogue::name_of(const Row& of, Average average) const {
  const bool stem = average != Average::kNone && !of.facts.stem.empty();
  return joined(stem ? of.facts.stem : of.facts.name, average);
}

std::vector<std::string> Catalogue::aliases_of(const Row& of, Average average) const {
  std::vector<std::string> out;
  if (average != Average::kNone && !of.facts.stem.empty()) {
    out.push_back(joined(of.facts.name, average));
  }
  for (const Alias& alias : aliases_in(of.facts, average)) {
    out.push_back(joined(alias.name, average));
  }
  return out;
}

const Catalogue& catalogue() {
  static const Catalogue one;
  return one;
}

}  // namespace confmat::metrics
