// The names that were meant by one that no metric has, for error messages.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace confmat::metrics {

// Of "macro_f1", "mean_f1" and "f1_avg" "f1_macro", of "quadratic_kappa" "kappa_quadratic", if
// there is such a metric; else nothing.
std::string other_way_round(std::string_view name);

// "'precision', 'precision_macro'", or empty when nothing is close.
std::string nearest_names(std::string_view name);
// The same among these.
std::string nearest_of(std::string_view name, std::span<const std::string_view> known);

}  // namespace confmat::metrics
