// A name that one registry lacks is looked for in the others.
#include "confmat/metrics/unknown_metric.hpp"

#include <array>
#include <vector>

#include "confmat/metrics/absent_average.hpp"
#include "confmat/metrics/catalogue.hpp"
#include "confmat/metrics/elsewhere.hpp"
#include "confmat/metrics/nearest.hpp"
#include "confmat/metrics/regression_row.hpp"
#include "confmat/metrics/score_row.hpp"
#include "name_text.hpp"

namespace confmat::metrics {
namespace {

struct Registry {
  MetricsOf of;
  std::string_view values;  // of which its metrics are
  std::string_view object;  // that has them
  std::string_view level;   // of `list_metrics`
};
constexpr std::array<Registry, 3> kRegistries{{
    {MetricsOf::kClasses, "predicted classes", "`cm.confusion_matrix(y_true, y_pred)`", ""},
    {MetricsOf::kScores, "scores", "`cm.sweep(y_true, y_score)`", "score"},
    {MetricsOf::kNumbers, "numbers", "`cm.regression(y_true, y_pred)`", "regression"},
}};

bool is_in(MetricsOf registry, std::string_view name) {
  switch (registry) {
    case MetricsOf::kClasses:
      return catalogue().find(name) != nullptr;
    case MetricsOf::kScores:
      return places_of(score_rows()).contains(name);
    default:
      return places_of(regression_rows()).contains(name);
  }
}

[[noreturn]] void refuse_other(const std::string& name, const Registry& has, MetricsOf asked) {
  std::string message = "`" + name + "` is a metric of ";
  message.append(has.values).append("; ").append(has.object).append(" has it");
  const bool is_at_threshold = asked == MetricsOf::kScores && has.of == MetricsOf::kClasses;
  if (is_at_threshold) message += ", and a sweep s at a threshold t: `s.at(t)." + name + "`";
  throw InputError(message);
}

// Names like it that are not in the registry asked.
std::string near_elsewhere(MetricsOf asked, std::string_view name) {
  const NamePlaces of_scores = places_of(score_rows()), of_numbers = places_of(regression_rows());
  std::vector<std::string_view> known;
  const auto take = [&](MetricsOf registry, const auto& names) {
    if (registry == asked) return;
    for (const auto& [each, _] : names) known.push_back(each);
  };
  take(MetricsOf::kClasses, catalogue().names());
  take(MetricsOf::kScores, of_scores);
  take(MetricsOf::kNumbers, of_numbers);
  return nearest_of(name, known);
}

}  // namespace

void refuse_name(std::string_view name, MetricsOf asked, const std::string& near) {
  for (const Registry& other : kRegistries) {
    if (other.of != asked && is_in(other.of, name)) refuse_other(std::string(name), other, asked);
  }
  const std::string turned = asked == MetricsOf::kClasses ? "" : other_way_round(name);
  if (!turned.empty()) refuse_other(turned, kRegistries[0], asked);
  if (const std::string where = told_elsewhere(name); !where.empty()) throw InputError(where);
  if (const std::string why = absent_average(name); !why.empty()) throw InputError(why);
  const Registry& own = kRegistries[static_cast<std::size_t>(asked)];
  std::string message = "unknown metric ";
  if (asked != MetricsOf::kClasses) message.append("of ").append(own.values).append(" ");
  message += quoted(name);
  if (!near.empty()) throw UnknownMetric(message + "; did you mean " + near + "?", true);
  if (const std::string others = near_elsewhere(asked, name); !others.empty()) {
    throw UnknownMetric(message + "; of other kinds there are " + others, false);
  }
  if (asked == MetricsOf::kClasses) {
    message += ", neither built in nor registered in this process";
  } else {
    message.append("; `cm.list_metrics(level='").append(own.level).append("')` lists them");
  }
  throw UnknownMetric(message, false);
}

}  // namespace confmat::metrics
