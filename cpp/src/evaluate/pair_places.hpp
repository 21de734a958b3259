// Where the labels of pairs are among all labels of these, which are found and sorted: each label
// is compared once, however many pairs have it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "confmat/batch/labels.hpp"
#include "confmat/evaluate/pair_dictionary.hpp"
#include "distinct.hpp"

namespace confmat {

// Kept for its memory.
class PairPlaces {
 public:
  using Places = std::vector<std::pair<std::size_t, std::size_t>>;

  // Of the true and the predicted label of each pair. Needs: they are of one kind.
  Places in(std::span<const PairLabels> pairs, Labels& found) {
    if (!pairs.empty() && pairs.front().is_text) {
      found.kind = Labels::Kind::kText;
      return places(pairs, found.texts, texts_, &PairLabels::true_text, &PairLabels::pred_text);
    }
    return places(pairs, found.ints, ints_, &PairLabels::y_true, &PairLabels::y_pred);
  }

 private:
  struct Hash {
    std::uint64_t operator()(std::int64_t label) const noexcept {
      const auto bits = static_cast<std::uint64_t>(label);
      return ((bits ^ (bits >> 32U)) * 0x9E3779B97F4A7C15U) >> 32U;
    }
    std::uint64_t operator()(std::string_view label) const noexcept {
      return std::hash<std::string_view>{}(label);
    }
  };

  template <class Label>
  Places places(std::span<const PairLabels> pairs, auto& classes, Distinct<Label, Hash>& met,
                Label PairLabels::* truth, Label PairLabels::* prediction) {
    met.clear();
    Places out;
    out.reserve(pairs.size());
    for (const PairLabels& pair : pairs) {
      const std::uint32_t of_truth = met.index_of(pair.*truth);
      out.emplace_back(of_truth, met.index_of(pair.*prediction));
    }
    const std::vector<Label>& found = met.keys();
    order_.resize(found.size());
    rank_.resize(found.size());
    std::iota(order_.begin(), order_.end(), 0U);
    std::ranges::sort(order_, {}, [&found](std::uint32_t i) { return found[i]; });
    for (std::uint32_t at = 0; at < order_.size(); ++at) {
      classes.emplace_back(found[order_[at]]);
      rank_[order_[at]] = at;
    }
    for (auto& [i, j] : out) {
      i = rank_[i];
      j = rank_[j];
    }
    return out;
  }

  Distinct<std::int64_t, Hash> ints_;
  Distinct<std::string_view, Hash> texts_;
  std::vector<std::uint32_t> order_, rank_;
};

}  // namespace confmat
