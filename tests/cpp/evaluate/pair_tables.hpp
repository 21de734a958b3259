// Tables of label pairs counted by hand, and those that the codes of pairs give.
#pragma once

#include <doctest/doctest.h>

#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "confmat/base/exact_sum.hpp"
#include "confmat/evaluate/pair_tally.hpp"

namespace test {

template <class Label>
struct Expected {
  std::map<std::pair<Label, Label>, std::vector<double>> rows;
  std::int64_t n = 0;
  std::int64_t dropped = 0;

  void add(const std::optional<Label>& y_true, const std::optional<Label>& y_pred,
           double weight = 1) {
    if (!y_true || !y_pred) {
      ++dropped;
      return;
    }
    ++n;
    rows[{*y_true, *y_pred}].push_back(weight);
  }

  void check(const confmat::GroupTable& table, const std::vector<Label>& labels,
             bool weighted) const {
    std::set<Label> wanted;
    for (const auto& [pair, weights] : rows) wanted.insert({pair.first, pair.second});
    REQUIRE((std::vector<Label>(wanted.begin(), wanted.end()) == labels));
    const std::size_t k = labels.size();
    const std::size_t held = table.is_sparse ? rows.size() : k * k;
    REQUIRE(table.is_sparse == confmat::are_worth_a_list(k, rows.size()));
    REQUIRE(table.counts.size() == (weighted ? 0 : held));
    REQUIRE(table.weights.size() == (weighted ? held : 0));
    REQUIRE(table.places.size() == (table.is_sparse ? held : 0));
    // A label is looked for once a pair: of the cells, many millions, most have no rows.
    std::map<Label, std::size_t> places;
    for (const auto& label : labels) places.emplace(label, places.size());
    std::vector<std::int64_t> counts(table.counts.size());
    std::vector<double> sums(table.weights.size());
    std::size_t listed = 0;
    for (const auto& [pair, weights] : rows) {  // in the order of the labels
      const std::size_t place = places.at(pair.first) * k + places.at(pair.second);
      const std::size_t at = table.is_sparse ? listed++ : place;
      if (table.is_sparse) REQUIRE(table.places[at] == static_cast<std::int64_t>(place));
      if (!weighted) {
        counts[at] = static_cast<std::int64_t>(weights.size());
        continue;
      }
      confmat::ExactSum sum;
      for (const double w : weights) sum.add(w);
      sums[at] = sum.value();
    }
    CHECK((table.counts == counts));
    CHECK((table.weights == sums));
    CHECK(table.totals.n_dropped == dropped);
    if (!weighted) CHECK(table.totals.n == n);
  }
};

inline confmat::GroupTable taken(confmat::PairTally& tally, bool weighted) {
  const confmat::Categories* categories = tally.resolve();
  REQUIRE(categories == nullptr);
  return tally.take(weighted);
}

inline confmat::GroupTable table_of(const confmat::PairDictionary& dictionary,
                                    std::span<const std::uint32_t> codes) {
  const confmat::PairReading pairs = dictionary.reading();
  confmat::PairTally tally(pairs);
  tally.add(codes);
  return taken(tally, false);
}

}  // namespace test
