// Makes states of the codes of a group, and tables of states.
#include "confmat/evaluate/count_state.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "confmat/base/error.hpp"
#include "confmat/base/exact_sum.hpp"
#include "confmat/batch/weight_check.hpp"
#include "confmat/metrics/margins.hpp"
#include "confmat/state/added_class.hpp"
#include "confmat/tally/weight_cells.hpp"

namespace confmat {
namespace {

constexpr std::int64_t kMostRows = std::int64_t{1} << 62U;  // leaves room for every margin

// Where the cell of a code is among K x K, or which rows it counts.
struct CellPlace {
  std::size_t truth, prediction;
  CellPlace(std::size_t code, std::size_t k) : truth(code / (k + 2)), prediction(code % (k + 2)) {}
  [[nodiscard]] bool is_dropped(std::size_t k) const { return std::max(truth, prediction) > k; }
  [[nodiscard]] bool is_other(std::size_t k) const { return std::max(truth, prediction) == k; }
};

[[noreturn]] void refuse_rows() {
  throw InputError("the numbers of rows of `n` sum to more than 2^63 - 1");
}

void add_rows(RowTotals& rows, const CellPlace& place, std::size_t k, std::int64_t n) {
  std::int64_t& to = place.is_dropped(k) ? rows.dropped
                     : place.is_other(k) ? rows.other
                                         : rows.counted;
  if (__builtin_add_overflow(to, n, &to)) refuse_rows();
}

}  // namespace

Counts state_of(std::span<const std::int64_t> cells, SharedLabels labels) {
  const std::size_t k = labels->size();
  Counts out;
  out.labels = std::move(labels);
  out.rows.counted = 0;
  std::vector<std::int64_t> inner(k * k);
  for (std::size_t code = 0; code < cells.size(); ++code) {
    if (cells[code] == 0) continue;
    const CellPlace place(code, k);
    add_rows(out.rows, place, k, cells[code]);
    if (std::max(place.truth, place.prediction) < k) {
      inner[place.truth * k + place.prediction] = cells[code];
    }
  }
  out.cells = std::move(inner);
  return out;
}

Counts state_of(GroupTable&& table) {
  if (table.labels.size() == 0) table.labels.kind = Labels::Kind::kInt;  // none of any kind
  Counts out;
  out.labels =
      std::make_shared<const LabelSet>(LabelSet{std::move(table.labels), Origin::kFound, 0});
  out.rows = {.counted = table.totals.n, .dropped = table.totals.n_dropped};
  out.is_sparse = table.is_sparse;
  out.places = std::move(table.places);
  out.cells = std::move(table.counts);
  return out;
}

Counts state_of(std::vector<std::uint32_t>& codes, SharedLabels labels) {
  const std::size_t k = labels->size();
  Counts out;
  out.labels = std::move(labels);
  out.rows.counted = 0;
  out.is_sparse = true;
  std::ranges::sort(codes);
  std::vector<std::int64_t> places, cells;
  for (std::size_t at = 0, end = 0; at < codes.size(); at = end) {
    while (end < codes.size() && codes[end] == codes[at]) ++end;
    const auto n = static_cast<std::int64_t>(end - at);
    const CellPlace place(codes[at], k);
    add_rows(out.rows, place, k, n);
    if (std::max(place.truth, place.prediction) >= k) continue;
    places.push_back(static_cast<std::int64_t>(place.truth * k + place.prediction));
    cells.push_back(n);
  }
  out.places = std::move(places);
  out.cells = std::move(cells);
  return out;
}

Counts state_of(std::span<const WeightedCode> rows, SharedLabels labels, Weights weights) {
  const std::size_t k = labels->size();
  Counts out;
  out.labels = std::move(labels);
  out.rows.counted = 0;
  out.is_sparse = true;
  // Without a cell there is no float, at any door.
  const bool whole = weights != Weights::kFloats || k == 0;
  out.has_squares = weights != Weights::kRows;
  out.has_floats = !whole;
  std::vector<std::pair<std::int64_t, double>> counted;
  counted.reserve(rows.size());
  for (const WeightedCode& row : rows) {
    const CellPlace place(static_cast<std::size_t>(row.code), k);
    if (place.is_dropped(k) && weights == Weights::kRows) continue;  // its weight was not read
    if (!place.is_dropped(k)) require_weight(row.weight);
    add_rows(out.rows, place, k,
             weights == Weights::kRows ? static_cast<std::int64_t>(row.weight) : 1);
    if (std::max(place.truth, place.prediction) >= k) continue;
    if (row.weight == 0) continue;
    counted.emplace_back(static_cast<std::int64_t>(place.truth * k + place.prediction), row.weight);
  }
  std::ranges::sort(counted, {}, &std::pair<std::int64_t, double>::first);
  std::vector<std::int64_t> places, cells;
  ExactSumsBuilder sums, squares;
  std::uint64_t left = INT64_MAX;
  for (std::size_t at = 0; at < counted.size();) {
    const std::int64_t place = counted[at].first;
    const auto each_weight = [&](const auto& add) {
      for (; at < counted.size() && counted[at].first == place; ++at) add(counted[at].second);
    };
    places.push_back(place);
    if (whole) {
      IntWeightCell sum;
      Budget none;
      each_weight([&](double weight) { sum.add(static_cast<std::uint64_t>(weight), none); });
      if (sum.sum() > left) {
        if (weights == Weights::kRows) refuse_rows();
        throw InputError("the weights of `sample_weight` sum to more than 2^63 - 1");
      }
      left -= sum.sum();
      cells.push_back(static_cast<std::int64_t>(sum.sum()));
      if (out.has_squares) sum.put_squares(squares);
    } else {
      FloatWeightCell sum;
      each_weight([&](double weight) { sum.add(weight); });
      sum.put(sums, squares);
    }
  }
  out.places = std::move(places);
  if (whole) {
    out.cells = std::move(cells);
  } else {
    out.weights = sums.take();
  }
  out.squares = squares.take();
  return out;
}

namespace {

// Moves the cells. Needs: the labels then have the class.
void put_class(Counts& counts, const AddedClass& added) {
  if (counts.is_sparse) {
    counts.places = added.moved(counts.places.view());
    return;
  }
  if (!counts.has_floats) counts.cells = added.widened(counts.cells.view());
  for (ExactSums* const sums : {&counts.weights, &counts.squares}) {
    if (sums->leads.empty()) continue;
    std::vector<Tail> tails(sums->tails.view().begin(), sums->tails.view().end());
    for (Tail& tail : tails) {
      tail.at = static_cast<std::uint64_t>(added.moved(static_cast<std::int64_t>(tail.at)));
    }
    *sums = {added.widened(sums->leads.view()), std::move(tails)};
  }
}

}  // namespace

Counts with_positive(Counts counts, Labels positive) {
  // Of no rows: the kind of the labels is not known, and 1 would not be True.
  if (counts.labels->size() == 0 && counts.labels->origin == Origin::kFound) return counts;
  const bool are_texts = counts.labels->labels.kind == Labels::Kind::kText;
  const bool is_text = positive.kind == Labels::Kind::kText;
  if (!are_texts && !is_text && counts.labels->size() > 0) {
    positive.kind = counts.labels->labels.kind;
  }
  const auto place = [&] { return counts.labels->labels.place_of(positive); };
  const bool is_found = counts.labels->origin == Origin::kFound;
  if ((is_text != are_texts && counts.labels->size() > 0) || (!is_found && place() < 0)) {
    throw InputError("`pos_label` " + quoted_label(positive, 0) + " is not in the labels " +
                     listing(counts.labels->labels));
  }
  LabelSet set = *counts.labels;
  if (place() < 0) put_class(counts, AddedClass(set.labels, positive));
  name_positive(set, set.labels.place_of(positive));
  counts.labels = std::make_shared<const LabelSet>(std::move(set));
  return counts;
}

namespace {

// The positive class of labels that were found, where no row has it: it was added as it was named.
// The number of labels: none.
std::size_t added_class(const Counts& counts) {
  const std::size_t k = counts.k();
  const std::int64_t found = positive_at(*counts.labels);
  if (counts.labels->origin != Origin::kFound || found < 0) return k;
  const auto at = static_cast<std::size_t>(found);
  for (std::size_t i = 0; i < counts.held(); ++i) {
    const auto place = static_cast<std::size_t>(counts.place(i));
    const bool is_zero = counts.has_floats ? counts.weights.leads[i] == 0 : counts.cells[i] == 0;
    if ((place / k == at || place % k == at) && !is_zero) return k;
  }
  return at;
}

// Without a class that no row has.
Counts without(const Counts& counts, std::size_t label) {
  LabelSet set = *counts.labels;
  if (set.labels.kind == Labels::Kind::kText) {
    set.labels.texts.erase(set.labels.texts.begin() + static_cast<std::ptrdiff_t>(label));
  } else {
    set.labels.ints.erase(set.labels.ints.begin() + static_cast<std::ptrdiff_t>(label));
  }
  set.positive = 0;
  Counts out = counts;
  out.labels = std::make_shared<const LabelSet>(std::move(set));
  out.is_sparse = true;
  const std::size_t k = counts.k();
  std::vector<std::int64_t> places, cells;
  std::vector<double> weights, squares;
  for (std::size_t i = 0; i < counts.held(); ++i) {
    const auto place = static_cast<std::size_t>(counts.place(i));
    const std::size_t row = place / k, column = place % k;
    if (row == label || column == label) continue;
    places.push_back(static_cast<std::int64_t>((row - (row > label ? 1 : 0)) * (k - 1) + column -
                                               (column > label ? 1 : 0)));
    if (counts.has_floats) {
      weights.push_back(counts.weights.leads[i]);
    } else {
      cells.push_back(counts.cells[i]);
    }
    if (counts.has_squares) squares.push_back(counts.squares.leads[i]);
  }
  out.places = std::move(places);
  out.cells = std::move(cells);
  out.weights = {std::move(weights), {}};
  out.squares = {std::move(squares), {}};
  return out;
}

}  // namespace

GroupTable table_of(const Counts& whole) {
  if (whole.labels->origin == Origin::kFound && whole.rows.counted != RowTotals::kUnknown) {
    refuse_identifiers(whole.labels->size(), whole.rows.counted);
  }
  const std::size_t absent = added_class(whole);
  const Counts counts = absent < whole.k() ? without(whole, absent) : whole;
  const std::size_t k = counts.k();
  const RowTotals& rows = counts.rows;
  if (std::max({rows.counted, rows.dropped, rows.other}) > kMostRows) {
    throw StateError("a state of more than 2^62 rows");
  }
  GroupTable out;
  out.labels = counts.labels->labels;
  out.is_given = counts.labels->origin == Origin::kGiven;
  out.implied = !out.is_given;
  out.totals.n_dropped = counts.rows.dropped;
  out.totals.n_other = counts.rows.other;
  out.is_sparse = counts.is_sparse && are_worth_a_list(k, counts.held());
  for (std::size_t i = 0; out.is_sparse && i < counts.held(); ++i) {
    out.places.push_back(counts.place(i));
  }
  const auto fill = [&](auto& cells, const auto& from) {
    if (out.is_sparse) return cells.assign(from.data(), from.data() + from.size());
    cells.resize(k * k);
    for (std::size_t i = 0; i < counts.held(); ++i) {
      cells[static_cast<std::size_t>(counts.place(i))] = from[i];
    }
  };
  if (counts.has_floats) {
    fill(out.weights, counts.weights.leads);
    ExactSum weight;
    for (const double cell : out.weights) weight.add(cell);
    out.totals.weight = weight.value();
  } else {
    fill(out.counts, counts.cells);
    for (const std::int64_t cell : out.counts) out.totals.n += cell;
    out.totals.weight = static_cast<double>(out.totals.n);
  }
  out.is_weighted = counts.has_floats || counts.has_squares;
  if (counts.has_squares) fill(out.squares, counts.squares.leads);
  return out;
}

}  // namespace confmat
