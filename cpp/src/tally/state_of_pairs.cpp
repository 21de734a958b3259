// Counts labels, sizes of sets and sets, of pairs of sets.
#include "state_of_pairs.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include "confmat/base/interrupt.hpp"
#include "confmat/base/radix_sort.hpp"
#include "grouping.hpp"
#include "weight_totals.hpp"

namespace confmat {
namespace {

constexpr std::array<std::uint8_t, 256> kBits = [] {
  std::array<std::uint8_t, 256> bits{};
  for (std::size_t i = 0; i < bits.size(); ++i) {
    bits[i] = static_cast<std::uint8_t>(std::popcount(i));
  }
  return bits;
}();
std::uint32_t bits_of(int byte) noexcept { return kBits[static_cast<std::size_t>(byte)]; }

using Sizes = std::array<std::uint32_t, 3>;  // shared, true, predicted

Sizes sizes_of(SetBits truth, SetBits prediction) {
  Sizes out{};
  for (std::size_t byte = 0; byte < truth.size(); ++byte) {
    out[0] += bits_of(truth[byte] & prediction[byte]);
    out[1] += bits_of(truth[byte]);
    out[2] += bits_of(prediction[byte]);
  }
  return out;
}
Sizes sizes_of(SetMembers truth, SetMembers prediction) {
  Sizes out{0, static_cast<std::uint32_t>(truth.size()),
            static_cast<std::uint32_t>(prediction.size())};
  each_label(truth, prediction, [&](std::size_t, unsigned in_truth, unsigned in_prediction) {
    out[0] += in_truth & in_prediction;
  });
  return out;
}

// The distinct codes, ascending. Each code becomes its place among them. Needs: all are below end.
std::vector<std::uint64_t> numbered(std::vector<std::uint64_t>& codes, std::uint64_t end) {
  constexpr std::uint64_t kTable = std::uint64_t{1} << 16U;
  std::vector<std::uint64_t> found;
  if (end <= kTable) {
    std::vector<std::uint32_t> places(static_cast<std::size_t>(end));
    for (const std::uint64_t code : codes) places[static_cast<std::size_t>(code)] = 1;
    for (std::size_t code = 0; code < places.size(); ++code) {
      if (places[code] == 0) continue;
      places[code] = static_cast<std::uint32_t>(found.size());
      found.push_back(code);
    }
    for (std::uint64_t& code : codes) code = places[static_cast<std::size_t>(code)];
    return found;
  }
  found = codes;
  std::ranges::sort(found);
  found.erase(std::ranges::unique(found).begin(), found.end());
  for (std::uint64_t& code : codes) {
    code = static_cast<std::uint64_t>(std::ranges::lower_bound(found, code) - found.begin());
  }
  return found;
}

// `Set`: SetBits or SetMembers, as the sets of the pairs are.
template <class Set>
class FromPairs {
 public:
  FromPairs(PairsOfSets pairs, SharedLabels labels, std::vector<std::int64_t> cells)
      : pairs_(std::move(pairs)) {
    out_.labels = std::move(labels);
    out_.cells.counts = std::move(cells);
  }

  SetCounts run() {
    check_total();
    if (out_.cells.size() == 0) count_cells();
    count_sizes();
    count_sets();
    return std::move(out_);
  }

 private:
  void check_total() const {
    const EntrySums& sums = pairs_.sums;
    UInt128 total = 0;
    double weight = 0;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      if (sums.has_floats) {
        weight += sums.weights.leads[i];
      } else {
        total += static_cast<std::uint64_t>(sums.counts[i]);
      }
    }
    if (total > UInt128{INT64_MAX}) refuse_total();
    if (!std::isfinite(weight)) refuse_infinite_total();
  }

  // [tn, fp, fn, tp]: the pairs that have a label are added up, and the rest of all pairs is tn.
  void count_cells() {
    const std::size_t n_labels = out_.labels->size();
    EntrySums& cells = out_.cells;
    cells.has_floats = pairs_.sums.has_floats;
    cells.has_squares = pairs_.sums.has_squares;
    if (!cells.has_floats) {
      std::vector<std::int64_t> counts(4 * n_labels);
      each_cell(
          [&](std::size_t pair, std::size_t cell) { counts[cell] += pairs_.sums.counts[pair]; });
      std::int64_t total = 0;
      for (const std::int64_t count : pairs_.sums.counts.view()) total += count;
      for (std::size_t at = 0; at < counts.size(); at += 4) {
        counts[at] = total - counts[at + 1] - counts[at + 2] - counts[at + 3];
      }
      cells.counts = std::move(counts);
    }
    if (!cells.has_floats && !cells.has_squares) return;
    const EntryGroups pairs_of(4 * n_labels, [&](const auto& visit) { each_cell(visit); });
    if (cells.has_floats) cells.weights = exact_cells(pairs_.sums.weights, pairs_of);
    if (cells.has_squares) cells.squares = exact_cells(pairs_.sums.squares, pairs_of);
  }

  [[nodiscard]] ExactSums exact_cells(const ExactSums& of, const EntryGroups& pairs_of) const {
    const std::size_t n_labels = out_.labels->size();
    ExactTotal all;
    for (std::size_t pair = 0; pair < of.leads.size(); ++pair) all.add(of, pair);
    ExactSumsBuilder out;
    out.reserve(4 * n_labels);
    std::array<ExactTotal, 4> totals;
    for (const auto [first, last] : Strides(n_labels)) {
      for (std::size_t label = first; label < last; ++label) {
        totals[0] = all;
        for (std::size_t cell = 1; cell < 4; ++cell) {
          totals[cell].clear();
          if (pairs_of.of(4 * label + cell).empty()) continue;
          pairs_of.add_to(totals[cell], of, 4 * label + cell);
          totals[0].take_away(totals[cell]);
        }
        for (const ExactTotal& total : totals) out.add(total);
      }
    }
    return out.take();
  }

  [[nodiscard]] Set truth(std::size_t pair) const {
    return pairs_.sets.template set<Set>(pairs_.truth[pair]);
  }
  [[nodiscard]] Set prediction(std::size_t pair) const {
    return pairs_.sets.template set<Set>(pairs_.prediction[pair]);
  }

  // Calls visit(pair, cell) for the labels that are in a set of a pair.
  template <class Visit>
  void each_cell(const Visit& visit) const {
    for (const auto [first, last] : Strides(pairs_.size())) {
      for (std::size_t pair = first; pair < last; ++pair) {
        each_label(truth(pair), prediction(pair),
                   [&](std::size_t label, unsigned in_truth, unsigned in_prediction) {
                     visit(pair, 4 * label + std::size_t{2} * in_truth + in_prediction);
                   });
      }
    }
  }

  void count_sizes() {
    std::vector<Sizes> of_pairs(pairs_.size());
    std::uint32_t most = 0;
    for (std::size_t pair = 0; pair < of_pairs.size(); ++pair) {
      of_pairs[pair] = sizes_of(truth(pair), prediction(pair));
      most = std::max({most, of_pairs[pair][1], of_pairs[pair][2]});
    }
    // There are few distinct ones, however large they are: three of their places fit a code.
    std::vector<std::uint32_t> places(std::size_t{most} + 1);
    for (const Sizes& sizes : of_pairs) {
      for (const std::uint32_t size : sizes) places[size] = 1;
    }
    std::vector<std::uint32_t> distinct;
    for (std::uint32_t size = 0; size <= most; ++size) {
      if (std::exchange(places[size], static_cast<std::uint32_t>(distinct.size())) != 0) {
        distinct.push_back(size);
      }
    }
    const std::uint64_t base = distinct.size();
    std::vector<std::uint64_t> codes(pairs_.size());
    for (std::size_t pair = 0; pair < codes.size(); ++pair) {
      const auto [shared, truth, prediction] = of_pairs[pair];
      codes[pair] = (places[shared] * base + places[truth]) * base + places[prediction];
    }
    const std::vector<std::uint64_t> found = numbered(codes, base * base * base);
    out_.of_sizes = grouped(pairs_.sums, found.size(), [&](const auto& visit) {
      for (std::size_t pair = 0; pair < codes.size(); ++pair) visit(pair, codes[pair]);
    });
    std::vector<std::uint32_t> sizes;
    for (const std::uint64_t code : found) {
      for (const std::uint64_t place : {code / base / base, code / base % base, code % base}) {
        sizes.push_back(distinct[place]);
      }
    }
    out_.sizes = std::move(sizes);
  }

  struct Used {
    std::uint64_t head;
    std::uint32_t set;
  };

  void sort_sets(std::vector<Used>& used) const {
    std::vector<Used> scratch;
    sort_records(used, scratch, [](const Used& one) { return one.head; });
    const auto less = [this](const Used& a, const Used& b) {
      const LabelSets& sets = pairs_.sets;
      return order_of_sets(sets.template set<Set>(a.set), sets.template set<Set>(b.set)) < 0;
    };
    const StopSign sign;
    for (auto first = used.begin(); first != used.end();) {
      auto last = first + 1;
      while (last != used.end() && last->head == first->head) ++last;
      if (last - first > 1) {
        sign.obey();
        std::sort(first, last, less);
      }
      first = last;
    }
  }

  void count_sets() {
    constexpr std::uint32_t kNoRank = UINT32_MAX;
    const LabelSets& sets = pairs_.sets;
    std::vector<std::uint32_t> ranks(sets.size(), kNoRank);
    std::vector<Used> used;
    for (const auto* const side : {&pairs_.truth, &pairs_.prediction}) {
      for (const std::uint32_t set : *side) {
        if (std::exchange(ranks[set], 0) != kNoRank) continue;
        used.push_back({head_of_set(sets.template set<Set>(set)), set});
      }
    }
    sort_sets(used);
    const std::size_t n_labels = out_.labels->size();
    LabelSetsBuilder found(sets.listed(), n_labels);
    found.reserve(used.size(), sets.listed() ? sets.n_members() : 0);
    for (std::size_t rank = 0; rank < used.size(); ++rank) {
      ranks[used[rank].set] = static_cast<std::uint32_t>(rank);
      found.add(sets.template set<Set>(used[rank].set));
    }
    EntrySums sums = pairs_.sums;
    sums.has_squares = false;
    sums.squares = {};
    out_.of_sets = grouped(sums, 3 * used.size(), [&](const auto& visit) {
      for (std::size_t pair = 0; pair < pairs_.size(); ++pair) {
        const std::uint32_t truth = pairs_.truth[pair], prediction = pairs_.prediction[pair];
        visit(pair, 3 * std::size_t{ranks[truth]});
        visit(pair, 3 * std::size_t{ranks[prediction]} + 1);
        if (truth == prediction) visit(pair, 3 * std::size_t{ranks[truth]} + 2);
      }
    });
    pairs_ = {};
    out_.sets = found.take().compact(n_labels);
  }

  PairsOfSets pairs_;
  SetCounts out_;
};

}  // namespace

SetCounts state_of_pairs(PairsOfSets pairs, SharedLabels labels, std::vector<std::int64_t> cells) {
  if (pairs.sets.listed()) {
    return FromPairs<SetMembers>(std::move(pairs), std::move(labels), std::move(cells)).run();
  }
  return FromPairs<SetBits>(std::move(pairs), std::move(labels), std::move(cells)).run();
}

PairsOfSets without_zeros(PairsOfSets pairs) {
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (!pairs.sums.is_zero(i)) kept.push_back(i);
  }
  if (kept.size() == pairs.size()) return pairs;
  PairsOfSets out;
  for (const std::size_t i : kept) {
    out.truth.push_back(pairs.truth[i]);
    out.prediction.push_back(pairs.prediction[i]);
  }
  out.sums = grouped(pairs.sums, kept.size(), [&](const auto& visit) {
    for (std::size_t i = 0; i < kept.size(); ++i) visit(kept[i], i);
  });
  out.sets = std::move(pairs.sets);
  return out;
}

}  // namespace confmat
