// The names closest to a misspelt one, by edit distance, for error messages.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace confmat::metrics {

// "'precision', 'precision_macro'", or empty when nothing is close.
std::string nearest_names(std::string_view name);
// The same among these.
std::string nearest_of(std::string_view name, std::span<const std::string_view> known);

}  // namespace confmat::metrics
