// Reads rows as sets, numbers these, and adds up the rows of each pair.
#include "pairs_of_sets.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "confmat/base/interrupt.hpp"
#include "confmat/batch/gather.hpp"
#include "confmat/tally/weight_cells.hpp"
#include "distinct_lists.hpp"
#include "distinct_sets.hpp"
#include "set_words.hpp"
#include "weight_totals.hpp"

namespace confmat {
namespace {

// The rows of each pair, whose numbers rows hold, by their weights.
EntrySums weighed(const std::vector<std::uint32_t>& of_row, std::size_t n_pairs,
                  const SetWeights& weights, std::int64_t first) {
  std::vector<std::size_t> ends(n_pairs);
  for (const std::uint32_t pair : of_row) ++ends[pair];
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  std::vector<std::size_t> rows(of_row.size());
  for (std::size_t row = of_row.size(); row > 0; --row) rows[--ends[of_row[row - 1]]] = row - 1;
  EntrySums out;
  out.has_squares = true;
  out.has_floats = weights.kind == SetWeights::Kind::kFloats;
  std::vector<std::int64_t> counts;
  ExactSumsBuilder sums, squares;
  const StopSign sign;
  for (std::size_t pair = 0, at = 0; pair < n_pairs; ++pair) {
    if ((pair & 0xFFFU) == 0) sign.obey();
    const std::size_t end = pair + 1 < n_pairs ? ends[pair + 1] : rows.size();
    if (out.has_floats) {
      FloatWeightCell sum;
      for (; at < end; ++at) sum.add(weights.floats[static_cast<std::size_t>(first) + rows[at]]);
      sum.put(sums, squares);
    } else {
      IntWeightCell sum;
      Budget none;
      for (; at < end; ++at) {
        const std::int64_t weight = weights.integers[static_cast<std::size_t>(first) + rows[at]];
        sum.add(static_cast<std::uint64_t>(weight), none);
      }
      if (sum.sum() > INT64_MAX) refuse_total();
      counts.push_back(static_cast<std::int64_t>(sum.sum()));
      sum.put_squares(squares);
    }
  }
  out.counts = std::move(counts);
  out.weights = sums.take();
  out.squares = squares.take();
  return out;
}

// The numbers of the sets of rows, which are bits.
class NumbersOfWords {
 public:
  NumbersOfWords(const SetSide& y_true, const SetSide& y_pred, std::int64_t rows,
                 std::size_t n_labels)
      : n_labels_(n_labels),
        truth_(y_true, rows, n_labels),
        prediction_(y_pred, rows, n_labels),
        sets_(truth_.words()) {}

  void read(std::int64_t first, std::int64_t last, std::uint32_t* truth,
            std::uint32_t* prediction) {
    truth_.read(first, last, of_truth_);
    prediction_.read(first, last, of_prediction_);
    const std::size_t words = truth_.words();
    for (std::size_t i = 0; i < static_cast<std::size_t>(last - first); ++i) {
      truth[i] = sets_.number_of(of_truth_.data() + i * words);
      prediction[i] = sets_.number_of(of_prediction_.data() + i * words);
    }
  }
  [[nodiscard]] LabelSets take() const {
    const std::size_t bytes = LabelSets::bytes_of(n_labels_);
    std::vector<std::uint8_t> bits;
    bits.reserve(sets_.size() * bytes);
    for (std::size_t i = 0; i < sets_.size(); ++i) {
      const auto* const set = reinterpret_cast<const std::uint8_t*>(sets_.at(i).data());
      bits.insert(bits.end(), set, set + bytes);
    }
    return {std::move(bits), bytes, sets_.size()};
  }

 private:
  std::size_t n_labels_;
  SetWords truth_, prediction_;
  DistinctSets sets_;
  std::vector<std::uint64_t> of_truth_, of_prediction_;
};

// The same of lists.
class NumbersOfLists {
 public:
  NumbersOfLists(const SetSide& y_true, const SetSide& y_pred, std::int64_t first,
                 std::int64_t last, std::size_t n_labels)
      : truth_(y_true, last, n_labels), prediction_(y_pred, last, n_labels) {
    std::int64_t labels = 0;
    for (const SetSide* const side : {&y_true, &y_pred}) {
      const auto* const lists = std::get_if<SetLists>(side);
      if (lists == nullptr || first == last) continue;
      labels += std::to_address(lists->of(last - 1).end()) - lists->of(first).data();
    }
    sets_.reserve(2 * static_cast<std::size_t>(last - first), static_cast<std::size_t>(labels));
  }

  void read(std::int64_t first, std::int64_t last, std::uint32_t* truth,
            std::uint32_t* prediction) {
    number(truth_, first, last, truth);
    number(prediction_, first, last, prediction);
  }
  [[nodiscard]] LabelSets take() { return sets_.take(); }

 private:
  void number(SetRows& rows, std::int64_t first, std::int64_t last, std::uint32_t* numbers) {
    const auto n = static_cast<std::size_t>(last - first);
    block_.clear();
    rows.read(first, last, [&](std::int64_t row, SetMembers set) {
      const auto i = static_cast<std::size_t>(row - first);
      block_.insert(block_.end(), set.begin(), set.end());
      ends_[i] = block_.size();
      marks_[i] = DistinctLists::mark_of(set);
    });
    constexpr std::size_t kAhead = 16;
    for (std::size_t i = 0; i < n; ++i) {
      if (i + kAhead < n) sets_.look_ahead(marks_[i + kAhead]);
      const std::size_t begin = i == 0 ? 0 : ends_[i - 1];
      const SetMembers set = SetMembers(block_).subspan(begin, ends_[i] - begin);
      numbers[i] = sets_.number_of(set, marks_[i]);
    }
  }

  SetRows truth_, prediction_;
  DistinctLists sets_;
  std::vector<std::uint32_t> block_;
  std::vector<std::size_t> ends_ = std::vector<std::size_t>(kBlock);
  std::vector<std::uint32_t> marks_ = std::vector<std::uint32_t>(kBlock);
};

template <class Numbers>
PairsOfSets pairs_by(Numbers numbers, std::int64_t first, std::int64_t last,
                     const SetWeights& weights) {
  PairsOfSets out;
  std::vector<std::int64_t> counts;
  std::vector<std::uint32_t> of_row;
  const bool weighted = weights.kind != SetWeights::Kind::kNone;
  {
    DistinctSets pairs(1);
    std::array<std::uint32_t, kBlock> truth, prediction;
    const StopSign sign;
    for (std::int64_t from = first; from < last; from += std::int64_t{kBlock}) {
      sign.obey();
      const std::int64_t to = std::min(from + std::int64_t{kBlock}, last);
      numbers.read(from, to, truth.data(), prediction.data());
      for (std::size_t i = 0; i < static_cast<std::size_t>(to - from); ++i) {
        const std::uint64_t key = (std::uint64_t{truth[i]} << 32U) | prediction[i];
        const std::uint32_t pair = pairs.number_of(&key);
        if (pair == out.size()) {
          out.truth.push_back(truth[i]);
          out.prediction.push_back(prediction[i]);
          if (!weighted) counts.push_back(0);
        }
        if (weighted) {
          of_row.push_back(pair);
        } else {
          ++counts[pair];
        }
      }
    }
  }
  out.sets = numbers.take();
  if (weighted) {
    out.sums = weighed(of_row, out.size(), weights, first);
  } else {
    out.sums.counts = std::move(counts);
  }
  return out;
}

}  // namespace

PairsOfSets pairs_of(const SetSide& y_true, const SetSide& y_pred, std::int64_t first,
                     std::int64_t last, std::size_t n_labels, const SetWeights& weights) {
  const bool lists =
      std::holds_alternative<SetLists>(y_true) || std::holds_alternative<SetLists>(y_pred);
  if (lists && n_labels > LabelSets::kMostBits) {
    return pairs_by(NumbersOfLists(y_true, y_pred, first, last, n_labels), first, last, weights);
  }
  return pairs_by(NumbersOfWords(y_true, y_pred, last, n_labels), first, last, weights);
}

PairsOfSets pairs_of(const SetPairs& found, unsigned n_labels) {
  PairsOfSets out;
  std::vector<std::uint8_t> sets(std::size_t{1} << n_labels);
  std::iota(sets.begin(), sets.end(), std::uint8_t{0});
  const std::size_t n = sets.size();
  out.sets = {std::move(sets), 1, n};
  for (const std::uint16_t code : found.codes) {
    out.truth.push_back(std::uint32_t{code} >> n_labels);
    out.prediction.push_back(code & ((1U << n_labels) - 1));
  }
  out.sums.counts = std::vector(found.rows);
  return out;
}

}  // namespace confmat
