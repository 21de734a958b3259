// The state of the scores that two models, called A and B, give the same rows: a sweep of each,
// whose bins are fine, and how often coarser bins of both occur together in each class.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "confmat/state/codec.hpp"
#include "confmat/state/joint.hpp"
#include "confmat/state/sweep.hpp"

namespace confmat {

// Cells of a state at the finest level where there are no more; at the coarsest there may be.
inline constexpr std::size_t kMostJointCells = std::size_t{1} << 17;

// The numbers of the "unit" bins of a level, as the classes of joint counts.
const SharedLabels& joint_bins(unsigned level);

struct JointScores {
  RowTotals rows;
  // In "unit" bins, of the same classes; rows that are left out are counted in `rows` alone.
  Sweep a, b;
  unsigned level = 0;
  Joint bins;  // of joint_bins(level); the true class is 1 where it is the positive one, else 0
};

// Rows, or distinct ones: the class, 1 or 0, the finest bins of both scores, and how many rows
// there are, or which float weight they have.
struct JointCells {
  std::span<const std::int32_t> positive;
  std::span<const std::uint32_t> a, b;
  std::variant<std::span<const std::int64_t>, std::span<const double>> amounts;
};
// Throws InputError: not what the same rows give.
JointScores joint_scores_of(const RowTotals& rows, Sweep a, Sweep b, const JointCells& cells);

// As of sweeps. Throws InputError.
JointScores added(const JointScores& one, const JointScores& other);
JointScores taken_away(const JointScores& one, const JointScores& other);

// Whether rows left out, sweeps and cells, each rounded, are the same.
bool are_same(const JointScores& one, const JointScores& other);

std::vector<std::uint8_t> encode(const JointScores& scores);
// Throws StateError: see open_state; what no rows give.
JointScores decode_joint_scores(Bytes bytes);

}  // namespace confmat
