// Saved states without the rows of others of their kind.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "confmat/state/class_scores.hpp"
#include "confmat/state/counts.hpp"
#include "confmat/state/joint.hpp"
#include "confmat/state/joint_scores.hpp"
#include "confmat/state/moments.hpp"
#include "confmat/state/set_counts.hpp"
#include "confmat/state/set_scores.hpp"
#include "confmat/state/sweep.hpp"

namespace confmat {

class StateDifference {
 public:
  // The rows of `whole` that are not in `part`. The same bytes of `whole`, one call after the
  // other, are read once. Needs: they outlive the next call.
  // Throws StateError, InputError: `part` is none of it, or of another kind.
  [[nodiscard]] std::vector<std::uint8_t> of(Bytes whole, Bytes part);

 private:
  using State = std::variant<std::monostate, Counts, Sweep, ClassScores, SetCounts, SetScores,
                             Joint, Moments, JointScores>;
  static State decoded(Bytes bytes);

  Bytes read_;
  State whole_;
};

}  // namespace confmat
