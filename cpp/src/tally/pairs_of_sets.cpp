// Reads tables of Booleans as sets, numbers these, and adds up the rows of each pair.
#include "pairs_of_sets.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "confmat/base/interrupt.hpp"
#include "confmat/batch/gather.hpp"
#include "confmat/tally/weight_cells.hpp"
#include "distinct_sets.hpp"
#include "set_reader.hpp"
#include "weight_totals.hpp"

namespace confmat {
namespace {

constexpr std::size_t kWord = sizeof(std::uint64_t);

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
      FloatWeightSums sum;
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
      squares.add(sum.squares());
    }
  }
  out.counts = std::move(counts);
  out.weights = sums.take();
  out.squares = squares.take();
  return out;
}

// Rows of both tables as words of bits.
class SetWords {
 public:
  SetWords(const BoolTable& table, std::int64_t rows, std::size_t n_labels)
      : words_((n_labels + 63) / 64) {
    for (std::size_t label = 0; label < n_labels; label += kMostSetLabels) {
      BoolTable part = table;
      part.data += static_cast<std::int64_t>(label) * table.step;
      readers_.emplace_back(part, rows,
                            static_cast<unsigned>(std::min<std::size_t>(n_labels - label, 8)));
    }
  }
  [[nodiscard]] std::size_t words() const noexcept { return words_; }

  // Needs: at most kBlock rows.
  void read(std::int64_t first, std::int64_t last, std::vector<std::uint64_t>& sets) const {
    const auto n = static_cast<std::size_t>(last - first);
    sets.assign(n * words_, 0);
    std::array<std::uint16_t, kBlock> eight;
    for (std::size_t part = 0; part < readers_.size(); ++part) {
      std::fill_n(eight.data(), n, std::uint16_t{0});
      readers_[part].read(first, last, 0, eight.data());
      std::uint64_t* const to = sets.data() + part / kWord;
      for (std::size_t i = 0; i < n; ++i) {
        to[i * words_] |= std::uint64_t{eight[i]} << (8 * (part % kWord));
      }
    }
  }

 private:
  std::size_t words_;
  std::vector<SetReader> readers_;
};

}  // namespace

PairsOfSets pairs_of(const BoolTable& y_true, const BoolTable& y_pred, std::int64_t first,
                     std::int64_t last, std::size_t n_labels, const SetWeights& weights) {
  const SetWords truth(y_true, last, n_labels), prediction(y_pred, last, n_labels);
  const std::size_t words = truth.words();
  DistinctSets sets(words), pairs(1);
  std::vector<std::uint64_t> of_truth, of_prediction;
  std::vector<std::int64_t> counts;
  std::vector<std::uint32_t> of_row;
  const bool weighted = weights.kind != SetWeights::Kind::kNone;
  const StopSign sign;
  for (std::int64_t from = first; from < last; from += std::int64_t{kBlock}) {
    sign.obey();
    const std::int64_t to = std::min(from + std::int64_t{kBlock}, last);
    truth.read(from, to, of_truth);
    prediction.read(from, to, of_prediction);
    for (std::size_t i = 0; i < static_cast<std::size_t>(to - from); ++i) {
      const std::uint64_t one = sets.number_of(of_truth.data() + i * words);
      const std::uint64_t other = sets.number_of(of_prediction.data() + i * words);
      const std::uint64_t key = (one << 32U) | other;
      const std::uint32_t pair = pairs.number_of(&key);
      if (weighted) {
        of_row.push_back(pair);
      } else {
        if (pair == counts.size()) counts.push_back(0);
        ++counts[pair];
      }
    }
  }
  PairsOfSets out;
  out.set_bytes = SetCounts::set_bytes_of(n_labels);
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(sets.at(i).data());
    out.sets.insert(out.sets.end(), bytes, bytes + out.set_bytes);
  }
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    out.truth.push_back(static_cast<std::uint32_t>(pairs.at(i)[0] >> 32U));
    out.prediction.push_back(static_cast<std::uint32_t>(pairs.at(i)[0]));
  }
  if (weighted) {
    out.sums = weighed(of_row, pairs.size(), weights, first);
  } else {
    out.sums.counts = std::move(counts);
  }
  return out;
}

PairsOfSets pairs_of(const SetPairs& found, unsigned n_labels) {
  PairsOfSets out;
  out.set_bytes = 1;
  for (unsigned set = 0; set < 1U << n_labels; ++set) {
    out.sets.push_back(static_cast<std::uint8_t>(set));
  }
  for (const std::uint16_t code : found.codes) {
    out.truth.push_back(std::uint32_t{code} >> n_labels);
    out.prediction.push_back(code & ((1U << n_labels) - 1));
  }
  out.sums.counts = std::vector(found.rows);
  return out;
}

}  // namespace confmat
