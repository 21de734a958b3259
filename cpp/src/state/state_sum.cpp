// Adds saved states of any kind.
#include "confmat/state/state_sum.hpp"

#include <string>
#include <utility>

#include "confmat/base/error.hpp"
#include "confmat/state/slice_table.hpp"

namespace confmat {
namespace {

const char* name_of(StateKind kind) { return find_kind(static_cast<std::uint16_t>(kind))->name; }

// Sweeps and binned ones are told apart, with better words, where they are added.
bool go_together(StateKind one, StateKind other) {
  const auto is_sweep = [](StateKind kind) {
    return kind == StateKind::kCurve || kind == StateKind::kBins;
  };
  return one == other || (is_sweep(one) && is_sweep(other));
}

void require_one_kind(StateKind one, StateKind other) {
  if (go_together(one, other)) return;
  throw InputError(std::string("states of several kinds: ") + name_of(one) + " and " +
                   name_of(other));
}

}  // namespace

void StateSum::add(Bytes bytes) {
  const StateKind kind = kind_of(bytes);
  if (!kind_) kind_ = kind;
  require_one_kind(*kind_, kind);
  switch (kind) {
    case StateKind::kCounts:
      return counts_.add(bytes);
    case StateKind::kCurve:
    case StateKind::kBins:
      return sweeps_.add(open_sweep(bytes));
    case StateKind::kClasses:
      return classes_.add(bytes);
    case StateKind::kSets:
      return sets_.add(decode_set_counts(bytes));
    case StateKind::kTable:
      tables_.push_back(bytes);
      return;
    case StateKind::kSetScores:
      return set_scores_.add(bytes);
    case StateKind::kJoint:
      return joints_.add(decode_joint(bytes));
    case StateKind::kMoments:
      return moments_.add(decode_moments(bytes));
    case StateKind::kJointScores:
      return joint_scores_.add(decode_joint_scores(bytes));
  }
}

std::vector<std::uint8_t> StateSum::take() {
  const std::optional<StateKind> kind = std::exchange(kind_, std::nullopt);
  if (!kind) throw InputError("nothing to merge: wanted at least one state");
  switch (*kind) {
    case StateKind::kCounts:
      return encode(counts_.take());
    case StateKind::kCurve:
    case StateKind::kBins:
      return sweeps_.saved();
    case StateKind::kClasses:
      return classes_.saved();
    case StateKind::kSets:
      return encode(sets_.take());
    case StateKind::kTable:
      return merge_saved_tables(std::exchange(tables_, {}));
    case StateKind::kSetScores:
      return set_scores_.saved();
    case StateKind::kJoint:
      return encode(joints_.take());
    case StateKind::kMoments:
      return encode(moments_.take());
    case StateKind::kJointScores:
      return encode(joint_scores_.take());
  }
  return {};
}

}  // namespace confmat
