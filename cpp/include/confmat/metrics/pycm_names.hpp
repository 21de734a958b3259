// The keys under which PyCM knows metrics.
#pragma once

#include <span>
#include <string_view>
#include <utility>

namespace confmat::metrics {

// Key and value name, parameters included: {"F2", "fbeta(2)"}.
std::span<const std::pair<std::string_view, std::string_view>> pycm_names();

}  // namespace confmat::metrics
