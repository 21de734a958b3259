// Averages that a known metric does not have.
#pragma once

#include <string>
#include <string_view>

namespace confmat::metrics {

// Why "mcc_micro" is no metric, and what to take; empty: it does not end like an average of one.
std::string absent_average(std::string_view name);

}  // namespace confmat::metrics
