// Adds up scores of many classes, and takes them away.
#include "confmat/state/class_scores.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "confmat/base/error.hpp"

namespace confmat {
namespace {

using Operation = EntryMerge::Operation;

EntrySums merged(const EntrySums& one, const EntrySums& other, Operation operation) {
  const auto [left, right] = in_one_form(one, other);
  EntryMerge out(left, right, operation);
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (!out.next(i, i)) {
      throw InputError("cannot subtract: the second has rows that are not in the first");
    }
  }
  return out.take();
}

ClassScores merged(const ClassScores& one, const ClassScores& other, Operation operation) {
  const bool adds = operation == Operation::kAdd;
  require_alike(one, other, adds ? "add" : "subtract");
  ClassScores out;
  out.argmax = adds ? added(one.argmax, other.argmax) : taken_away(one.argmax, other.argmax);
  out.has_pairs = one.has_pairs;
  for (std::size_t i = 0; i < one.sweeps.size(); ++i) {
    out.sweeps.push_back(adds ? added(one.sweeps[i], other.sweeps[i])
                              : taken_away(one.sweeps[i], other.sweeps[i]));
  }
  out.top = adds ? added(one.top, other.top) : taken_away(one.top, other.top);
  out.ranks = merged(one.ranks, other.ranks, operation);
  out.are_probabilities = one.are_probabilities && other.are_probabilities;
  if (!out.are_probabilities) return out;
  out.losses = merged(one.losses, other.losses, operation);
  if (adds) {
    if (__builtin_add_overflow(one.n_clipped, other.n_clipped, &out.n_clipped)) {
      throw InputError("cannot add: the number of rows is beyond 64-bit integers");
    }
  } else {
    out.n_clipped = one.n_clipped - other.n_clipped;
    if (out.n_clipped < 0) {
      throw InputError("cannot subtract: the second has rows that are not in the first");
    }
  }
  return out;
}

}  // namespace

void require_alike(const ClassScores& one, const ClassScores& other, const char* verb) {
  const Labels& first = one.argmax.labels->labels;
  const Labels& second = other.argmax.labels->labels;
  if (first != second) refuse_labels(verb, first, second);  // as a class has a column of scores
  if (one.has_pairs != other.has_pairs) {
    throw InputError("cannot " + std::string(verb) +
                     ": one keeps pairs of classes and the other does not; make both with the "
                     "same `pairs`");
  }
}

ClassScores added(const ClassScores& one, const ClassScores& other) {
  return merged(one, other, Operation::kAdd);
}

ClassScores taken_away(const ClassScores& one, const ClassScores& other) {
  return merged(one, other, Operation::kSubtract);
}

bool are_same(const ClassScores& one, const ClassScores& other) {
  return one.has_pairs == other.has_pairs && one.are_probabilities == other.are_probabilities &&
         one.n_clipped == other.n_clipped && are_same(one.argmax, other.argmax) &&
         are_same(one.top, other.top) &&
         std::ranges::equal(one.sweeps, other.sweeps,
                            [](const Sweep& a, const Sweep& b) { return are_same(a, b); }) &&
         are_same(one.ranks, other.ranks) && are_same(one.losses, other.losses);
}

}  // namespace confmat
