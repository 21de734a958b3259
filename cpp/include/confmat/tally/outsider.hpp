// A row whose label is not among those given, and how it is refused.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "confmat/base/error.hpp"
#include "confmat/batch/labels.hpp"

namespace confmat {

// The first of such rows.
struct Outsider {
  bool in_truth = false;  // else in the predictions
  std::int64_t row = -1;
  std::string label;  // as messages show it, without quotes
};

// "label 'cat' at row 3 of `y_true` is not in labels ['cow', 'dog']", and `more`.
InputError refused_outsider(const Outsider& outsider, std::string_view argument,
                            const Labels& labels, std::string_view more = "");

// What follows where such rows can be counted apart.
inline constexpr std::string_view kOrBucket =
    "; give every label, or other=\"bucket\" to count such rows apart";

}  // namespace confmat
