// A number that a metric takes and that its name may hold: "fbeta(2)", "tversky(0.3,0.5)".
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string_view>

namespace confmat::metrics {

constexpr std::size_t kMostParams = 2;  // of one row
// The default of a parameter that is what the one before leaves of 1.
constexpr double kRestOfOne = std::numeric_limits<double>::quiet_NaN();
// That of the first where no number is usual: it must be given.
constexpr double kNoDefault = kRestOfOne;

struct Param {
  std::string_view name;         // a literal, as is the symbol
  std::string_view symbol = "";  // LaTeX
  std::string_view text;
  double value = 0.0;  // by default
  double least = 0.0, most = 0.0;
  bool whole = false;
  bool above_least = false;  // and not at it
  bool below_most = false;
  bool exponent = false;  // of a power mean, which may be named: "geometric"
};
using Params = std::span<const Param>;

}  // namespace confmat::metrics
