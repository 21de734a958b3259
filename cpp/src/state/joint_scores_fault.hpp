// Whether sweeps and cells are those of the same rows.
#pragma once

#include <optional>
#include <string>

#include "confmat/state/joint_scores.hpp"

namespace confmat {

// What is wrong; none: all is as the same rows give it. Sums of floats are not compared.
std::optional<std::string> fault_of(const JointScores& scores);

}  // namespace confmat
