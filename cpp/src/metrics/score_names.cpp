// Names to asks, and facts.
#include "confmat/base/error.hpp"
#include "confmat/metrics/nearest.hpp"
#include "confmat/metrics/score.hpp"
#include "confmat/metrics/score_row.hpp"
#include "confmat/metrics/unknown_metric.hpp"
#include "name_call.hpp"
#include "name_text.hpp"
#include "row_fact.hpp"

namespace confmat::metrics {
namespace {

const NamePlaces& names() {
  static const NamePlaces all = places_of(score_rows());
  return all;
}

[[noreturn]] void unknown(std::string_view name) {
  std::vector<std::string_view> known;
  for (const auto& [each, index] : names()) known.push_back(each);
  refuse_name(name, MetricsOf::kScores, nearest_of(name, known));
}

ScoreFact fact_of(const ScoreRow& row) {
  auto fact = row_fact<ScoreFact>(row);
  fact.better = row.higher ? "higher" : "lower";
  fact.undefined = row.needs_negatives   ? "there are no positives or no negatives"
                   : row.needs_positives ? "there are no positives"
                                         : "there are no rows";
  fact.needs_probability = row.needs_probability;
  return fact;
}

}  // namespace

ScoreAsk parse_score(std::string_view text) {
  const Call call = call_in(text);
  const auto found = names().find(call.name);
  if (found == names().end()) unknown(call.name);
  const ScoreRow& row = score_rows()[static_cast<std::size_t>(found->second)];
  return {
      .row = found->second, .param = param_in(call, row.params), .name = std::string(call.asked)};
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
