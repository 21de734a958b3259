// Takes saved states of any kind away from each other.
#include "confmat/state/state_difference.hpp"

#include <string>
#include <type_traits>

#include "confmat/base/error.hpp"
#include "confmat/state/slice_table.hpp"

namespace confmat {

StateDifference::State StateDifference::decoded(Bytes bytes) {
  switch (kind_of(bytes)) {
    case StateKind::kCounts:
      return decode_counts(bytes);
    case StateKind::kCurve:
    case StateKind::kBins:
      return decode_sweep(bytes);
    case StateKind::kClasses:
      return decode_class_scores(bytes);
    case StateKind::kSets:
      return decode_set_counts(bytes);
    case StateKind::kSetScores:
      return decode_set_scores(bytes);
    case StateKind::kJoint:
      return decode_joint(bytes);
    case StateKind::kMoments:
      return decode_moments(bytes);
    case StateKind::kJointScores:
      return decode_joint_scores(bytes);
    case StateKind::kTable:
      break;  // of() takes these
  }
  return {};
}

std::vector<std::uint8_t> StateDifference::of(Bytes whole, Bytes part) {
  if (kind_of(whole) == StateKind::kTable && kind_of(part) == StateKind::kTable) {
    return taken_away(decode_table(whole), decode_table(part));
  }
  if (whole.data() != read_.data() || whole.size() != read_.size()) {
    read_ = {};
    whole_ = decoded(whole);
    read_ = whole;
  }
  const State other = decoded(part);
  return std::visit(
      [&]<class Kind>(const Kind& one) -> std::vector<std::uint8_t> {
        if constexpr (!std::is_same_v<Kind, std::monostate>) {
          if (const Kind* const less = std::get_if<Kind>(&other)) {
            return encode(taken_away(one, *less));
          }
        }
        const auto name = [](Bytes bytes) {
          return std::string(find_kind(static_cast<std::uint16_t>(kind_of(bytes)))->name);
        };
        throw InputError("states of several kinds: " + name(whole) + " and " + name(part));
      },
      whole_);
}

}  // namespace confmat
