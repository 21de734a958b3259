// The error of a metric of one class that is asked of several: it asks for pos_label, and who takes
// that, the caller knows.
#pragma once

#include <string>

#include "confmat/base/error.hpp"

namespace confmat::metrics {

class AsksPositive : public InputError {
 public:
  // The text is `asked`, which ends with what to give, and `otherwise`.
  AsksPositive(const std::string& asked, const std::string& otherwise)
      : InputError(asked + otherwise), asked_(asked), otherwise_(otherwise) {}

  [[nodiscard]] const std::string& asked() const noexcept { return asked_; }
  [[nodiscard]] const std::string& otherwise() const noexcept { return otherwise_; }

 private:
  std::string asked_, otherwise_;
};

}  // namespace confmat::metrics
