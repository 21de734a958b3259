// Numbers that are no rows of a registry, and what has them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace confmat::metrics {

// Name and place, as a call in Python: {"ami", "m.adjusted_mutual_information()"}.
std::span<const std::pair<std::string_view, std::string_view>> elsewhere();

// What to say of a name that is asked for as a metric; empty where it is none of these.
std::string told_elsewhere(std::string_view name);

}  // namespace confmat::metrics
