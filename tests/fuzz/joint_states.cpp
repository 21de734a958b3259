// Saved joint counts of two models: read alone, added, taken away, summed over a model.
#include "confmat/base/error.hpp"
#include "confmat/state/joint.hpp"
#include "mutate.hpp"
#include "sealed.hpp"
#include "target.hpp"

namespace confmat::fuzz {
namespace {

Bytes joint(const Labels& labels, Origin origin, const std::vector<std::int64_t>& places,
            const std::vector<double>& weights) {
  EntrySums sums;
  sums.has_floats = sums.has_squares = !weights.empty();
  std::vector<std::int64_t> counts;
  ExactSumsBuilder leads, squares;
  std::vector<JointEntry> entries;
  for (std::size_t i = 0; i < places.size(); ++i) {
    entries.push_back({places[i], &sums, i});
    if (weights.empty()) {
      counts.push_back(static_cast<std::int64_t>(i) + 1);
    } else {
      leads.add(weights[i]);
      squares.add(weights[i] * weights[i]);
    }
  }
  RowTotals rows{.counted = 0, .dropped = 1};
  for (const std::int64_t count : counts) rows.counted += count;
  sums.counts = std::move(counts);
  sums.weights = leads.take();
  sums.squares = squares.take();
  auto known = std::make_shared<const LabelSet>(LabelSet{labels, origin, 0});
  return encode(joint_of(std::move(known), rows, std::move(entries), sums));
}

std::vector<Bytes> seeds() {
  const Labels ints{Labels::Kind::kInt, {-1, 4, 9}, {}};
  const Labels bools{Labels::Kind::kBool, {0, 1}, {}};
  const Labels texts{Labels::Kind::kText, {}, {"", "ab"}};
  return {joint({}, Origin::kFound, {}, {}),
          joint(ints, Origin::kFound, {0, 3, 3, 26, 7}, {}),
          joint(ints, Origin::kGiven, {13, 14}, {}),
          joint(bools, Origin::kOfType, {7, 0}, {}),
          joint(texts, Origin::kFound, {1, 1, 5}, {0.5, 0x1p-60, 1e300}),
          joint(ints, Origin::kGiven, {26, 0}, {1e-200, 3.0})};
}

void run(std::span<const std::uint8_t> input) {
  static const std::vector<Bytes> others = seeds();
  const Bytes bytes = mended(input);
  try {
    const Joint read = decode_joint(bytes);
    require(encode(read) == bytes, "what is read is written as it was");
    require(are_same(read, read), "joint counts are the same as themselves");
    for (const Model model : {Model::kA, Model::kB}) {
      if (read.k() > 2048) break;
      const Counts matrix = matrix_of(read, model);
      require(are_same(decode_counts(encode(matrix)), matrix), "a matrix of a model is one");
    }
    for (const Bytes& other : others) {
      try {
        const Joint all = added(read, decode_joint(other));
        require(are_same(decode_joint(encode(all)), all), "a sum is read as it was");
        const Joint rest = taken_away(all, read);
        require(are_same(decode_joint(encode(rest)), rest), "a difference is read as it was");
      } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): of other labels
      }
    }
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): what wrong bytes deserve
  } catch (const StateError&) {  // NOLINT(bugprone-empty-catch)
  }
}

const Target kJoint("joint_states", run, seeds);

}  // namespace
}  // namespace confmat::fuzz
