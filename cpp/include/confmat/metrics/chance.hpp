// How far a mean of recalls is from that of guessing: a sum of shares less one, without the digits
// that the difference would lose.
#pragma once

#include <optional>

#include "confmat/metrics/margins.hpp"

namespace confmat::metrics {

// The sum of the recalls of the classes that averages see, less one, exact to some 200 bits and
// rounded once; nothing where a recall is undefined or the cells are no multiples of a unit.
std::optional<double> recalls_beyond_one(Session& session);

}  // namespace confmat::metrics
