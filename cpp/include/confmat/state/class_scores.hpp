// The state of scores of many classes: the scores of each class in bins, against the rest or by
// true class, and what else of the rows does not follow from these.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "confmat/state/codec.hpp"
#include "confmat/state/counts.hpp"
#include "confmat/state/entry_sums.hpp"
#include "confmat/state/sweep.hpp"

namespace confmat {

struct ClassScores {
  Counts argmax;  // of the class with the highest score; its labels and rows are those of the state
  // Of K classes K sweeps in the bins of one map, of the scores of a class: the rows of this class
  // are its positives. Or K x K, number i * K + j: the scores of class i alone of the rows of
  // class j.
  bool has_pairs = false;
  std::vector<Sweep> sweeps;
  Sweep
      top;  // in the same bins: the highest score of each row; right predictions are its positives
  // 4 x K: by rule for ties, the rows by how many classes stand before the true one.
  EntrySums ranks;
  // Of probabilities: the sums of the log loss and of the Brier score over rows, and the rows whose
  // probability was raised for the former. Nothing unless all rows are probabilities.
  bool are_probabilities = true;
  EntrySums losses;
  std::int64_t n_clipped = 0;

  [[nodiscard]] std::size_t k() const noexcept { return argmax.k(); }
  [[nodiscard]] std::size_t n_sweeps() const noexcept { return has_pairs ? k() * k() : k(); }
};

inline constexpr std::size_t kTieRules = 4;

inline std::vector<Sweep*> sweeps_in(ClassScores& scores) {
  std::vector<Sweep*> out;
  out.reserve(scores.sweeps.size() + 1);
  for (Sweep& sweep : scores.sweeps) out.push_back(&sweep);
  out.push_back(&scores.top);
  return out;
}

// Throws InputError: they cannot be added, or whatever the verb is: other classes, one with pairs
// of classes and one without.
void require_alike(const ClassScores& one, const ClassScores& other, const char* verb);

// The state of the rows of both. Throws InputError: classes, bins or types of scores that differ,
// one with pairs of classes and one without, totals out of range.
ClassScores added(const ClassScores& one, const ClassScores& other);

// The state of the rows of the first that are not in the other.
// Throws InputError: the same, and an entry that is larger in the other.
ClassScores taken_away(const ClassScores& one, const ClassScores& other);

// Whether classes, rows left out, and all entries, rounded, are the same.
bool are_same(const ClassScores& one, const ClassScores& other);

std::vector<std::uint8_t> encode(const ClassScores& scores);
// The same with sweeps of counts that are saved already, in place of its own.
std::vector<std::uint8_t> encode(const ClassScores& scores,
                                 const std::vector<std::vector<std::uint8_t>>& sweeps);
// Throws StateError: see open_state; what no rows have.
ClassScores decode_class_scores(Bytes bytes);
// The same, with sweeps as `read` gives them: without entries, if it will.
void decode(Bytes bytes, const SweepReader& read, ClassScores& out);

}  // namespace confmat
