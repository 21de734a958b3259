// The state of scores for sets of labels: a sweep of each label, and sums over the rows of how the
// scores order their labels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "confmat/state/codec.hpp"
#include "confmat/state/entry_sums.hpp"
#include "confmat/state/labels.hpp"
#include "confmat/state/sweep.hpp"

namespace confmat {

// Average precision of the order of labels, coverage error, share of pairs in the wrong order.
inline constexpr std::size_t kOrderSums = 3;

struct SetScores {
  SharedLabels labels = std::make_shared<const LabelSet>();
  RowTotals rows;
  std::vector<Sweep> sweeps;  // of each label: rows that have it are its positives
  ExactSums order;            // kOrderSums sums over rows
};

inline std::vector<Sweep*> sweeps_in(SetScores& scores) {
  std::vector<Sweep*> out;
  out.reserve(scores.sweeps.size());
  for (Sweep& sweep : scores.sweeps) out.push_back(&sweep);
  return out;
}

// Throws InputError: they cannot be added, or whatever the verb is, as they are of other labels.
void require_alike(const SetScores& one, const SetScores& other, const char* verb);

// The state of the rows of both. Throws InputError: labels, bins or types of scores that differ.
SetScores added(const SetScores& one, const SetScores& other);

// The state of the rows of the first that are not in the other.
// Throws InputError: the same, and an entry that is larger in the other.
SetScores taken_away(const SetScores& one, const SetScores& other);

// Whether labels, rows left out, and all entries, rounded, are the same.
bool are_same(const SetScores& one, const SetScores& other);

std::vector<std::uint8_t> encode(const SetScores& scores);
// The same with sweeps of counts that are saved already, in place of its own.
std::vector<std::uint8_t> encode(const SetScores& scores,
                                 const std::vector<std::vector<std::uint8_t>>& sweeps);
// Throws StateError: see open_state; what no rows have.
SetScores decode_set_scores(Bytes bytes);
// The same, with sweeps as `read` gives them: without entries, if it will.
void decode(Bytes bytes, const SweepReader& read, SetScores& out);

}  // namespace confmat
