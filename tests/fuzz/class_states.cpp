// Saved scores of many classes: read alone, added, taken away.
#include "confmat/base/error.hpp"
#include "confmat/state/class_scores.hpp"
#include "mutate.hpp"
#include "sealed.hpp"
#include "target.hpp"

namespace confmat::fuzz {
namespace {

constexpr std::uint32_t kRows = 3;

// Three rows, right ones in bin 7, wrong ones in bin 5.
Sweep sweep(std::uint32_t positives, std::uint32_t negatives) {
  Sweep out;
  out.labels = sweep_labels(Labels{Labels::Kind::kBool, {0}, {}}, {Labels::Kind::kBool, {1}, {}});
  out.rows.counted = positives + negatives;
  out.grid = {.kind = Grid::Kind::kMap, .map = BinMap::of_number(16), .edges = {}};
  out.is_exact = false;
  out.bins = std::vector<std::uint32_t>{7, 5};
  out.positives = SharedArray<std::uint32_t>(std::vector{positives, 1U});
  out.negatives = SharedArray<std::uint32_t>(std::vector{0U, negatives});
  out.rows.counted = positives + 1 + negatives;
  return out;
}

ClassScores scores(bool has_pairs, bool are_probabilities) {
  ClassScores out;
  out.argmax.labels = std::make_shared<const LabelSet>(
      LabelSet{{Labels::Kind::kInt, {3, 8}, {}}, Origin::kGiven, 0});
  out.argmax.rows = {.counted = kRows, .dropped = 2};
  out.argmax.cells = std::vector<std::int64_t>{1, 0, 1, 1};
  out.has_pairs = has_pairs;
  for (std::size_t i = 0; i < out.n_sweeps(); ++i) out.sweeps.push_back(sweep(1, 1));
  out.top = sweep(1, 1);
  out.ranks.counts = std::vector<std::int64_t>{2, 1, 2, 1, 2, 1, 2, 1};
  out.are_probabilities = are_probabilities;
  out.losses.has_floats = are_probabilities;
  if (are_probabilities) {
    out.losses.weights = {std::vector<double>{1.5, 0.75}, std::vector<Tail>{{0, 0x1p-60}}};
    out.n_clipped = 1;
  }
  return out;
}

std::vector<Bytes> seeds() {
  ClassScores none;
  none.argmax.rows.counted = 0;
  none.top.grid = {.kind = Grid::Kind::kMap, .map = BinMap::of_number(16), .edges = {}};
  none.top.labels =
      sweep_labels(Labels{Labels::Kind::kBool, {0}, {}}, {Labels::Kind::kBool, {1}, {}});
  none.top.rows.counted = 0;
  none.are_probabilities = false;
  return {encode(none), encode(scores(false, true)), encode(scores(true, false))};
}

void run(std::span<const std::uint8_t> input) {
  static const std::vector<Bytes> others = seeds();
  const Bytes bytes = mended(input);
  try {
    const ClassScores read = decode_class_scores(bytes);
    require(encode(read) == bytes, "what is read is written as it was");
    require(are_same(read, read), "scores are the same as themselves");
    for (const Bytes& other : others) {
      try {
        const ClassScores all = added(read, decode_class_scores(other));
        require(are_same(decode_class_scores(encode(all)), all), "a sum is read as it was");
        const ClassScores rest = taken_away(all, read);
        require(are_same(decode_class_scores(encode(rest)), rest), "so is a difference");
      } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): of other labels
      }
    }
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): what wrong bytes deserve
  } catch (const StateError&) {  // NOLINT(bugprone-empty-catch)
  }
}

const Target kClasses("class_states", run, seeds);

}  // namespace
}  // namespace confmat::fuzz
