// The error of a name that no metric of a registry has: what it is of, or names like it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

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

// What a registry has metrics of.
enum class MetricsOf : std::uint8_t { kClasses, kScores, kNumbers };

// Throws InputError that says what has a number of this name, if anything has, or UnknownMetric.
// `near`: names like it in the registry that was asked; empty: there is none.
[[noreturn]] void refuse_name(std::string_view name, MetricsOf asked, const std::string& near);

}  // namespace confmat::metrics
