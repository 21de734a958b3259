// The wins of each class against each other one, without the ladders. Of counts.
#pragma once

#include <cstdint>
#include <vector>

#include "confmat/tally/probabilities.hpp"

namespace confmat {

// See Wins::exact. Needs: no weights, less than 2^32 rows.
std::vector<std::uint64_t> count_wins(const ProbabilityTable& table, int threads);

}  // namespace confmat
