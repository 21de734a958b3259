// Metrics of callers: a name that is asked for brings its formula along, so that a request means
// the same in every process. "my_f1_macro := my_f1 0 1 higher tp tp fp + /".
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "confmat/metrics/registry.hpp"
#include "confmat/metrics/row.hpp"

namespace confmat::metrics {

// The row of a definition, "NAME LO HI BETTER STEPS", made when it is first seen and kept. Throws
// InputError for one that does not hold together.
std::int32_t own_row_of(std::string_view definition);
const Row& own_row(std::int32_t index);

// The ask of a name that brings its formula; none for others.
std::optional<Ask> parse_own(std::string_view text);

}  // namespace confmat::metrics
