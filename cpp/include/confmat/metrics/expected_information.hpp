// The mutual information that two labelings have by chance, each row of one meeting any row of the
// other: each cell has the hypergeometric distribution of its margins.
#pragma once

#include <cstdint>
#include <span>

namespace confmat::metrics {

// The mean, in nats, good to about 1e-13 of itself whatever the counts are. Needs: rows and cols
// are not negative and have the sum n.
// Cost: at most 1,300 terms for each pair of different margins, 10 us.
double expected_information(std::span<const std::int64_t> rows, std::span<const std::int64_t> cols);

}  // namespace confmat::metrics
