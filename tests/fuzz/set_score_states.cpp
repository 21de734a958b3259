// Saved scores for sets of labels: read alone, added, taken away.
#include "confmat/base/error.hpp"
#include "confmat/state/set_scores.hpp"
#include "mutate.hpp"
#include "sealed.hpp"
#include "target.hpp"

namespace confmat::fuzz {
namespace {

// Three rows, in bins or with their scores.
Sweep sweep(bool is_exact) {
  Sweep out;
  out.labels = sweep_labels(Labels{Labels::Kind::kBool, {0}, {}}, {Labels::Kind::kBool, {1}, {}});
  out.rows.counted = 3;
  if (is_exact) {
    out.scores = SharedArray<double>(std::vector<double>{0.5, 0.25});
  } else {
    out.grid = {.kind = Grid::Kind::kMap, .map = BinMap::of_number(16), .edges = {}};
    out.is_exact = false;
    out.bins = std::vector<std::uint32_t>{7, 5};
  }
  out.positives = SharedArray<std::uint32_t>(std::vector{1U, 1U});
  out.negatives = SharedArray<std::uint32_t>(std::vector{0U, 1U});
  return out;
}

SetScores scores(bool is_exact) {
  SetScores out;
  out.labels = std::make_shared<const LabelSet>(
      LabelSet{{Labels::Kind::kText, {}, {"b", "a"}}, Origin::kGiven, 0});
  out.rows = {.counted = 3, .dropped = 2, .nan = 1};
  for (int i = 0; i < 2; ++i) out.sweeps.push_back(sweep(is_exact));
  out.order = {std::vector<double>{1.5, 4, 0.25}, std::vector<Tail>{{0, 0x1p-60}}};
  return out;
}

std::vector<Bytes> seeds() {
  SetScores none;
  none.rows.counted = 0;
  none.order.leads = std::vector<double>(kOrderSums);
  return {encode(none), encode(scores(false)), encode(scores(true))};
}

void run(std::span<const std::uint8_t> input) {
  static const std::vector<Bytes> others = seeds();
  const Bytes bytes = mended(input);
  try {
    const SetScores read = decode_set_scores(bytes);
    require(encode(read) == bytes, "what is read is written as it was");
    require(are_same(read, read), "scores are the same as themselves");
    for (const Bytes& other : others) {
      try {
        const SetScores all = added(read, decode_set_scores(other));
        require(are_same(decode_set_scores(encode(all)), all), "a sum is read as it was");
        const SetScores rest = taken_away(all, read);
        require(are_same(decode_set_scores(encode(rest)), rest), "so is a difference");
      } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): of other labels
      }
    }
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): what wrong bytes deserve
  } catch (const StateError&) {  // NOLINT(bugprone-empty-catch)
  }
}

const Target kSetScores("set_score_states", run, seeds);

}  // namespace
}  // namespace confmat::fuzz
