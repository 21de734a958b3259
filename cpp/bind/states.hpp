// States as Python objects share them.
#pragma once

#include <memory>

#include "confmat/state/counts.hpp"

namespace confmat::bind {

using StatePtr = std::shared_ptr<Counts>;

}  // namespace confmat::bind
