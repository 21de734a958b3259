// Joint counts of two models from triples of classes that occur, a number of rows each, of many
// groups; and from pairs of classes as matrices count them, for rows with weights.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "confmat/state/joint.hpp"

namespace confmat {

// What a class code may be beside the position of a label.
inline constexpr std::int32_t kNullCode = -1;
inline constexpr std::int32_t kOtherCode = -2;

struct JointTriples {
  std::span<const std::int32_t> truth, a, b;
  std::span<const std::int64_t> n;  // how many rows have them
};

// The saved state of each group: those of its triples from starts[g] up to starts[g + 1]. Of labels
// that were found a group keeps those of its rows. `threads`: 0 for every core.
// Throws InputError: codes, starts or numbers that are none, too many classes or rows.
std::vector<std::vector<std::uint8_t>> joint_states(const JointTriples& triples,
                                                    std::span<const std::int64_t> starts,
                                                    const SharedLabels& labels, int threads);

// From a matrix of integer labels: -1 - t of truth t, and a * K + b of the classes of the models.
// `other`: how many of the rows that it dropped have another label. Throws InputError: other
// labels.
Joint joint_of_pairs(const Counts& pairs, const SharedLabels& labels, std::int64_t other);

}  // namespace confmat
