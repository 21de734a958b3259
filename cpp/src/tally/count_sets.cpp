// Makes states of rows with sets of labels, from the pairs of sets that occur.
#include "confmat/tally/count_sets.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>
#include <vector>

#include "confmat/base/interrupt.hpp"
#include "confmat/base/threads.hpp"
#include "pairs_of_sets.hpp"
#include "weight_totals.hpp"

namespace confmat {
namespace {

// An entry and the group that it belongs to.
struct Member {
  std::size_t entry, group;
};

// The sums of the entries of each group, of which there are n. Needs: the total is in range.
EntrySums grouped(const EntrySums& of, std::vector<Member> members, std::size_t n) {
  EntrySums out;
  out.has_floats = of.has_floats;
  out.has_squares = of.has_squares;
  if (!of.has_floats) {
    std::vector<std::int64_t> counts(n);
    for (const Member& member : members) counts[member.group] += of.counts[member.entry];
    out.counts = std::move(counts);
  }
  if (!of.has_floats && !of.has_squares) return out;
  std::ranges::sort(members, {}, &Member::group);
  const auto summed = [&](const ExactSums& from) {
    ExactSumsBuilder sums;
    sums.reserve(n);
    ExactTotal total;
    const StopSign sign;
    for (std::size_t group = 0, at = 0; group < n; ++group) {
      if ((group & 0xFFFU) == 0) sign.obey();
      if (at == members.size() || members[at].group != group) {
        sums.add(0.0);
        continue;
      }
      total.clear();
      for (; at < members.size() && members[at].group == group; ++at) {
        total.add(from, members[at].entry);
      }
      sums.add(total);
    }
    return sums.take();
  };
  if (of.has_floats) out.weights = summed(of.weights);
  if (of.has_squares) out.squares = summed(of.squares);
  return out;
}

constexpr std::array<std::uint8_t, 256> kBits = [] {
  std::array<std::uint8_t, 256> bits{};
  for (std::size_t i = 0; i < bits.size(); ++i) {
    bits[i] = static_cast<std::uint8_t>(std::popcount(i));
  }
  return bits;
}();
std::uint64_t bits_of(int byte) noexcept { return kBits[static_cast<std::size_t>(byte)]; }

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

// Makes a state of pairs that hold something.
class FromPairs {
 public:
  FromPairs(PairsOfSets pairs, SharedLabels labels) : pairs_(std::move(pairs)) {
    out_.labels = std::move(labels);
  }
  // Where the cells are counted already.
  FromPairs(PairsOfSets pairs, SharedLabels labels, std::vector<std::int64_t> cells)
      : FromPairs(std::move(pairs), std::move(labels)) {
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
      each_label([&](std::size_t pair, std::size_t label, std::size_t cell) {
        counts[4 * label + cell] += pairs_.sums.counts[pair];
      });
      std::int64_t total = 0;
      for (const std::int64_t count : pairs_.sums.counts.view()) total += count;
      for (std::size_t at = 0; at < counts.size(); at += 4) {
        counts[at] = total - counts[at + 1] - counts[at + 2] - counts[at + 3];
      }
      cells.counts = std::move(counts);
    } else {
      cells.weights = exact_cells(pairs_.sums.weights);
    }
    if (cells.has_squares) cells.squares = exact_cells(pairs_.sums.squares);
  }

  [[nodiscard]] ExactSums exact_cells(const ExactSums& of) const {
    const std::size_t n_labels = out_.labels->size();
    std::vector<ExactTotal> totals(4 * n_labels);
    each_label([&](std::size_t pair, std::size_t label, std::size_t cell) {
      totals[4 * label + cell].add(of, pair);
    });
    ExactTotal all;
    for (std::size_t pair = 0; pair < of.leads.size(); ++pair) all.add(of, pair);
    ExactSumsBuilder out;
    out.reserve(totals.size());
    for (std::size_t at = 0; at < totals.size(); at += 4) {
      totals[at] = all;
      for (std::size_t cell = 1; cell < 4; ++cell) totals[at].take_away(totals[at + cell]);
      for (std::size_t cell = 0; cell < 4; ++cell) out.add(totals[at + cell]);
    }
    return out.take();
  }

  // Calls visit(pair, label, cell) for the labels that are in a set of a pair.
  template <class Visit>
  void each_label(const Visit& visit) const {
    const StopSign sign;
    for (std::size_t pair = 0; pair < pairs_.size(); ++pair) {
      if ((pair & 0xFFFU) == 0) sign.obey();
      const auto truth = pairs_.set(pairs_.truth[pair]);
      const auto prediction = pairs_.set(pairs_.prediction[pair]);
      for (std::size_t byte = 0; byte < pairs_.set_bytes; ++byte) {
        const unsigned of_truth = truth[byte], of_prediction = prediction[byte];
        for (unsigned any = of_truth | of_prediction; any != 0; any &= any - 1) {
          const auto bit = static_cast<unsigned>(std::countr_zero(any));
          const std::size_t in_truth = (of_truth >> bit) & 1U;
          const std::size_t in_prediction = (of_prediction >> bit) & 1U;
          visit(pair, 8 * byte + bit, 2 * in_truth + in_prediction);
        }
      }
    }
  }

  void count_sizes() {
    const std::uint64_t base = std::uint64_t{out_.labels->size()} + 1;
    std::vector<std::uint64_t> codes(pairs_.size());
    for (std::size_t pair = 0; pair < pairs_.size(); ++pair) {
      const auto truth = pairs_.set(pairs_.truth[pair]);
      const auto prediction = pairs_.set(pairs_.prediction[pair]);
      std::uint64_t shared = 0, of_truth = 0, of_prediction = 0;
      for (std::size_t byte = 0; byte < pairs_.set_bytes; ++byte) {
        shared += bits_of(truth[byte] & prediction[byte]);
        of_truth += bits_of(truth[byte]);
        of_prediction += bits_of(prediction[byte]);
      }
      codes[pair] = (shared * base + of_truth) * base + of_prediction;
    }
    const std::vector<std::uint64_t> found = numbered(codes, base * base * base);
    std::vector<Member> members(pairs_.size());
    for (std::size_t pair = 0; pair < pairs_.size(); ++pair) {
      members[pair] = {pair, static_cast<std::size_t>(codes[pair])};
    }
    out_.of_sizes = grouped(pairs_.sums, std::move(members), found.size());
    std::vector<std::uint32_t> sizes;
    for (const std::uint64_t code : found) {
      for (const std::uint64_t size : {code / base / base, code / base % base, code % base}) {
        sizes.push_back(static_cast<std::uint32_t>(size));
      }
    }
    out_.sizes = std::move(sizes);
  }

  void count_sets() {
    constexpr std::size_t kNoRank = SIZE_MAX;
    std::vector<std::size_t> ranks(pairs_.sets.size() / std::max<std::size_t>(pairs_.set_bytes, 1),
                                   kNoRank);
    if (pairs_.set_bytes == 0) ranks.assign(pairs_.size() > 0 ? 1 : 0, kNoRank);
    std::vector<std::uint32_t> used;
    for (const auto* const side : {&pairs_.truth, &pairs_.prediction}) {
      for (const std::uint32_t set : *side) {
        if (std::exchange(ranks[set], 0) == kNoRank) used.push_back(set);
      }
    }
    std::ranges::sort(used, [&](std::uint32_t a, std::uint32_t b) {
      const auto one = pairs_.set(a), other = pairs_.set(b);
      return std::lexicographical_compare(one.rbegin(), one.rend(), other.rbegin(), other.rend());
    });
    std::vector<std::uint8_t> sets;
    for (std::size_t rank = 0; rank < used.size(); ++rank) {
      ranks[used[rank]] = rank;
      const auto set = pairs_.set(used[rank]);
      sets.insert(sets.end(), set.begin(), set.end());
    }
    std::vector<Member> members;
    members.reserve(2 * pairs_.size());
    for (std::size_t pair = 0; pair < pairs_.size(); ++pair) {
      const std::uint32_t truth = pairs_.truth[pair], prediction = pairs_.prediction[pair];
      members.push_back({pair, 3 * ranks[truth]});
      members.push_back({pair, 3 * ranks[prediction] + 1});
      if (truth == prediction) members.push_back({pair, 3 * ranks[truth] + 2});
    }
    EntrySums sums = pairs_.sums;
    sums.has_squares = false;
    sums.squares = {};
    out_.of_sets = grouped(sums, std::move(members), 3 * used.size());
    out_.sets = std::move(sets);
  }

  PairsOfSets pairs_;
  SetCounts out_;
};

// Without the pairs that only rows of weight 0 have.
PairsOfSets filled(PairsOfSets pairs) {
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (!pairs.sums.is_zero(i)) kept.push_back(i);
  }
  if (kept.size() == pairs.size()) return pairs;
  std::vector<Member> members;
  PairsOfSets out{pairs.set_bytes, std::move(pairs.sets), {}, {}, {}};
  for (const std::size_t i : kept) {
    members.push_back({i, members.size()});
    out.truth.push_back(pairs.truth[i]);
    out.prediction.push_back(pairs.prediction[i]);
  }
  out.sums = grouped(pairs.sums, std::move(members), kept.size());
  return out;
}

}  // namespace

SetCounts count_sets(BoolTable truth, BoolTable prediction, std::int64_t rows, SharedLabels labels,
                     const SetWeights& weights, int threads) {
  const std::size_t n_labels = labels->size();
  SetCounts out;
  if (weights.kind == SetWeights::Kind::kNone && n_labels > 0 && n_labels <= kMostSetLabels) {
    const auto few = static_cast<unsigned>(n_labels);
    SetPairs found = count_set_pairs(truth, prediction, rows, few, threads);
    out = FromPairs(pairs_of(found, few), std::move(labels), std::move(found.cells)).run();
  } else {
    const int parts = thread_count(threads, rows);
    std::vector<SetCounts> counted(static_cast<std::size_t>(parts));
    over_ranges(parts, rows, [&](int part, std::int64_t first, std::int64_t last) {
      counted[static_cast<std::size_t>(part)] =
          FromPairs(filled(pairs_of(truth, prediction, first, last, n_labels, weights)), labels)
              .run();
    });
    out = std::move(counted[0]);
    for (std::size_t part = 1; part < counted.size(); ++part) out = added(out, counted[part]);
  }
  out.rows = {.counted = rows};
  return out;
}

}  // namespace confmat
