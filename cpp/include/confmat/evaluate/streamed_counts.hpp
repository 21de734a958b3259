// The counts of one batch as bytes, merged later: what a streaming reduction carries.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "confmat/batch/column.hpp"
#include "confmat/evaluate/group_evaluator.hpp"
#include "confmat/evaluate/spec.hpp"
#include "confmat/state/codec.hpp"

namespace confmat {

// Bytes by the number of cells that are not 0, and never much more than K*K counts.
std::vector<std::uint8_t> partial_counts(Chunks y_true, Chunks y_pred, const Spec& spec,
                                         int threads);

// Union of the labels of all parts, sums of their counts. Throws StateError for foreign bytes.
GroupTable merge_partials(std::span<const Bytes> parts);

}  // namespace confmat
