// Where the metrics come from.
#pragma once

#include <string_view>

namespace confmat::metrics {

// "Matthews (1975), ..." for a key such as "Matthews1975"; empty for an unknown key.
std::string_view reference_text(std::string_view key);

}  // namespace confmat::metrics
