// States as Python objects share them.
#pragma once

#include <memory>

#include "confmat/state/class_scores.hpp"
#include "confmat/state/counts.hpp"
#include "confmat/state/joint.hpp"
#include "confmat/state/joint_scores.hpp"
#include "confmat/state/moments.hpp"
#include "confmat/state/set_counts.hpp"
#include "confmat/state/set_scores.hpp"
#include "confmat/state/sweep.hpp"

namespace confmat::bind {

using StatePtr = std::shared_ptr<Counts>;
using SweepPtr = std::shared_ptr<Sweep>;
using ClassesPtr = std::shared_ptr<ClassScores>;
using SetsPtr = std::shared_ptr<SetCounts>;
using JointPtr = std::shared_ptr<Joint>;
using JointScoresPtr = std::shared_ptr<JointScores>;
using MomentsPtr = std::shared_ptr<Moments>;
using SetScoresPtr = std::shared_ptr<SetScores>;

}  // namespace confmat::bind
