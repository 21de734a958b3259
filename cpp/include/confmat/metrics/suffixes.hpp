// The averages of a metric of one class, as value names end in them: declared here alone.
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <string_view>

#include "confmat/metrics/row.hpp"

namespace confmat::metrics {

struct Suffix {
  Average average;
  std::string_view text;    // without the underscore
  bool listed;              // has facts of its own
  bool pooled_sign;         // meaningless for values of either sign
  std::string_view before;  // LaTeX around what is averaged
  std::string_view after;
  std::string_view words = "";  // "harmonic mean", of those that are not listed
  std::string_view mean = "";   // as a power mean, whose exponent is
  double exponent = std::numeric_limits<double>::quiet_NaN();
};
std::span<const Suffix> suffixes();

const Suffix& suffix_of(Average average);  // of none but kNone
// That of "harmonic", "arithmetic" or "max"; nothing of other words.
std::optional<double> exponent_named(std::string_view mean);
// Of a parameter that takes these, or any other exponent.
constexpr std::string_view kExponentText =
    "exponent of the mean over the classes: harmonic, geometric, arithmetic, quadratic, min, max "
    "or a number";

}  // namespace confmat::metrics
