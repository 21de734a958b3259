// The states of a regression of many slices of columns in memory: rows are moved to their slices,
// which are summed one by one. Cost: one pass, and 16 bytes a row while it goes on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "confmat/arrow/binary_views.hpp"
#include "confmat/batch/column.hpp"
#include "confmat/tally/moments.hpp"

namespace confmat {

// Of each slice the bytes of its state. None: a row has a null.
// Needs: the slice of each row, below `n_slices`; as many rows in both columns. Throws InputError:
// see moments_of; it names no row.
std::optional<BinaryViews> slice_moments(std::span<const std::uint32_t> slices,
                                         std::size_t n_slices, Chunks y_true, Chunks y_pred,
                                         const MomentOptions& options);

}  // namespace confmat
