// Names to asks, and facts.
#include <cmath>

#include "confmat/base/error.hpp"
#include "confmat/base/shown.hpp"
#include "confmat/metrics/catalogue.hpp"
#include "confmat/metrics/nearest.hpp"
#include "confmat/metrics/references.hpp"
#include "confmat/metrics/score.hpp"
#include "confmat/metrics/score_row.hpp"
#include "name_text.hpp"

namespace confmat::metrics {
namespace {

const NamePlaces& names() {
  static const NamePlaces all = places_of(score_rows());
  return all;
}

[[noreturn]] void unknown(std::string_view name) {
  std::string message = "unknown score metric " + quoted(name);
  if (catalogue().find(name) != nullptr) {
    throw InputError(message + ": it is a metric of predicted classes, not of scores");
  }
  std::vector<std::string_view> known;
  for (const auto& [each, index] : names()) known.push_back(each);
  const std::string near = nearest_of(name, known);
  if (!near.empty()) message += "; did you mean " + near + "?";
  throw InputError(message);
}

double read_param(const ScoreParam& param, std::string_view text, std::string_view asked) {
  const auto value = number_in(value_of_param(text, param.name));
  if (value && *value >= param.least && *value <= param.most &&
      (!param.whole || *value == std::floor(*value))) {
    return *value;
  }
  throw InputError(quoted(asked) + ": the parameter must be " + std::string(param.name) +
                   (param.whole ? ", a whole number from " : ", a number from ") +
                   shown_number(param.least) + " to " + shown_number(param.most));
}

ScoreFact fact_of(const ScoreRow& row) {
  ScoreFact fact;
  fact.name = row.name;
  fact.aliases = words_of(row.aliases);
  fact.symbol = row.symbol;
  fact.formula = row.formula;
  fact.lo = row.lo;
  fact.hi = row.hi;
  fact.better = row.higher ? "higher" : "lower";
  fact.summary = row.summary;
  fact.undefined = row.needs_negatives   ? "there are no positives or no negatives"
                   : row.needs_positives ? "there are no positives"
                                         : "there are no rows";
  fact.reference = reference_text(row.reference);
  const ScoreParam& param = row.param;
  if (!param.name.empty()) {
    fact.params.push_back(
        {std::string(param.name), param.value, std::string(param.text), param.whole});
  }
  fact.needs_probability = row.needs_probability;
  return fact;
}

}  // namespace

ScoreAsk parse_score(std::string_view text) {
  const std::string_view asked = trimmed(text);
  const std::size_t open = asked.find('(');
  const std::string_view name = trimmed(asked.substr(0, open));
  const auto found = names().find(name);
  if (found == names().end()) unknown(name);
  const ScoreRow& row = score_rows()[static_cast<std::size_t>(found->second)];
  ScoreAsk ask{.row = found->second, .param = row.param.value, .name = std::string(asked)};
  if (open == std::string_view::npos) return ask;
  if (asked.back() != ')') throw InputError(quoted(asked) + ": a closing ')' is missing");
  if (row.param.name.empty()) throw InputError(quoted(name) + " takes no parameter");
  ask.param = read_param(row.param, asked.substr(open + 1, asked.size() - open - 2), asked);
  return ask;
}

const std::vector<ScoreFact>& score_facts() {
  static const auto all = [] {
    std::vector<ScoreFact> out;
    for (const ScoreRow& row : score_rows()) out.push_back(fact_of(row));
    return out;
  }();
  return all;
}

}  // namespace confmat::metrics
