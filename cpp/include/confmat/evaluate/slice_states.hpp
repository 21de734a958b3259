// The states of slices, of the tables that count them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "confmat/state/labels.hpp"
#include "confmat/tally/slice_counts.hpp"

namespace confmat {

// Encoded, in the order of the tables. Labels that were found are, in each state, those of its
// rows. `origin`: where the labels come from. Throws InputError: see with_positive().
std::vector<std::vector<std::uint8_t>> slice_states(const GroupTables& tables, const Labels& labels,
                                                    Origin origin,
                                                    const std::optional<Labels>& positive,
                                                    int threads);
// The same of weighted rows.
std::vector<std::vector<std::uint8_t>> slice_states(std::vector<Counts>&& states,
                                                    const std::optional<Labels>& positive,
                                                    int threads);

}  // namespace confmat
