// Saved scores of two models: read alone, added, taken away.
#include "confmat/base/error.hpp"
#include "mutate.hpp"
#include "sealed.hpp"
#include "support/joint_score_row.hpp"
#include "target.hpp"

namespace confmat::fuzz {
namespace {

std::vector<Bytes> seeds() {
  using host::joint_scores;
  return {encode(joint_scores(std::vector<host::ScoredRow>())),
          encode(joint_scores(std::vector<host::ScoredRow>{
              {true, 100, 7, 0}, {false, 9000, 120'000, 0}, {true, 9001, 7, 0}})),
          encode(joint_scores({false, 131'050, 0, 0})),
          encode(joint_scores(std::vector<host::ScoredRow>{
              {true, 100, 7, 0.5}, {false, 100, 7, 0x1p-60}, {true, 90'000, 8, 1e100}}))};
}

void run(std::span<const std::uint8_t> input) {
  static const std::vector<Bytes> others = seeds();
  const Bytes bytes = mended(input);
  JointScores read;
  try {
    read = decode_joint_scores(bytes);
  } catch (const InputError&) {
    return;  // what wrong bytes deserve
  } catch (const StateError&) {
    return;
  }
  require(encode(read) == bytes, "what is read is written as it was");
  require(are_same(read, read), "joint scores are the same as themselves");
  for (const Bytes& other : others) {
    try {
      const JointScores all = added(read, decode_joint_scores(other));
      require(are_same(decode_joint_scores(encode(all)), all), "a sum is read as it was");
      const JointScores rest = taken_away(all, read);
      require(are_same(decode_joint_scores(encode(rest)), rest), "a difference likewise");
    } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): of other classes
    }
  }
}

const Target kJointScores("joint_score_states", run, seeds);

}  // namespace
}  // namespace confmat::fuzz
