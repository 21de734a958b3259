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
    REQUIRE(table.counts.size() == (weighted ? 0 : k * k));
    REQUIRE(table.weights.size() == (weighted ? k * k : 0));
    int wrong = 0;
    for (std::size_t i = 0; i < k; ++i) {
      for (std::size_t j = 0; j < k; ++j) {
        const auto at = rows.find({labels[i], labels[j]});
        const auto found = at == rows.end() ? std::vector<double>{} : at->second;
        if (!weighted) {
          wrong += table.counts[i * k + j] == static_cast<std::int64_t>(found.size()) ? 0 : 1;
          continue;
        }
        confmat::ExactSum sum;
        for (const double w : found) sum.add(w);
        CHECK(table.weights[i * k + j] == sum.value());
      }
    }
    CHECK(wrong == 0);
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
