// The error of a name that no metric has: whoever knows other kinds of metrics may say more.
#pragma once

#include "confmat/base/error.hpp"

namespace confmat::metrics {

class UnknownMetric : public InputError {
 public:
  using InputError::InputError;
};

}  // namespace confmat::metrics
