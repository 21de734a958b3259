// The error of a name that no metric has: whoever knows other kinds of metrics may say more.
#pragma once

#include <string>

#include "confmat/base/error.hpp"

namespace confmat::metrics {

class UnknownMetric : public InputError {
 public:
  UnknownMetric(const std::string& message, bool has_near)
      : InputError(message), has_near_(has_near) {}

  // Whether the message tells names like it.
  [[nodiscard]] bool has_near() const noexcept { return has_near_; }

 private:
  bool has_near_;
};

}  // namespace confmat::metrics
