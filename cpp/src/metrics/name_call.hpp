// A name and the numbers that it holds: "fbeta", "fbeta(2)", "tversky(alpha = 0.3, beta = 0.5)".
#pragma once

#include <string_view>
#include <vector>

#include "confmat/metrics/param.hpp"

namespace confmat::metrics {

struct Call {
  std::string_view asked;     // without the spaces around it
  std::string_view name;      // in front of the brackets
  std::string_view brackets;  // with what they hold; empty: there are none
};
Call call_in(std::string_view text);

// The numbers of a call, defaults where it has none. Throws InputError where they do not fit.
std::vector<double> params_in(const Call& call, Params params);
// That of a row with one at most; 0 without.
double param_in(const Call& call, Params params);

}  // namespace confmat::metrics
