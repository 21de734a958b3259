// What is said where sums of weights are beyond what a cell, a margin or the total may hold.
#pragma once

#include <cstdint>
#include <string>

#include "confmat/base/error.hpp"
#include "confmat/batch/labels.hpp"

namespace confmat {

// Of the cell at `place`, by rows.
[[noreturn]] inline void refuse_cell(const Labels& labels, std::int64_t place) {
  throw InputError("the weights of `sample_weight` with true label " +
                   labels.display(place / labels.size()) + " and predicted label " +
                   labels.display(place % labels.size()) + " sum to more than 2^63 - 1");
}

[[noreturn]] inline void refuse_total() {
  throw InputError("the weights of `sample_weight` sum to more than 2^63 - 1");
}

[[noreturn]] inline void refuse_infinite_total() {
  throw InputError("the weights of `sample_weight` sum to more than the largest float64");
}

}  // namespace confmat
