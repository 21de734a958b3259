// A value that is not defined.
#pragma once

#include <limits>

namespace confmat::metrics {

inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

}  // namespace confmat::metrics
