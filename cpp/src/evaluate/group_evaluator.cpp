// Classes that are absent go, the positive one is found, metrics are evaluated, totals kept.
#include "confmat/evaluate/group_evaluator.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "confmat/base/error.hpp"
#include "confmat/evaluate/met_outsiders.hpp"
#include "confmat/metrics/margins.hpp"
#include "confmat/state/added_class.hpp"
#include "confmat/state/labels.hpp"

namespace confmat {
namespace {

std::vector<std::string> displayed(const Labels& labels) {
  std::vector<std::string> out;
  out.reserve(static_cast<std::size_t>(labels.size()));
  for (std::int64_t i = 0; i < labels.size(); ++i) out.push_back(labels.display(i));
  return out;
}

// Tables of labels that are known beforehand are whole ones.
void require_table_fits(std::int64_t k) {
  if (k <= metrics::kMostTableClasses) return;
  throw InputError("`labels`, or the Enum of `y_true` and `y_pred`, has " + std::to_string(k) +
                   " classes; of known classes at most " +
                   std::to_string(metrics::kMostTableClasses) +
                   " are possible here: give so many as labels=, with other=\"bucket\" for the "
                   "rest; cm.confusion_matrix takes more");
}

// A group need not have a row of the positive class: its table then gets that class, empty. Says
// whether it did.
bool add_positive(const Spec& spec, GroupTable& group) {
  Labels& labels = group.labels;
  const auto k = static_cast<std::size_t>(labels.size());
  const bool text = k > 0 ? labels.kind == Labels::Kind::kText
                          : spec.positive && spec.positive->kind == Labels::Kind::kText;
  if (!spec.needs_positive || positive_in(spec, labels) >= 0) return false;
  if (spec.positive ? text != (spec.positive->kind == Labels::Kind::kText)
                    : text || !labels.have_usual_positive()) {
    return false;
  }
  const AddedClass added(labels,
                         spec.positive ? *spec.positive : Labels{Labels::Kind::kInt, {1}, {}});
  if (group.is_sparse) {
    group.places = added.moved(group.places);
    return true;
  }
  if (group.weights.empty()) {
    group.counts = added.widened(std::span<const std::int64_t>(group.counts));
  } else {
    group.weights = added.widened(std::span<const double>(group.weights));
  }
  if (!group.squares.empty()) group.squares = added.widened(std::span<const double>(group.squares));
  return true;
}

// Of a list the table. Throws InputError: there would be too many cells.
void fill_table(GroupTable& group) {
  if (!group.is_sparse) return;
  const auto k = static_cast<std::size_t>(group.labels.size());
  if (k > metrics::kMostTableClasses) {
    throw InputError("`smoothing` is added to each of " + std::to_string(k) + " x " +
                     std::to_string(k) + " cells; wanted 0 for so many classes");
  }
  const auto fill = [&](auto& cells) {
    if (cells.empty()) return;
    const auto held = std::exchange(cells, {});
    cells.resize(k * k);
    for (std::size_t i = 0; i < held.size(); ++i) {
      cells[static_cast<std::size_t>(group.places[i])] = held[i];
    }
  };
  fill(group.counts);
  fill(group.weights);
  fill(group.squares);
  group.is_sparse = false;
}

}  // namespace

bool are_worth_a_list(std::size_t k, std::size_t cells) noexcept {
  if (k > static_cast<std::size_t>(metrics::kMostTableClasses)) return true;
  return k > static_cast<std::size_t>(metrics::kManyClasses) &&
         cells <= k * k / metrics::kListedShare;
}

void refuse_identifiers(std::int64_t labels, std::int64_t rows) {
  if (labels <= metrics::kMostTableClasses || labels <= rows / 2) return;
  throw InputError("`y_true` and `y_pred` have " + std::to_string(labels) + " labels in " +
                   std::to_string(rows) + " rows; are they identifiers? Of classes, give up to " +
                   std::to_string(metrics::kMostTableClasses) +
                   " as labels=, with other=\"bucket\" for the rest");
}

bool as_counts(std::span<const double> weights, std::vector<std::int64_t>& counts) {
  constexpr double kExact = 9007199254740992.0;  // 2^53: up to here each double is its own integer
  constexpr double kMostRows = 4611686018427387904.0;  // 2^62: margins fit 64 bits
  double total = 0;
  for (const double w : weights) {
    if (!(w >= 0 && w <= kExact) || w != std::floor(w)) return false;
    total += w;
  }
  if (total > kMostRows) return false;
  counts.assign(weights.begin(), weights.end());
  return true;
}

GroupEvaluator::GroupEvaluator(const Spec& spec)
    : GroupEvaluator(spec, spec.labels ? *spec.labels : Labels{}) {}

GroupEvaluator::GroupEvaluator(const Spec& spec, const Labels& found)
    : spec_(spec),
      labels_(found),
      pos_(positive_in(spec, found)),
      has_squares_(spec.wants_squares()),
      lists_(spec.options.smoothing == 0.0 && std::ranges::all_of(spec.asks, [](const auto& ask) {
               return ask.part == metrics::Part::kValue;
             })) {
  require_table_fits(labels_.size());
  const bool averages_absent = spec.options.undefined && !spec.options.implied;
  compact_ = spec.labels && !spec.options.keep_empty && !averages_absent &&
             spec.options.smoothing == 0.0 && !(spec.needs_positive && pos_ < 0) &&
             std::ranges::none_of(spec.asks, [](const auto& ask) { return ask.ordered; });
}

void GroupEvaluator::run(const metrics::Table& table, std::int64_t pos, const Labels& labels,
                         double* values, bool implied) {
  metrics::Options options = spec_.options;
  options.pos = pos;
  options.implied |= implied;
  // The one-class and two-class rules of the positive class depend on the labels alone.
  if (spec_.needs_positive && !checked_) {
    const auto names = displayed(labels);
    // One class may be the positive one or the other: only of 0, 1 and -1 is it known which.
    const bool unclear = table.k == 1 && !labels.have_usual_positive();
    const std::int64_t k = unclear ? 2 : table.k;
    for (const auto& ask : spec_.asks) metrics::check(ask, k, options, names);
    checked_ = spec_.labels.has_value();
  }
  metrics::values(spec_.asks, table, options, values);
  explain(table, options, labels, values);
}

void GroupEvaluator::explain(const metrics::Table& table, const metrics::Options& options,
                             const Labels& labels, const double* values) {
  if (!spec_.reasons) return;
  reasons_.assign(spec_.asks.size(), {});
  if (!metrics::may_have_reasons(spec_.asks, options, values)) return;
  metrics::reasons(spec_.asks, table, options, displayed(labels), values, reasons_.data());
}

// A misspelt class is one that a group may well not have: other groups may, so it is no error.
void GroupEvaluator::tell_absent() {
  if (!spec_.positive) return;
  for (std::size_t i = 0; i < reasons_.size(); ++i) {
    std::string& why = reasons_[i];
    if (!spec_.asks[i].needs_positive || why.empty()) continue;
    why.insert(0, "no row has `pos_label` " + spec_.positive->display(0) + "; ");
  }
}

GroupTotals GroupEvaluator::codes(std::span<const std::int64_t> cells, double* values) {
  const GroupTotals totals = read(cells);
  if (spec_.labels) {
    run({.k = labels_.size(), .counts = inner_.data()}, pos_, labels_, values);
  } else {
    table(present_only(), values);
  }
  return totals;
}

bool GroupEvaluator::are_two() const noexcept {
  return labels_.size() == 2 && (pos_ == 1 || !spec_.needs_positive) &&
         metrics::TwoClassTables::serve(spec_.asks, spec_.options);
}

std::optional<GroupTotals> GroupEvaluator::side_by_side(std::span<const std::int64_t> cells,
                                                        metrics::TwoClassTables& tables) {
  const GroupTotals totals = read(cells);
  if (!tables.add(inner_.data())) return std::nullopt;
  return totals;
}

// Sets the table of rows that count. Throws InputError: there are others, which is refused.
GroupTotals GroupEvaluator::read(std::span<const std::int64_t> cells) {
  const auto k = static_cast<std::size_t>(labels_.size());
  const auto side = k + 2;
  inner_.resize(k * k);
  GroupTotals totals;
  for (std::size_t i = 0; i < side; ++i) {
    const std::int64_t* row = cells.data() + i * side;
    if (i < k) {
      for (std::size_t j = 0; j < k; ++j) totals.n += inner_[i * k + j] = row[j];
      totals.n_other += row[k];
      totals.n_dropped += row[k + 1];
    } else {
      std::int64_t sum = 0;
      for (std::size_t j = 0; j <= k; ++j) sum += row[j];
      if (i == k) totals.n_other += sum;
      if (i == k + 1) totals.n_dropped += sum;
      totals.n_dropped += row[k + 1];
    }
  }
  if (totals.n_other > 0 && !spec_.bucket_other) {
    MetOutsiders::shared().refuse(labels_, totals.n_other);
  }
  return totals;
}

GroupTable GroupEvaluator::present_only() const {
  const auto k = static_cast<std::size_t>(labels_.size());
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < k; ++i) {
    bool present = labels_.kind == Labels::Kind::kBool;  // such a column always has both classes
    for (std::size_t j = 0; j < k && !present; ++j) {
      present = inner_[i * k + j] != 0 || inner_[j * k + i] != 0;
    }
    if (present) kept.push_back(i);
  }
  GroupTable group;
  group.labels.kind = labels_.kind;
  for (const auto i : kept) {
    group.labels.add(labels_, i);
    for (const auto j : kept) group.counts.push_back(inner_[i * k + j]);
  }
  return group;
}

GroupTotals GroupEvaluator::weighted(std::span<const double> cells, std::span<const double> squares,
                                     GroupTotals totals, double* values) {
  if (totals.n_other > 0 && !spec_.bucket_other) {
    MetOutsiders::shared().refuse(labels_, totals.n_other);
  }
  metrics::Table table{.k = labels_.size(), .is_weighted = true};
  if (!squares.empty()) table.squares = squares.data();
  if (as_counts(cells, inner_)) {
    table.counts = inner_.data();
  } else {
    table.weights = cells.data();
  }
  run(table, pos_, labels_, values);
  return totals;
}

GroupTotals GroupEvaluator::table(GroupTable group, double* values) {
  const bool added = add_positive(spec_, group);
  // A class that was found may have rows of weight 0 alone: states do not know, so none is counted.
  const bool implied = added || group.implied || (!spec_.labels && !group.is_given);
  const std::int64_t pos = positive_in(spec_, group.labels);
  const auto k = group.labels.size();
  metrics::Table table{.k = k, .is_weighted = group.is_weighted};
  if (!lists_ && (spec_.options.smoothing != 0.0 || k <= metrics::kMostTableClasses)) {
    fill_table(group);
  }
  if (group.is_sparse) {
    table.is_sparse = true;
    table.places = group.places.data();
    table.filled = std::ssize(group.places);
  }
  if (!group.squares.empty()) table.squares = group.squares.data();
  if (!group.weights.empty() && !as_counts(group.weights, group.counts)) {
    table.weights = group.weights.data();
  } else {
    table.counts = group.counts.data();
  }
  run(table, pos, group.labels, values, implied);
  if (added && spec_.reasons) tell_absent();
  return group.totals;
}

}  // namespace confmat
